// Built-in plugin `memory-files`: what a finished session settled, kept as memory items and in files a person can read.
import { isAbsolute, join } from "node:path";
import * as v from "valibot";
import { definePlugin, type PluginContext, type Reply } from "../../src/sdk/index.ts";
import { addToFiles, fileOf, kinds, removeFromFiles, renewInFiles } from "./item-files.ts";
import { type KeepContext, type Keeping, keepSession } from "./keep-session.ts";
import { type MemoryFolder, memoryFolder, noteForgotten, openHistory } from "./memory-folder.ts";
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

interface State {
  folder: string;
  /** The last session under way; sessions are kept one after the other, for they share files. */
  last: Promise<void>;
  /** How the files stood when they were compared last; empty: not yet. */
  stamp: string;
  /** Items whose evidence was looked at again since the start. */
  looked: Set<string>;
}

/** Ended sessions looked at for one that a crash left out. */
const lookedBack = 20;

export default definePlugin<Config, State>({
  name: "memory-files",
  description:
    "Keeps what a finished session decided, preferred and found out, in files and searchable.",
  sdk: 1,
  config: ConfigSchema,
  start: ({ config, home }) => ({
    folder: isAbsolute(config.path) ? config.path : join(home, config.path),
    last: Promise.resolve(),
    stamp: "",
    looked: new Set(),
  }),
  hooks: {
    // Before anybody tells what memory says.
    SessionStart: { order: "pre", handler: (_event, ctx) => compare(ctx) },
    UserPromptSubmit: { order: "pre", handler: (_event, ctx) => compare(ctx) },
    stored: {
      deadlineMs: 5 * 60_000,
      async handler({ session, summaries, memory = [], ended: isEnded }, ctx) {
        // What was said counts also where there was nothing to sum up.
        const ended =
          summaries.find(({ scope }) => scope === "session")?.time ??
          (isEnded && (await lastOf(session, ctx)));
        if (ended === undefined && memory.length === 0) return;
        await inTurn(ctx.state, async () => {
          const folder = memoryFolder(ctx.state.folder);
          await takeOver(folder, ctx);
          warnOf(await addToFiles(folder, memory), ctx);
          const { looked } = ctx.state;
          if (ended !== undefined) await keepEnded({ session, folder, looked }, ended, ctx);
        });
      },
    },
    amended: ({ kind, record }, ctx) =>
      inTurn(ctx.state, async () => {
        if (kind !== "memory") return;
        const folder = memoryFolder(ctx.state.folder);
        await takeOver(folder, ctx);
        warnOf(await renewInFiles(folder, record), ctx);
        ctx.state.stamp = await folder.stamp(names);
      }),
    forgotten: ({ ids, sessions = [] }, ctx) =>
      inTurn(ctx.state, async () => {
        const folder = memoryFolder(ctx.state.folder);
        await takeOver(folder, ctx);
        const gone = new Set(ids);
        const { contents, broken } = await removeFromFiles(folder, gone);
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

/** When a session was last at work, in epoch ms. */
async function lastOf(session: string, { storage, now }: Pick<PluginContext, "storage" | "now">) {
  const [found] = await storage.sessions({ session, limit: 1 });
  return found?.id === session ? found.lastActiveAt : now();
}

/** Files that a person may have changed. */
const names = kinds.map(fileOf);

/** Takes over what a person changed since; what cannot be read is said to them, once for each change. */
async function compare(ctx: Call): Promise<Reply | undefined> {
  const folder = memoryFolder(ctx.state.folder);
  if ((await folder.stamp(names)) === ctx.state.stamp) return undefined;
  let taken: Broken = { broken: [], withholds: true };
  await inTurn(ctx.state, async () => {
    taken = await takeOver(folder, ctx);
  });
  const { broken, withholds } = taken;
  if (broken.length === 0) return undefined;
  const files = broken.map((name) => join(ctx.state.folder, name)).join(", ");
  const counts = withholds
    ? "what it said before and says no more in the same words is not told until it is mended"
    : "what it said before counts until it is mended";
  return {
    systemMessage: `memoir cannot read ${files}: it is no JSON list. The file stays as it is, and ${counts}.`,
  };
}

type Broken = Pick<Taken, "broken" | "withholds">;

/** Answers the files that could not be read. A failing storage is asked again at the next event. */
async function takeOver(folder: MemoryFolder, { state, storage, log }: Call): Promise<Broken> {
  const none: Broken = { broken: [], withholds: true };
  const before = await folder.stamp(names);
  if (before === state.stamp) return none;
  try {
    const { broken, withholds, ...taken } = await takeEdits(folder, storage);
    state.stamp = await folder.stamp(names);
    if (taken.changed + taken.removed > 0) log.info("memory files were changed by hand", taken);
    if (broken.length > 0) warnOf(broken, { log });
    return { broken, withholds };
  } catch (error) {
    log.warn("changes in memory files could not be taken over yet", { error });
    return none;
  }
}

/** One after the other: they share files. */
function inTurn(state: State, work: () => Promise<void>): Promise<void> {
  state.last = state.last.then(work, work);
  return state.last;
}

async function keepEnded(
  { session, folder, looked }: Omit<Keeping, "history">,
  time: number,
  ctx: KeepContext,
): Promise<void> {
  const history = await openHistory(folder, time);
  const recent = await ctx.storage.sessions({ since: history.since, limit: lookedBack });
  const missed = recent.filter(
    ({ id, status, lastActiveAt }) =>
      id !== session && status === "ended" && lastActiveAt >= history.since && !history.has(id),
  );
  for (const id of [...missed.map((one) => one.id), session])
    await keepSession({ session: id, folder, history, looked }, ctx);
}

function warnOf(files: readonly string[], { log }: Pick<PluginContext, "log">): void {
  if (files.length > 0)
    log.warn("memory files that are no JSON lists were left as they are", { files });
}
