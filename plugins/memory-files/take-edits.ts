// What a person changed in the files is what memory says from then on: a text, an entry that is gone, an emptied or deleted file.

import * as v from "valibot";
import {
  MemoirError,
  type MemoryItem,
  type NewMemoryItem,
  type StorageClient,
} from "../../src/sdk/index.ts";
import type { MemoryFolder } from "./memory-folder.ts";
import {
  fileOf,
  hashOf,
  isWritten,
  kinds,
  noteForgotten,
  noteWritten,
  readWritten,
  textOf,
  type Written,
  withoutForgotten,
} from "./memory-folder.ts";

/** What was taken over. */
export interface Taken {
  /** Items whose texts changed, and items that are gone. */
  changed: number;
  removed: number;
  /** Items that only the file had left, and that were stored again. */
  putBack: number;
  /** Files that cannot be read as lists: nothing of them was taken over, and what they held before stands. */
  broken: string[];
  /** Whether of those only what still stands in them is given to agents. */
  withholds: boolean;
}

type Records = Pick<StorageClient, "get" | "put" | "delete" | "memory" | "amend">;
type Kind = MemoryItem["kind"];

/** Compares the files with what memoir wrote there last. Rejects when storage or the folder failed. */
export async function takeEdits(folder: MemoryFolder, storage: Records): Promise<Taken> {
  const taken: Taken = { changed: 0, removed: 0, putBack: 0, broken: [], withholds: true };
  const written = await readWritten(folder);
  const now = new Map<Kind, unknown[]>();
  const lost = await lostFrom(folder, storage, written);
  for (const kind of kinds) {
    const entries = await takeKind(kind, written, { folder, storage, taken, lost });
    if (entries) now.set(kind, entries);
  }
  await noteWritten(folder, now);
  return taken;
}

interface Taking {
  folder: MemoryFolder;
  storage: Records;
  taken: Taken;
  /** Entries that only their file has left, as JSON. */
  lost: ReadonlySet<string>;
}

/** The entries as they stand then; undefined where the file cannot be read. */
async function takeKind(
  kind: Kind,
  written: Written | undefined,
  taking: Taking,
): Promise<unknown[] | undefined> {
  const { folder, storage, taken } = taking;
  const entries = await entriesOf(folder, kind);
  if (!entries) {
    taken.broken.push(fileOf(kind));
    const missing = await missingFrom(await folder.text(fileOf(kind)), written?.[kind], storage);
    taken.withholds &&= await withhold(folder, storage, kind, missing);
    return undefined;
  }
  await withhold(folder, storage, kind, []);
  // Of a home of before nothing says what was written: an entry counts as it stands, and none as removed.
  const before = written?.[kind] ?? {};
  const there = new Map(entries.map((entry) => [textOf(entry, "id"), entry]));
  const elsewhere = await namedElsewhere(folder);
  const moved = await putBack(kind, entries, taking);
  const gone = Object.keys(before).filter((id) => !there.has(id) && !elsewhere.has(id));
  for (const entry of entries) {
    const id = textOf(entry, "id");
    if (id === "" || textOf(entry, "content") === "" || moved.has(id)) continue;
    if (before[id] === hashOf(entry)) continue;
    const next = await takeEntry(kind, before[id], entry, taking);
    if (next !== undefined) moved.set(id, next);
  }
  if (gone.length > 0) {
    const items = (await itemsOf(storage, gone)).filter((item) =>
      isWritten(item, before[item.id] ?? ""),
    );
    await noteForgotten(
      folder,
      items.flatMap((item) => [item.content, String(item.edited?.was.content ?? item.content)]),
    );
    if (items.length > 0) await storage.delete({ ids: items.map(({ id }) => id) });
    taken.removed += items.length;
  }
  const now = distinct(entries.map((entry) => renamed(entry, moved.get(textOf(entry, "id")))));
  if (moved.size > 0) await folder.write(fileOf(kind), now);
  return now;
}

/** What an entry says of its item; the turns that it names as evidence are lost with the storage. */
const EntrySchema = v.object({
  id: v.string(),
  project: v.string(),
  session: v.string(),
  date: v.string(),
  content: v.string(),
  context: v.string(),
  state: v.optional(v.picklist(["standing", "candidate"])),
  quote: v.optional(v.string()),
});

