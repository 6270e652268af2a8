// Adds to a prompt the few observations that clearly belong to it; most prompts get nothing.
import * as v from "valibot";
import { definePlugin, memoirCommand, type Reply } from "../../src/sdk/index.ts";
import { relevantOf, searchText, telling } from "./relevance.ts";
import { renderRelevant } from "./render.ts";
import { createShown, type Shown } from "./shown.ts";
import { createVocabulary, type Vocabulary } from "./vocabulary.ts";

const ConfigSchema = v.strictObject({
  maxObservations: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.maxValue(10),
      v.description("Most observations added to one prompt."),
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

/** How many results are looked at. */
const looked = 30;
/** How many observations tell which words are common in a project. */
const counted = 200;

interface State {
  /** How the agent calls memoir. */
  command: string;
  shown: Shown;
  vocabulary: Vocabulary;
}

/** `2026-11-20`, in the machine's time zone. */
function day(time: number): string {
  const date = new Date(time);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

export default definePlugin<Config, State>({
  name: "context-relevant",
  description: "Adds to a prompt the few remembered observations that clearly belong to it.",
  sdk: 1,
  slot: "context-injection",
  config: ConfigSchema,
  start: async (ctx) => ({
    command: await memoirCommand(ctx.home),
    shown: createShown(),
    vocabulary: createVocabulary(
      (project) => ctx.storage.observations({ project, limit: counted }),
      () => ctx.now(),
    ),
  }),
  hooks: {
    SessionStart: (event, ctx) => {
      if (event.source === "compact" || event.source === "clear")
        ctx.state.shown.forget(event.session);
    },
    UserPromptSubmit: async (event, ctx): Promise<Reply | undefined> => {
      const { session, project, prompt } = event;
      if (!project || event.agent || event.withheld) return undefined;
      const terms = telling(prompt);
      if (!terms) return undefined;
      const results = await ctx.storage.search({
        text: searchText(terms),
        project: project.id,
        kinds: ["observation"],
        limit: looked,
      });
      const fresh = results.filter(
        (result) => result.session !== session && !ctx.state.shown.has(session, result.id),
      );
      if (fresh.length === 0) return undefined;
      const rarity = await ctx.state.vocabulary.of(project.id);
      const relevant = relevantOf(terms, fresh, rarity).slice(0, ctx.config.maxObservations);
      const { maxCharacters } = ctx.config;
      const { command } = ctx.state;
      const rendered = renderRelevant(relevant, { maxCharacters, command, day });
      if (!rendered || ctx.signal.aborted) return undefined;
      ctx.state.shown.add(session, rendered.ids);
      return { context: rendered.context, records: rendered.ids };
    },
  },
});
