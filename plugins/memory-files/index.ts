// Built-in plugin `memory-files`: what a finished session settled, kept as memory items and in files a person can read.
import { stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as v from "valibot";
import {
  definePlugin,
  MemoirError,
  type MemoryItem,
  type NewMemoryItem,
  type PluginContext,
  type Reply,
  type Session,
  type StorageClient,
  type Turn,
} from "../../src/sdk/index.ts";
import { isTheirs } from "../../src/strategy/index.ts";
import { dropOldest, isFiller } from "../../src/text/index.ts";
import { askModel, type SessionMaterial } from "./ask-model.ts";
import { deriveItems, isSameItem, type Reading, readSession } from "./derive.ts";
import {
  fileOf,
  kinds,
  type MemoryFolder,
  memoryFolder,
  noteForgotten,
  openHistory,
  updateFiles,
  withoutForgotten,
} from "./memory-folder.ts";
import { dayOf } from "./said.ts";
import { type Taken, takeEdits } from "./take-edits.ts";

const ConfigSchema = v.strictObject({
  path: v.optional(
    v.pipe(
      v.string(),
      v.nonEmpty(),
      v.description("Folder of the files; relative to memoir's home."),
    ),
    "memory",
  ),
  model: v.optional(
    v.pipe(
      v.boolean(),
      v.description("Ask the model about substantive sessions, where a provider is set."),
    ),
    true,
  ),
});
type Config = v.InferOutput<typeof ConfigSchema>;

interface State extends Keeping {
  path: string;
  /** The last work under way; one after the other, for all of it shares the files. */
  last: Promise<void>;
  /** How the files stood when they were compared last; empty: not yet. */
  stamp: string;
}

export default definePlugin<Config, State>({
  name: "memory-files",
  description:
    "Keeps what a finished session decided, preferred and found out, in files and searchable.",
  sdk: 1,
  config: ConfigSchema,
  start: ({ config, home }) => {
    const path = isAbsolute(config.path) ? config.path : join(home, config.path);
    const folder = memoryFolder(path);
    return {
      path,
      folder,
      readings: new Map(),
      counted: new Map(),
      last: Promise.resolve(),
      stamp: "",
    };
  },
  hooks: {
    // Before anybody tells what memory says.
    SessionStart: { order: "pre", handler: (_event, ctx) => compare(ctx) },
    UserPromptSubmit: { order: "pre", handler: (_event, ctx) => compare(ctx) },
    stored: {
      deadlineMs: 5 * 60_000,
      async handler({ session, summaries, memory = [], ended }, ctx) {
        const { state } = ctx;
        state.readings.delete(session);
        // What was said counts also where there was nothing to sum up.
        const isEnded = ended || summaries.some(({ scope }) => scope === "session");
        const hasMore = isEnded || summaries.length > 0;
        if (!hasMore && memory.length === 0) return;
        const kept = await queued(ctx, async () => {
          if (memory.length > 0) warnOf((await updateFiles(state.folder, memory)).broken, ctx);
          return hasMore ? keepSession({ id: session, isEnded }, state, ctx) : undefined;
        });
        // A session that starts meanwhile waits for the files, never for a model.
        const found = kept ? await findMore(kept, ctx) : [];
        if (kept && found.length > 0) await queued(ctx, () => keepFound(found, kept, state, ctx));
      },
    },
    amended: async ({ kind, record }, ctx) => {
      const { state } = ctx;
      if (kind === "turn" || kind === "session") forgetReadings(state);
      if (kind !== "memory") return;
      await queued(ctx, async () => {
        warnOf((await updateFiles(state.folder, [record])).broken, ctx);
        state.stamp = await stampOf(state);
      });
    },
    forgotten: ({ ids, sessions = [] }, ctx) =>
      queued(ctx, async () => {
        const { folder } = ctx.state;
        forgetReadings(ctx.state);
        const gone = new Set(ids);
        const { contents, broken } = await updateFiles(folder, [], gone);
        warnOf(broken, ctx);
        await noteForgotten(folder, contents);
        const history = await openHistory(folder, ctx.now());
        await history.leaveOut(gone);
        // Of the others turns went: what they were about may have been said there.
        await history.leaveUntitled(new Set(sessions));
      }),
  },
});

type Call = Pick<PluginContext<Config>, "storage" | "log"> & { state: State };

/** All is derived anew from what storage says. */
function forgetReadings({ readings, counted }: State): void {
  readings.clear();
  counted.clear();
}

/** Files that a person may have changed. */
const names = kinds.map(fileOf);

/** Changes when one of the files does. */
async function stampOf({ path }: State): Promise<string> {
  const stats = await Promise.all(
    names.map((name) => stat(join(path, name)).catch(() => undefined)),
  );
  return stats.map((one) => `${one?.mtimeMs} ${one?.size} ${one?.ino}`).join();
}

/** Takes over what a person changed since; what cannot be read is said to them, once for each change. */
async function compare(ctx: Call): Promise<Reply | undefined> {
  const { state } = ctx;
  if ((await stampOf(state)) === state.stamp) return undefined;
  const { broken, withholds } = await queued(ctx, (taken) => taken);
  if (broken.length === 0) return undefined;
  const files = broken.map((name) => join(state.path, name)).join(", ");
  const counts = withholds
    ? "what it said before and says no more in the same words is kept from agents until it is fixed"
    : "what it said before counts until it is fixed";
  return {
    systemMessage: `memoir cannot read ${files}: it is not a JSON list. The file stays as it is, and ${counts}.`,
  };
}

type Broken = Pick<Taken, "broken" | "withholds">;
const nothingBroken: Broken = { broken: [], withholds: true };

/** Answers the files that could not be read. A failing storage is asked again at the next event. */
async function takeOver({ state, storage, log }: Call): Promise<Broken> {
  if ((await stampOf(state)) === state.stamp) return nothingBroken;
  try {
    const { broken, withholds, ...taken } = await takeEdits(state.folder, storage);
    state.stamp = await stampOf(state);
    if (taken.changed + taken.removed > 0) log.info("memory files were changed by hand", taken);
    if (taken.putBack > 0)
      log.warn("storage had lost items that the memory files still held: stored again", taken);
    warnOf(broken, { log });
    return { broken, withholds };
  } catch (error) {
    log.warn("changes in memory files could not be taken over yet", { error });
    return nothingBroken;
  }
}

/** Works on the files once all work before is done, and what a person changed in them is taken over. */
function queued<Value>(ctx: Call, work: (taken: Broken) => Promise<Value> | Value): Promise<Value> {
  const { state } = ctx;
  const next = async () => work(await takeOver(ctx));
  const done = state.last.then(next, next);
  state.last = done.then(
    () => undefined,
    () => undefined,
  );
  return done;
}

function warnOf(files: readonly string[], { log }: Pick<PluginContext, "log">): void {
  if (files.length > 0)
    log.warn("memory files that are no JSON lists were left as they are", { files });
}

// A finished session: its project's items are derived anew, and storage and files brought up to date with them.

/** What a session lays down and takes back. */
type Said = Pick<Reading, "withdrawn"> & { found: ReadonlyArray<Reading["found"][number][number]> };

/** What is kept where. */
export interface Keeping {
  folder: MemoryFolder;
  /** By session; one goes when anything of the session is stored anew. */
  readings: Map<string, Reading>;
  /** By session what of it is in its project's items. */
  counted: Map<string, Said>;
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

/** A session of which something was stored. */
interface Stored {
  id: string;
  /** Nothing more is made of it. */
  isEnded: boolean;
}

/** Undefined where no model is to be asked. Rejects when storage or the folder failed. */
export async function keepSession(
  { id, isEnded }: Stored,
  keeping: Keeping,
  ctx: KeepContext,
): Promise<Kept | undefined> {
  const session = await sessionOf(ctx.storage, id);
  if (!session) return undefined;
  // Many windows are closed without a word: what was laid down in one counts in the next from its turn on.
  if (!isEnded || session.status !== "ended") {
    if (session.prompts === 0) return undefined;
    const reading = readSession(session, await turnsOf(ctx.storage, id));
    keeping.readings.set(id, reading);
    if (!isDeepStrictEqual(keeping.counted.get(id), saidOf(reading)))
      await deriveProject(session.project.id, keeping, ctx);
    return undefined;
  }
  const material = await materialOf(ctx.storage, session);
  const { prompts, observations } = material;
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

/** What counts from its turn on: what a session ran and asked for does when it ends. */
function saidOf({ found, withdrawn }: Reading): Said {
  return { found: found.flat(), withdrawn };
}

/** Undefined when there is no such session. */
async function sessionOf(storage: StorageClient, id: string): Promise<Session | undefined> {
  // Not by `get`: a session may have the id of a record, as `s1`.
  const [session] = await storage.sessions({ session: id, limit: 1 });
  return session?.id === id ? session : undefined;
}

async function materialOf(storage: StorageClient, session: Session): Promise<SessionMaterial> {
  const { id } = session;
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
  { folder, readings, counted }: Keeping,
  { storage, log }: KeepContext,
): Promise<MemoryItem[]> {
  // What others laid down comes from their own memory, in their name.
  const all = await storage.sessions({ project, limit: mostSessions });
  const sessions = all.filter((session) => !isTheirs(session));
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
  const given = stored.filter(
    (item) => !isDerived(item, ids) && !(isTheirs(item) && item.state === "candidate"),
  );
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
  // Last: what failed before is tried again at the next turn.
  for (const reading of read) counted.set(reading.session, saidOf(reading));
  dropOldest(counted, mostReadings);
  return items;
}

/** Also what the user hid: nothing that says the same is to be found again. */
function storedOf(project: string, storage: StorageClient): Promise<MemoryItem[]> {
  return storage.memory({ project, limit: mostItems, hidden: true });
}

/** True for what these sessions' turns gave, and no person has touched: a person or model that stores an item names no evidence. */
function isDerived(item: MemoryItem, sessions: ReadonlySet<string>): boolean {
  const { session, evidence, edited, hidden, merged, pinned } = item;
  if (!evidence || edited || hidden || merged || pinned || isTheirs(item)) return false;
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
async function findMore({ material, known }: Kept, ctx: KeepContext): Promise<NewMemoryItem[]> {
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
async function keepFound(
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
