// The folder of memory files and each file in it: read, and replaced whole so that a crash leaves the old or the new one. A file that is no
// JSON is never written to.

import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as v from "valibot";
import { type MemoryItem, memoryKinds, moveFile, type NewMemoryItem } from "../../src/sdk/index.ts";
import { oneLine, recordOf } from "../../src/text/index.ts";

// `history.json`: which sessions were looked at, where their transcripts lie and what they were about.

const EntrySchema = v.looseObject({
  session: v.string(),
  project: v.string(),
  title: v.string(),
  date: v.string(),
  prompts: v.number(),
  /** True once its items were kept, false for a session that was left out. */
  summarized: v.boolean(),
  /** Why it was left out. */
  reason: v.optional(v.string()),
  transcriptPath: v.optional(v.string()),
  topics: v.array(v.string()),
});
export type HistoryEntry = v.InferOutput<typeof EntrySchema>;

const HistorySchema = v.looseObject({
  since: v.number(),
  sessions: v.array(EntrySchema),
});

interface History {
  /** What was noted of a session when it was looked at last. */
  find(session: string): HistoryEntry | undefined;
  /** Notes a session, replacing what was noted before. Does nothing when the file cannot be understood. */
  note(entry: HistoryEntry): Promise<void>;
  /** Takes sessions out of the index, their titles with them. */
  leaveOut(sessions: ReadonlySet<string>): Promise<void>;
  /** Takes their titles and topics out, and leaves them in. */
  leaveUntitled(sessions: ReadonlySet<string>): Promise<void>;
}

const historyFile = "history.json";

/** Reads the index; `now` becomes its beginning where there is none yet. */
export async function openHistory(folder: MemoryFolder, now: number): Promise<History> {
  const file = await folder.read(historyFile);
  const parsed = file.state === "read" ? v.safeParse(HistorySchema, file.value) : undefined;
  const isOurs = file.state === "missing" || parsed?.success === true;
  const known = parsed?.success ? parsed.output : { since: now, sessions: [] };
  return {
    find: (session) => known.sessions.find((entry) => entry.session === session),
    async note(entry) {
      known.sessions = [
        ...known.sessions.filter(({ session }) => session !== entry.session),
        entry,
      ];
      if (isOurs) await folder.write(historyFile, known);
    },
    async leaveOut(sessions) {
      const kept = known.sessions.filter(({ session }) => !sessions.has(session));
      if (!isOurs || kept.length === known.sessions.length) return;
      known.sessions = kept;
      await folder.write(historyFile, known);
    },
    async leaveUntitled(sessions) {
      if (!isOurs || !known.sessions.some(({ session }) => sessions.has(session))) return;
      known.sessions = known.sessions.map((entry) =>
        sessions.has(entry.session) ? { ...entry, title: "", topics: [] } : entry,
      );
      await folder.write(historyFile, known);
    },
  };
}

/** A folder of JSON files that only their owner can read. */
export interface MemoryFolder {
  /** The file's value; `missing` when there is none, `empty` when it says nothing, `broken` when it is not valid JSON. */
  read(
    name: string,
  ): Promise<{ state: "read"; value: unknown } | { state: "missing" | "empty" | "broken" }>;
  /** What stands in it, whatever that is; empty where it cannot be read at all. */
  text(name: string): Promise<string>;
  /** Names of the JSON files. */
  names(): Promise<string[]>;
  /** Rejects when the folder cannot be written. */
  write(name: string, value: unknown): Promise<void>;
}

