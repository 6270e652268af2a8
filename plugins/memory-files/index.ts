// Built-in plugin `memory-files`: what a finished session settled, kept as memory items and in files a person can read.
import { isAbsolute, join } from "node:path";
import * as v from "valibot";
import { definePlugin } from "../../src/sdk/index.ts";
import { openHistory } from "./history.ts";
import { keepSession } from "./keep-session.ts";
import { memoryFolder } from "./memory-folder.ts";

const ConfigSchema = v.strictObject({
  path: v.optional(
    v.pipe(
      v.string(),
      v.nonEmpty(),
      v.description("Folder of the files; relative to memoir's home."),
    ),
    "memory",
  ),
  minPrompts: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.maxValue(100),
      v.description("Sessions with fewer prompts are left out."),
    ),
    1,
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
  }),
  hooks: {
    stored: {
      deadlineMs: 5 * 60_000,
      async handler({ session, summaries }, ctx) {
        const ended = summaries.find(({ scope }) => scope === "session");
        if (!ended) return;
        const keep = async () => {
          const folder = memoryFolder(ctx.state.folder);
          const history = await openHistory(folder, ended.time);
          const recent = await ctx.storage.sessions({ since: history.since, limit: lookedBack });
          const missed = recent.filter(
            ({ id, status, lastActiveAt }) =>
              id !== session &&
              status === "ended" &&
              lastActiveAt >= history.since &&
              !history.has(id),
          );
          for (const id of [...missed.map((one) => one.id), session])
            await keepSession({ session: id, folder, history }, ctx);
        };
        ctx.state.last = ctx.state.last.then(keep, keep);
        await ctx.state.last;
      },
    },
  },
});
