// Tells a starting session where things stand: a handover note from earlier sessions.
import * as v from "valibot";
import { definePlugin, memoirCommand, type Reply } from "../../src/sdk/index.ts";
import { localClock } from "../../src/text/index.ts";
import { gather } from "./gather.ts";
import { renderHandover } from "./render.ts";

const ConfigSchema = v.strictObject({
  maxCharacters: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1_000),
      v.maxValue(10_000),
      v.description("Longest note, in characters; the client takes no more than 10,000."),
    ),
    6_000,
  ),
});
type Config = v.InferOutput<typeof ConfigSchema>;

/** How many of the newest observations are looked at. */
const lookedAt = 60;

/** How the agent calls memoir. */
interface State {
  command: string;
}

export default definePlugin<Config, State>({
  name: "context-handover",
  description:
    "Gives a starting session a handover note: where things stand, what is open, what was decided.",
  sdk: 1,
  slot: "context-injection",
  config: ConfigSchema,
  start: async (ctx) => ({ command: await memoirCommand(ctx.home) }),
  hooks: {
    SessionStart: async (event, ctx): Promise<Reply | undefined> => {
      if (!event.project || event.agent) return undefined;
      const { session, source, project } = event;
      const material = await gather(ctx.storage, { session, source, project }, lookedAt);
      const note = renderHandover(material, {
        maxCharacters: ctx.config.maxCharacters,
        clock: localClock,
        command: ctx.state.command,
        source,
      });
      return note && { context: note.context, records: note.ids, traces: note.traces };
    },
  },
});