/**
 * The entries, as JSON, that only their file has left. A storage never gives an id twice: where it did, it was made anew or set back to an
 * older state, and what memoir wrote under ids that are another's now, or nobody's, would be overwritten.
 */
async function lostFrom(
  folder: MemoryFolder,
  storage: Records,
  written: Written = {},
): Promise<Set<string>> {
  const ids = Object.values(written).flatMap((hashes) => Object.keys(hashes));
  const stored = new Map((await itemsOf(storage, ids)).map((item) => [item.id, item]));
  const lost = new Set<string>();
  let isAnew = false;
  for (const kind of kinds)
    for (const entry of (await entriesOf(folder, kind)) ?? []) {
      const id = textOf(entry, "id");
      const hash = written[kind]?.[id];
      const item = stored.get(id);
      if (hash === undefined || (item && (isWritten(item, hash) || isOf(item, kind, entry))))
        continue;
      isAnew ||= item !== undefined;
      lost.add(JSON.stringify(entry));
    }
  return isAnew ? lost : new Set();
}

/** Stores lost entries again. Answers the ids that they have from now on, by those that they had. */
async function putBack(
  kind: Kind,
  entries: readonly unknown[],
  { folder, storage, taken, lost }: Taking,
): Promise<Map<string, string>> {
  const found = entries.flatMap((entry) => {
    const parsed = v.safeParse(EntrySchema, entry);
    return parsed.success && lost.has(JSON.stringify(entry)) ? [{ ...parsed.output, kind }] : [];
  });
  const kept = await withoutForgotten(folder, found);
  if (kept.length === 0) return new Map();
  await storage.put({
    key: `memory-files:put-back:${crypto.randomUUID()}`,
    records: { memory: kept.map(({ id: _, ...item }) => item) },
  });
  taken.putBack += kept.length;
  const now = await storage.memory({ kinds: [kind], limit: 10_000, hidden: true });
  const ids = new Map(now.map(({ project, content, id }) => [`${project} ${content}`, id]));
  return new Map(
    kept.flatMap(({ id, project, content }) => {
      const next = ids.get(`${project} ${content}`);
      return next === undefined ? [] : [[id, next]];
    }),
  );
}

/** The new id of an item whose text a person changed; undefined where nothing changed. */
async function takeEntry(
  kind: Kind,
  written: string | undefined,
  entry: unknown,
  { folder, storage, taken }: Taking,
): Promise<string | undefined> {
  const id = textOf(entry, "id");
  const [known] = await itemsOf(storage, [id]);
  if (known?.kind !== kind || !isSame(known, entry, written)) return undefined;
  const content = textOf(entry, "content");
  const context = textOf(entry, "context");
  if (known.content === content && known.context === context) return undefined;
  if (await isAmended(storage, known, { content, context })) {
    taken.changed++;
    return undefined;
  }
  const { project, session, date } = known;
  // A storage that keeps no edits, or has another item that says so. The words are the person's now: nobody said them in a turn.
  const item: NewMemoryItem = { kind, project, session, date, content, context, state: "standing" };
  await storage.put({
    key: `memory-files:edited:${crypto.randomUUID()}`,
    records: { memory: [item] },
  });
  taken.changed++;
  if (known.content === content) return undefined;
  const [stored] = (
    await storage.memory({ project, kinds: [kind], limit: 10_000, hidden: true })
  ).filter((one) => one.content === content);
  // First the new one is there; then what it said before is not found again.
  await noteForgotten(folder, [known.content]);
  await storage.delete({ ids: [id] });
  return stored?.id;
}

/** The words are the user's own from then on, under the id that it had. */
async function isAmended(
  storage: Records,
  known: MemoryItem,
  texts: { content: string; context: string },
): Promise<boolean> {
  const changed = Object.entries(texts).filter(([name, text]) => Reflect.get(known, name) !== text);
  try {
    await storage.amend({ id: known.id, set: Object.fromEntries(changed) });
    return true;
  } catch (error) {
    const code = error instanceof MemoirError ? error.code : undefined;
    if (code === "storage_unanswered" || code === "usage") return false;
    throw error;
  }
}

/** Items that a file held as memoir wrote it, and whose words stand nowhere in it now. */
async function missingFrom(
  text: string,
  written: Written[string] = {},
  storage: Records,
): Promise<MemoryItem[]> {
  const items = await itemsOf(storage, Object.keys(written));
  return items.filter(
    (item) =>
      isWritten(item, written[item.id] ?? "") &&
      !text.includes(JSON.stringify(item.content).slice(1, -1)),
  );
}

