// Tells a starting session what earlier ones left behind: an index to be read at a glance.
import * as v from "valibot";
import { definePlugin, memoirCommand, type Reply } from "../../src/sdk/index.ts";
import { localClock } from "./clock.ts";
import { gatherMemory, type Memory } from "./memory.ts";
import { renderIndex } from "./render.ts";

const ConfigSchema = v.strictObject({
  maxCharacters: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1_000),
      v.maxValue(10_000),
      v.description("Longest index, in characters; the client takes no more than 10,000."),
    ),
    6_000,
  ),
  observations: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.maxValue(200),
      v.description("How many of the newest observations are looked at."),
    ),
    60,
  ),
});
type Config = v.InferOutput<typeof ConfigSchema>;

/** How the agent calls memoir. */
interface State {
  command: string;
}

export default definePlugin<Config, State>({
  name: "context-index",
  description: "Gives a starting session an index of what is remembered about its project.",
  sdk: 1,
  slot: "context-injection",
  config: ConfigSchema,
  start: async (ctx) => ({ command: await memoirCommand(ctx.home) }),
  hooks: {
    SessionStart: async (event, ctx): Promise<Reply | undefined> => {
      if (!event.project || event.agent) return undefined;
      const { session, source, project } = event;
      const memory = await gatherMemory(
        ctx.storage,
        { session, source, project },
        ctx.config.observations,
      );
      const context = renderIndex(memory, {
        maxCharacters: ctx.config.maxCharacters,
        clock: localClock,
        command: ctx.state.command,
        source,
      });
      return context === undefined ? undefined : { context, records: namedIn(context, memory) };
    },
  },
});

/** Ids of the memory that the text names. */
function namedIn(context: string, { observations, summaries, own }: Memory): string[] {
  const words = new Set(context.match(/[\w-]+/g));
  return [...observations, ...own.observations, ...summaries, ...own.summaries].flatMap(({ id }) =>
    words.has(id) ? [id] : [],
  );
}
