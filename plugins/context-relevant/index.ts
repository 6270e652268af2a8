// Adds to a prompt what earlier sessions said about it; most prompts get nothing.
import * as v from "valibot";
import {
  definePlugin,
  memoirCommand,
  type Reply,
  type StorageClient,
} from "../../src/sdk/index.ts";
import { passageOf } from "./passage.ts";
import { type Relevant, relevantOf, wordsOf } from "./relevance.ts";
import { renderRelevant, type Told } from "./render.ts";
import { createShown, type Shown } from "./shown.ts";

const ConfigSchema = v.strictObject({
  maxObservations: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.maxValue(10),
      v.description("Most records added to one prompt."),
    ),
    4,
  ),
  maxCharacters: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(400),
      v.maxValue(5_000),
      v.description("Longest text added to one prompt, in characters."),
    ),
    1_500,
  ),
});
type Config = v.InferOutput<typeof ConfigSchema>;

/** How many results are looked at, and characters of a prompt that are searched for. */
const looked = 30;
const searched = 4_000;
/** Characters that the mark and the first line take, and what each record begins with. */
const frame = 200;
const heading = 40;

interface State {
  /** How the agent calls memoir. */
  command: string;
  shown: Shown;
}

/** `2026-11-20`, in the machine's time zone. */
function day(time: number): string {
  const date = new Date(time);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

export default definePlugin<Config, State>({
  name: "context-relevant",
  description: "Adds to a prompt what earlier sessions said about it, verbatim, with ids.",
  sdk: 1,
  slot: "context-injection",
  config: ConfigSchema,
  start: async (ctx) => ({
    command: await memoirCommand(ctx.home),
    shown: createShown(),
  }),
  hooks: {
    SessionStart: (event, ctx) => {
      if (event.source === "compact" || event.source === "clear")
        ctx.state.shown.forget(event.session);
    },
    UserPromptSubmit: async (event, ctx): Promise<Reply | undefined> => {
      const { session, project, prompt } = event;
      if (!project || event.agent || event.withheld) return undefined;
      const words = wordsOf(prompt);
      if (!words) return undefined;
      const results = await ctx.storage.search({
        text: prompt.slice(0, searched),
        project: project.id,
        by: "record",
        explain: true,
        swift: true,
        limit: looked,
      });
      const { shown, command } = ctx.state;
      const fresh = relevantOf(words, results).filter(
        ({ result }) => result.session !== session && !shown.has(session, result.id),
      );
      if (fresh.length === 0) return undefined;
      const { maxObservations, maxCharacters } = ctx.config;
      const told = await read(fresh, ctx.storage, maxObservations, maxCharacters);
      const rendered = renderRelevant(told, { maxCharacters, command, day });
      if (!rendered || ctx.signal.aborted) return undefined;
      shown.add(session, rendered.ids);
      return { context: rendered.context, records: rendered.ids };
    },
  },
});

/** Turns and standing items first; what was derived from a turn is told where the turn itself is not known. */
async function read(
  relevant: readonly Relevant[],
  storage: StorageClient,
  most: number,
  maxCharacters: number,
): Promise<Told[]> {
  const isSource = ({ result }: Relevant) => result.kind === "turn" || result.kind === "memory";
  const placeOf = ({ result }: Relevant) => `${result.session} ${result.promptNumber}`;
  const sources = relevant.filter(isSource);
  const places = new Set(sources.map(placeOf));
  const rest = relevant.filter((one) => !isSource(one) && !places.has(placeOf(one)));
  const chosen = [...sources, ...rest].slice(0, most).map(({ result }) => result);
  const ids = chosen.flatMap(({ kind, id }) => (kind === "turn" ? id : []));
  const records = ids.length === 0 ? [] : await storage.get({ ids });
  const turns = new Map(
    records.flatMap(({ kind, record }) => (kind === "turn" ? [[record.id, record] as const] : [])),
  );
  const room = Math.max(650, Math.floor((maxCharacters - frame) / chosen.length)) - heading;
  return chosen.map((result) => ({
    id: result.id,
    time: result.createdAt,
    ...passageOf(result, turns.get(result.id), room),
  }));
}