/** Nothing is made before the first write. */
export function memoryFolder(path: string): MemoryFolder {
  return {
    async read(name) {
      let text: string;
      try {
        // Some editors begin a file with a mark of its encoding.
        text = (await fileText(join(path, name))).replace(/^\ufeff/, "");
      } catch (error) {
        // What is there and cannot be read was not taken out by anybody.
        const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
        return { state: isMissing ? "missing" : "broken" };
      }
      if (text.trim() === "") return { state: "empty" };
      try {
        return { state: "read", value: JSON.parse(text) };
      } catch {
        return { state: "broken" };
      }
    },
    text: (name) => fileText(join(path, name)).catch(() => ""),
    async names() {
      const found = await readdir(path).catch(() => []);
      return found.filter((name) => name.endsWith(".json") && !name.startsWith("."));
    },
    async write(name, value) {
      await mkdir(path, { recursive: true, mode: 0o700 });
      const draft = join(path, `.${name}.${crypto.randomUUID()}`);
      try {
        await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
        await moveFile(draft, join(path, name));
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },
  };
}

/** Whoever opens a pipe waits for somebody to write into it. */
async function fileText(path: string): Promise<string> {
  if (!(await stat(path)).isFile()) throw new Error(`${path} is no file`);
  return readFile(path, "utf8");
}

// `forgotten.json`: hashes of items that the user had forgotten, so that their session says them no second time. No text of theirs.

const forgottenFile = "forgotten.json";
const HashesSchema = v.array(v.string());

/** Notes what is not to be found again. Does nothing when the file cannot be understood. */
export async function noteForgotten(
  folder: MemoryFolder,
  contents: readonly string[],
): Promise<void> {
  if (contents.length === 0) return;
  const known = await hashes(folder);
  if (known)
    await folder.write(forgottenFile, [...new Set([...known, ...contents.map(contentHash)])]);
}

/** What of the items was not forgotten. */
export async function withoutForgotten<Item extends NewMemoryItem>(
  folder: MemoryFolder,
  items: readonly Item[],
): Promise<Item[]> {
  const known = new Set(await hashes(folder));
  return items.filter(({ content }) => !known.has(contentHash(content)));
}

async function hashes(folder: MemoryFolder): Promise<string[] | undefined> {
  const file = await folder.read(forgottenFile);
  if (file.state === "missing") return [];
  const parsed = file.state === "read" ? v.safeParse(HashesSchema, file.value) : undefined;
  return parsed?.success ? parsed.output : undefined;
}

function contentHash(content: string): string {
  return createHash("sha256").update(oneLine(content).toLowerCase()).digest("hex").slice(0, 32);
}

// The files, one a kind: new items are added at the end, what a person changed in them stays.

/** The kinds of memory item, each with a file of its name. */
export const kinds = memoryKinds satisfies ReadonlyArray<MemoryItem["kind"]>;

/** The name of a kind's file. */
export function fileOf(kind: MemoryItem["kind"]): string {
  return `${kind}.json`;
}

/**
 * Writes into the files what these items say now, adds those that their file has not yet, and takes out those of `gone`. Answers
 * what these said, and the files that could not be read and were left as they are.
 */
export async function updateFiles(
  folder: MemoryFolder,
  items: readonly MemoryItem[],
  gone: ReadonlySet<string> = new Set(),
): Promise<{ contents: string[]; broken: string[] }> {
  const contents: string[] = [];
  const broken: string[] = [];
  const written = new Map<MemoryItem["kind"], unknown[]>();
  for (const kind of kinds) {
    const name = fileOf(kind);
    const file = await folder.read(name);
    const listed: unknown = file.state === "read" ? file.value : [];
    if (file.state === "broken" || !Array.isArray(listed)) {
      broken.push(name);
      continue;
    }
    const own = new Map(items.filter((item) => item.kind === kind).map((item) => [item.id, item]));
    const now: unknown[] = [];
    for (const entry of listed) {
      const id = textOf(entry, "id");
      const item = own.get(id);
      own.delete(id);
      if (gone.has(id)) contents.push(textOf(entry, "content"));
      else now.push(item ? { ...strange(entry), ...entryOf(item) } : entry);
    }
    now.push(...[...own.values()].map(entryOf));
    const isSame = isDeepStrictEqual(now, listed);
    if (isSame && (file.state !== "missing" || items.length === 0)) continue;
    await folder.write(name, now);
    written.set(kind, now);
  }
  if (written.size > 0) await noteWritten(folder, written);
  return { contents, broken };
}

/** What a person put beside memoir's own fields: of these the store says which there are. */
function strange(entry: unknown): object {
  const { state: _, quote: _q, evidence: _e, ...rest } = recordOf(entry);
  return rest;
}

function entryOf({
  kind: _,
  pinned: _p,
  hidden: _h,
  merged: _m,
  edited: _e,
  ...entry
}: MemoryItem) {
  return entry;
}

// `written.json`: which items stand in the files as memoir wrote them, as hashes, so that what a person changed there is distinct from what never came.

const writtenFile = "written.json";
/** A hash by id, by kind. */
const WrittenSchema = v.record(v.string(), v.record(v.string(), v.string()));
/** What memoir wrote last, by kind and id. */
export type Written = v.InferOutput<typeof WrittenSchema>;

/** Undefined where nothing says what was written, or that cannot be read. */
export async function readWritten(folder: MemoryFolder): Promise<Written | undefined> {
  const file = await folder.read(writtenFile);
  const parsed = file.state === "read" ? v.safeParse(WrittenSchema, file.value) : undefined;
  return parsed?.success ? parsed.output : undefined;
}

/** Entries of files, by kind. */
type Entries = ReadonlyMap<MemoryItem["kind"], readonly unknown[]>;

/** Notes how the entries of these files stand now; writes nothing where they stood so. */
export async function noteWritten(folder: MemoryFolder, files: Entries): Promise<void> {
  const known = (await readWritten(folder)) ?? {};
  const now = { ...known };
  for (const [kind, entries] of files) {
    const hashes = entries.flatMap((entry) => {
      const id = textOf(entry, "id");
      return id === "" ? [] : [[id, hashOf(entry)] as const];
    });
    if (hashes.length > 0 || known[kind]) now[kind] = Object.fromEntries(hashes);
  }
  if (JSON.stringify(known) !== JSON.stringify(now)) await folder.write(writtenFile, now);
}

/** Of what a person may change in an entry: its content, and its context. */
export function hashOf(entry: unknown): string {
  return `${hash(textOf(entry, "content"))} ${hash(textOf(entry, "context"))}`;
}

/** Whether an item is the one that was written: ids of a storage that was made anew may be others'. */
export function isWritten(item: unknown, written: string): boolean {
  return hashOf(item).split(" ")[0] === written.split(" ")[0];
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

/** A text of an entry; empty where it has none. */
export function textOf(entry: unknown, name: string): string {
  const value: unknown =
    typeof entry === "object" && entry !== null ? Reflect.get(entry, name) : undefined;
  return typeof value === "string" ? value : "";
}
