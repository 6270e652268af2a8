// A finished session: its project's items are derived anew, and storage and files brought up to date with them.
import { isDeepStrictEqual } from "node:util";
import {
  MemoirError,
  type MemoryItem,
  type NewMemoryItem,
  type PluginContext,
  type StorageClient,
  type Turn,
} from "../../src/sdk/index.ts";
import { dropOldest, isFiller } from "../../src/text/index.ts";
import { askModel, type SessionMaterial } from "./ask-model.ts";
import { deriveItems, isSameItem, type Reading, readSession } from "./derive.ts";
import { type MemoryFolder, openHistory, updateFiles, withoutForgotten } from "./memory-folder.ts";
import { dayOf } from "./practice.ts";

/** What is kept where. */
export interface Keeping {
  folder: MemoryFolder;
  /** By session; one goes when anything of the session is stored anew. */
  readings: Map<string, Reading>;
}

/** What keeping needs of the host. */
type KeepContext = Pick<
  PluginContext<{ model: boolean }>,
  "complete" | "config" | "log" | "storage"
>;

const mostRecords = 300;
const mostItems = 10_000;
/** Of a project the newest sessions; items of others stay as they are. */
const mostSessions = 300;
const mostReadings = 1_000;

/** A session that a model may find more in, and what is known of its project. */
interface Kept {
  material: SessionMaterial;
  known: readonly MemoryItem[];
}

/** Undefined where no model is to be asked. Rejects when storage or the folder failed. */
export async function keepSession(
  id: string,
  keeping: Keeping,
  ctx: KeepContext,
): Promise<Kept | undefined> {
  const material = await gatherSession(ctx.storage, id);
  if (!material) return undefined;
  const { session, prompts, observations } = material;
  // Many windows are closed without a word: what was laid down in one counts in the next from its turn on.
  if (session.status !== "ended") {
    if (prompts.length > 0) await deriveProject(session.project.id, keeping, ctx);
    return undefined;
  }
  const history = await openHistory(keeping.folder, session.lastActiveAt);
  const before = history.find(id);
  const isSeen = before !== undefined && before.prompts >= prompts.length;
  const known =
    prompts.length > 0 ? await deriveProject(session.project.id, keeping, ctx) : undefined;
  if (isSeen) return undefined;
  await history.note({
    session: id,
    project: session.project.id,
    title: session.title,
    date: dayOf(session.lastActiveAt),
    prompts: prompts.length,
    ...(session.transcriptPath !== undefined && { transcriptPath: session.transcriptPath }),
    topics: topicsOf(observations.flatMap(({ concepts }) => concepts)),
    summarized: prompts.length > 0,
    ...(prompts.length === 0 && { reason: "no prompts" }),
  });
  return known && ctx.config.model && isSubstantive(material) ? { material, known } : undefined;
}

/** Undefined when there is no such session. */
async function gatherSession(
  storage: StorageClient,
  id: string,
): Promise<SessionMaterial | undefined> {
  // Not by `get`: a session may have the id of a record, as `s1`.
  const [session] = await storage.sessions({ session: id, limit: 1 });
  if (session?.id !== id) return undefined;
  const all = { session: id, limit: mostRecords };
  const [prompts, observations, summaries, turns] = await Promise.all([
    storage.prompts(all),
    storage.observations(all),
    storage.summaries(all),
    turnsOf(storage, id),
  ]);
  return {
    session,
    prompts: prompts.reverse(),
    observations: observations.reverse(),
    summaries: summaries.reverse(),
    turns,
  };
}

async function turnsOf(storage: StorageClient, session: string): Promise<Turn[]> {
  const turns = await storage.turns({ session, limit: mostRecords });
  return turns
    .filter((turn) => turn.session === session)
    .sort((one, other) => one.promptNumber - other.promptNumber);
}

