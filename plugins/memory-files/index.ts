// Built-in plugin `memory-files`: what a finished session settled, kept as memory items and in files a person can read.
import { stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import * as v from "valibot";
import { definePlugin, type PluginContext, type Reply } from "../../src/sdk/index.ts";
import { findMore, type Keeping, keepFound, keepSession } from "./keep.ts";
import {
  fileOf,
  kinds,
  memoryFolder,
  noteForgotten,
  openHistory,
  updateFiles,
} from "./memory-folder.ts";
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
    return { path, folder, readings: new Map(), last: Promise.resolve(), stamp: "" };
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
          warnOf((await updateFiles(state.folder, memory)).broken, ctx);
          return hasMore ? keepSession(session, state, ctx) : undefined;
        });
        // A session that starts meanwhile waits for the files, never for a model.
        const found = kept ? await findMore(kept, ctx) : [];
        if (kept && found.length > 0) await queued(ctx, () => keepFound(found, kept, state, ctx));
      },
    },
    amended: async ({ kind, record }, ctx) => {
      const { state } = ctx;
      if (kind === "turn" || kind === "session") state.readings.clear();
      if (kind !== "memory") return;
      await queued(ctx, async () => {
        warnOf((await updateFiles(state.folder, [record])).broken, ctx);
        state.stamp = await stampOf(state);
      });
    },
    forgotten: ({ ids, sessions = [] }, ctx) =>
      queued(ctx, async () => {
        const { folder, readings } = ctx.state;
        readings.clear();
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
    systemMessage: `memoir cannot read ${files}: it is no JSON list. The file stays as it is, and ${counts}.`,
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