/** Of a home of before, what else an entry says tells whether it is of this item. */
function isSame(known: MemoryItem, entry: unknown, written: string | undefined): boolean {
  return written === undefined ? isOf(known, known.kind, entry) : isWritten(known, written);
}

/** Whether an item comes from where its entry says. */
function isOf(item: MemoryItem, kind: Kind, entry: unknown): boolean {
  const places = ["session", "project", "date"] as const;
  return item.kind === kind && places.every((name) => item[name] === textOf(entry, name));
}

async function itemsOf(storage: Records, ids: string[]): Promise<MemoryItem[]> {
  // Also what the user hid.
  const found = await storage.get({ ids, hidden: true });
  return found.flatMap(({ kind, record }) => (kind === "memory" ? [record as MemoryItem] : []));
}

/** Without a second entry of one id. */
function distinct(entries: readonly unknown[]): unknown[] {
  const seen = new Set<string>();
  return entries.filter((entry) => {
    const id = textOf(entry, "id");
    const isSecond = id !== "" && seen.has(id);
    seen.add(id);
    return !isSecond;
  });
}

function renamed(entry: unknown, id: string | undefined): unknown {
  return id === undefined ? entry : { ...(entry as object), id };
}

/** None for a file that is missing or empty; undefined for one that holds no list. */
async function entriesOf(folder: MemoryFolder, kind: Kind): Promise<unknown[] | undefined> {
  const file = await folder.read(fileOf(kind));
  if (file.state === "missing" || file.state === "empty") return [];
  return file.state === "read" && Array.isArray(file.value) ? file.value : undefined;
}

/** Ids in files of other names: one that was given another name, or kept as a copy, was not taken out. */
async function namedElsewhere(folder: MemoryFolder): Promise<Set<string>> {
  const own = new Set([
    ...kinds.map(fileOf),
    "history.json",
    "forgotten.json",
    "written.json",
    withheldFile,
  ]);
  const found = new Set<string>();
  for (const name of await folder.names()) {
    if (own.has(name)) continue;
    const file = await folder.read(name);
    if (file.state !== "read" || !Array.isArray(file.value)) continue;
    for (const entry of file.value) found.add(textOf(entry, "id"));
  }
  return found;
}

// `withheld.json`: items whose file cannot be read and does not hold their words any more: kept from agents until it is fixed.

/** The name of the file. */
const withheldFile = "withheld.json";
const WithheldSchema = v.record(v.string(), v.array(v.string()));

/**
 * Hides these items of a kind and lets go of those that were withheld before. What the user hid stays hidden. False where the
 * storage cannot hide.
 */
export async function withhold(
  folder: MemoryFolder,
  storage: Pick<StorageClient, "amend">,
  kind: MemoryItem["kind"],
  items: readonly MemoryItem[],
): Promise<boolean> {
  const file = await folder.read(withheldFile);
  const parsed = file.state === "read" ? v.safeParse(WithheldSchema, file.value) : undefined;
  const known = parsed?.success ? parsed.output : {};
  const before = known[kind] ?? [];
  const wanted = new Set(items.map(({ id }) => id));
  const added = items.filter(({ id, hidden }) => !hidden && !before.includes(id));
  const back = before.filter((id) => !wanted.has(id));
  if (added.length === 0 && back.length === 0) return true;
  const now = [...before.filter((id) => wanted.has(id)), ...added.map(({ id }) => id)];
  try {
    // Noted first: a crash in between must not leave them hidden for ever.
    await folder.write(withheldFile, { ...known, [kind]: [...new Set([...before, ...now])] });
    for (const { id } of added) await storage.amend({ id, hidden: true });
    for (const id of back) await shown(storage, id);
    await folder.write(withheldFile, { ...known, [kind]: now });
    return true;
  } catch (error) {
    if (error instanceof MemoirError && error.code === "storage_unanswered") return false;
    throw error;
  }
}

/** One that was forgotten meanwhile is none. */
async function shown(storage: Pick<StorageClient, "amend">, id: string): Promise<void> {
  try {
    await storage.amend({ id, hidden: false });
  } catch (error) {
    if (!(error instanceof MemoirError && error.code === "record_not_found")) throw error;
  }
}