/** Stores what the project's sessions come to now, and takes out what they come to no more. Answers all items of the project. */
async function deriveProject(
  project: string,
  { folder, readings }: Keeping,
  { storage, log }: KeepContext,
): Promise<MemoryItem[]> {
  const sessions = await storage.sessions({ project, limit: mostSessions });
  const read: Reading[] = [];
  for (const session of sessions) {
    const reading =
      readings.get(session.id) ?? readSession(session, await turnsOf(storage, session.id));
    readings.set(session.id, reading);
    read.push(reading);
  }
  dropOldest(readings, mostReadings);

  const ids = new Set(sessions.map(({ id }) => id));
  const stored = await storedOf(project, storage);
  const before = new Map(
    stored.filter((item) => isDerived(item, ids)).map((item) => [keyOf(item), item]),
  );
  const given = stored.filter((item) => !isDerived(item, ids));
  const derived = await withoutForgotten(folder, deriveItems(read, given.flatMap(asGiven)));
  const now = new Set(derived.map(keyOf));
  const changed = derived.filter((item) => !isStored(item, before.get(keyOf(item))));
  const gone = [...before.values()].filter((item) => !now.has(keyOf(item))).map(({ id }) => id);
  await put(storage, changed);
  if (gone.length > 0) await storage.delete({ ids: gone });

  // Asked again, for storage gives the items their ids; after a crash this also finds what a file lacks.
  const items = await storedOf(project, storage);
  const { broken } = await updateFiles(folder, items, new Set(gone));
  if (broken.length > 0)
    log.warn("memory files that are no JSON lists were left as they are", { files: broken });
  return items;
}

/** Also what the user hid: nothing that says the same is to be found again. */
function storedOf(project: string, storage: StorageClient): Promise<MemoryItem[]> {
  return storage.memory({ project, limit: mostItems, hidden: true });
}

/** True for what these sessions' turns gave, and no person has touched: a person or model that stores an item names no evidence. */
function isDerived(
  { session, evidence, edited, hidden, merged, pinned }: MemoryItem,
  sessions: ReadonlySet<string>,
): boolean {
  if (!evidence || edited || hidden || merged || pinned) return false;
  return [session, ...evidence.flatMap((place) => place.session ?? [])].every((id) =>
    sessions.has(id),
  );
}

/** An edited item also stands for what it said before. */
function asGiven(item: MemoryItem): MemoryItem[] {
  const content = item.edited?.was.content;
  return typeof content === "string" ? [item, { ...item, content }] : [item];
}

function keyOf({ kind, content }: NewMemoryItem): string {
  return `${kind} ${content}`;
}

function isStored(item: NewMemoryItem, stored: MemoryItem | undefined): boolean {
  if (!stored) return false;
  const { id: _, ...known } = stored;
  return isDeepStrictEqual(known, item);
}

async function put(storage: StorageClient, memory: NewMemoryItem[]): Promise<void> {
  if (memory.length === 0) return;
  // The same items may come, go, and come again.
  await storage.put({ key: `memory-files:${crypto.randomUUID()}`, records: { memory } });
}

/** What a model finds; none where it cannot be asked. */
export async function findMore(
  { material, known }: Kept,
  ctx: KeepContext,
): Promise<NewMemoryItem[]> {
  try {
    return await askModel(material, known, ctx);
  } catch (error) {
    const code = error instanceof MemoirError ? error.code : undefined;
    if (code !== "provider_none")
      ctx.log.info("the model was not asked for memory items; the evidence alone was used", {
        error,
      });
    return [];
  }
}

/** Stores what says nothing twice. */
export async function keepFound(
  found: readonly NewMemoryItem[],
  { material }: Kept,
  { folder }: Keeping,
  { storage }: KeepContext,
): Promise<void> {
  const project = material.session.project.id;
  const known = await storedOf(project, storage);
  const fresh: NewMemoryItem[] = [];
  for (const item of await withoutForgotten(folder, found))
    if (![...known, ...fresh].some((other) => isSameItem(other, item))) fresh.push(item);
  await put(storage, fresh);
  await updateFiles(folder, await storedOf(project, storage));
}

/** Enough was said for a model to find what the evidence alone does not show. */
function isSubstantive({ prompts }: SessionMaterial): boolean {
  const said = prompts.map(({ text }) => text).filter((text) => !isFiller(text));
  return said.length >= 3 || said.join(" ").length >= 600;
}

/** The concepts that came up most, at most eight. */
function topicsOf(concepts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const concept of concepts) counts.set(concept, (counts.get(concept) ?? 0) + 1);
  return [...counts]
    .sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]))
    .slice(0, 8)
    .map(([concept]) => concept);
}
