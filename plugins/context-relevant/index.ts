// Adds to a prompt what earlier sessions said about it; most prompts get nothing.
import * as v from "valibot";
import {
  definePlugin,
  memoirCommand,
  type Reply,
  type StorageClient,
  type Turn,
} from "../../src/sdk/index.ts";
import { createSaid, type Said } from "../../src/strategy/index.ts";
import { languageOf, localClock } from "../../src/text/index.ts";
import { passageOf } from "./passage.ts";
import { promising, relevantOf, type Weighed, weigh } from "./relevance.ts";
import { renderRelevant, shareOut, type Told } from "./render.ts";
import { type Source, sourcesOf, turnsOf, usersOwn } from "./sources.ts";
import { type TellsOf, tellsOf, wordsOf } from "./words.ts";

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
/** Turns whose prompt and closing message are looked at as well. */
const readTurns = 8;
/** Characters that the mark and the first line take, and what each record begins with. */
const frame = 200;
const heading = 40;

interface State {
  /** How the agent calls memoir. */
  command: string;
  shown: Said;
}

export default definePlugin<Config, State>({
  name: "context-relevant",
  description: "Adds to a prompt what earlier sessions said about it, verbatim, with ids.",
  sdk: 1,
  slot: "context-injection",
  config: ConfigSchema,
  start: async (ctx) => ({
    command: await memoirCommand(ctx.home),
    shown: createSaid(),
  }),
  hooks: {
    SessionStart: (event, ctx) => {
      if (event.source === "compact" || event.source === "clear")
        ctx.state.shown.forget(event.session);
    },
    UserPromptSubmit: async (event, ctx): Promise<Reply | undefined> => {
      const { session, project, prompt } = event;
      const { shown, command } = ctx.state;
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
      // What a newer observation superseded is history: found by search, not told as current.
      const others = results.filter(
        (result) => result.session !== session && result.supersededBy === undefined,
      );
      const isNew = (id: string) => !shown.has(session, id);
      const { told, asked } = await read(weigh(words, others), isNew, ctx.storage, ctx.config);
      const { maxCharacters } = ctx.config;
      const language = languageOf([prompt.slice(0, searched), ...asked]);
      const rendered = renderRelevant(told, {
        maxCharacters,
        command,
        language,
        day: localClock.day,
      });
      if (!rendered || ctx.signal.aborted) return undefined;
      shown.add(session, rendered.ids);
      return { context: rendered.context, records: rendered.ids };
    },
  },
});

/** The best of what belongs to the prompt, each with as much room as it says of the prompt; and what was asked then. */
async function read(
  weighed: Weighed,
  isNew: (id: string) => boolean,
  storage: StorageClient,
  { maxObservations, maxCharacters }: Config,
): Promise<{ told: Told[]; asked: string[] }> {
  const turns = await turnsOf(promising(weighed).slice(0, readTurns), storage);
  const relevant = relevantOf(weighed, turns);
  const tells = tellsOf(weighed.words);
  const options = { most: maxObservations, isNew, tells };
  const sources = await sourcesOf(relevant, turns, storage, options);
  const own = await usersOwn(sources, storage);
  const room = maxCharacters - frame - heading * sources.length;
  return {
    told: shareOut(sources, room, (source, most) => {
      const written = writeSource(source, most, tells);
      if (own.has(source.result.id)) written.told.by = "user";
      return written;
    }),
    asked: sources.flatMap(({ turn }) => (turn ? askedIn(turn) : [])),
  };
}

function writeSource({ result, turn }: Source, room: number, tells: TellsOf) {
  const passage = passageOf(result, turn, room, tells);
  const told: Told = { id: result.id, time: result.createdAt, ...passage };
  return { told, length: passage.text.length + (passage.closing?.length ?? 0) };
}

function askedIn({ pieces }: Turn): string[] {
  return pieces.flatMap(({ kind, text }) => (kind === "prompt" ? text.slice(0, searched) : []));
}
