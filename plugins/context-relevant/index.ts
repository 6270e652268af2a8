// Adds to a prompt what an earlier session came to about its subject; most prompts get nothing.
import * as v from "valibot";
import { wrapContext } from "../../src/privacy/index.ts";
import type { MemoryItem, Place, SearchResult } from "../../src/sdk/index.ts";
import {
  definePlugin,
  memoirCommand,
  type Reply,
  type StorageClient,
  type Turn,
} from "../../src/sdk/index.ts";
import {
  createSaid,
  makerOf,
  outcomeOf,
  type Said,
  type Uses,
  usesOf,
} from "../../src/strategy/index.ts";
import type { Language } from "../../src/text/index.ts";
import { asQuoted, cut, languageOf, localClock, oneLine, toBmp } from "../../src/text/index.ts";
import { type Answer, answerOf, holdsIn, newsTo, saidIn } from "./passage.ts";
import type { Relevant, Subject, Word } from "./relevance.ts";
import { namesOf, relevantOf, standingOf, talkIn, weigh, wordsIn, wordsOf } from "./relevance.ts";
import { aboutTopic, rarityIn, topicOf } from "./topic.ts";

// What results are shown by: turns and standing items by themselves, what was derived by the turn that it quotes.

/** Something to show, best first; without a turn it is shown by what the search shows. */
interface Source {
  result: SearchResult;
  turn?: Turn;
  /** Who did or said it, elsewhere. */
  who?: string;
}

/** Turns of one session that are looked through for what a summary of it quotes. */
const mostTurns = 30;
/** So much of a quotation finds its place. */
const quoted = 60;

/** The turns among these results, by id. */
export async function turnsOf(
  results: readonly SearchResult[],
  storage: StorageClient,
): Promise<Map<string, Turn>> {
  const ids = results.flatMap(({ kind, id }) => (kind === "turn" ? id : []));
  const records = ids.length === 0 ? [] : await storage.get({ ids });
  return new Map(
    records.flatMap(({ kind, record }) => (kind === "turn" ? [[record.id, record] as const] : [])),
  );
}

/**
 * The first `most` different sources that are new: turns and standing items in their order, then what only derived
 * records lead to; a session by itself is only a label.
 */
export async function sourcesOf(
  relevant: readonly Relevant[],
  turns: ReadonlyMap<string, Turn>,
  storage: StorageClient,
  { most, isNew, oneEach }: { most: number; isNew: (id: string) => boolean; oneEach: boolean },
): Promise<Source[]> {
  const sources = new Map<string, Source>();
  const isSource = ({ result }: Relevant) => result.kind === "turn" || result.kind === "memory";
  for (const { result } of [...relevant.filter(isSource), ...relevant]) {
    if (sources.size >= most) break;
    if (result.kind === "session" || sources.has(result.id)) continue;
    const turn = turns.get(result.id) ?? (await quotedTurn(result, storage));
    const id = turn?.id ?? result.id;
    if (sources.has(id) || !isNew(id)) continue;
    if (oneEach && [...sources.values()].some((one) => one.result.session === result.session))
      continue;
    const item = result.kind === "memory" ? await laidDown(id, storage) : undefined;
    if (result.kind === "memory" && !item) continue;
    const at = turn && result.kind !== "turn" ? placeIn(turn, result.excerpt ?? "") : result.piece;
    const { piece: _, ...rest } = result;
    const [who] = makerOf(turn ?? item ?? {});
    sources.set(id, {
      result: { ...rest, id, ...(at === undefined ? {} : { piece: at }) },
      ...(turn && { turn }),
      ...(who && { who }),
    });
  }
  return [...sources.values()];
}

/** What a person laid down or wrote: a suggestion waits until they confirm it. */
async function laidDown(id: string, storage: StorageClient): Promise<MemoryItem | undefined> {
  const [stored] = await storage.get({ ids: [id] });
  if (stored?.kind !== "memory") return undefined;
  const { state, edited } = stored.record;
  return state === "standing" || edited !== undefined ? stored.record : undefined;
}

/** The turn itself where it was not read yet, or the one that a derived record quotes. */
async function quotedTurn(
  { kind, id, session, excerpt = "" }: SearchResult,
  storage: StorageClient,
): Promise<Turn | undefined> {
  const [stored] = kind === "memory" ? [] : await storage.get({ ids: [id] });
  if (stored?.kind === "turn") return stored.record;
  if (stored?.kind !== "observation" && stored?.kind !== "summary") return undefined;
  // The user's own words stand for themselves.
  if (stored.record.edited) return undefined;
  const numbers = new Set(turnsIn(stored.record.evidence ?? [], session));
  const [only] = numbers;
  if (only === undefined) return undefined;
  const turns = await storage.turns(
    numbers.size === 1 ? { session, promptNumber: only } : { session, limit: mostTurns },
  );
  const named = turns.filter(({ promptNumber }) => numbers.has(promptNumber));
  const source = named.find((turn) => placeIn(turn, excerpt) !== undefined);
  if (source) return source;
  return named[0];
}

/** Numbers of the session's turns among places. */
function turnsIn(places: readonly Place[], session: string): number[] {
  return places.flatMap((place) => ((place.session ?? session) === session ? place.turn : []));
}

/** The piece that a quotation stands in; undefined where it stands in none. */
function placeIn({ pieces }: Turn, excerpt: string): number | undefined {
  const words = plain(excerpt).slice(0, quoted);
  const at = words === "" ? -1 : pieces.findIndex(({ text }) => plain(text).includes(words));
  return at < 0 ? undefined : at;
}

/** Only letters and digits: what was derived is written without marks. */
function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

// Writes what belongs to a prompt in a few lines. Pure.

/** A record to show. */
interface Shown extends Answer {
  id: string;
  /** Epoch ms. */
  time: number;
  /** Who did it, elsewhere, and the other branch it was done on. */
  where?: readonly string[];
}

/** How the notes are written. */
interface NotesOptions {
  /** UTF-16 units, the mark included. */
  maxCharacters: number;
  /** How the agent calls memoir in a shell. */
  command: string;
  language: Language;
  /** Writes epoch ms as a day. */
  day(time: number): string;
}

/** Less than this of a record says nothing. */
const least = 60;

/** The lines that fit, and the ids of what they show; undefined when nothing fits. */
export function renderRelevant(
  shown: readonly Shown[],
  { maxCharacters, command, language, day }: NotesOptions,
): { context: string; ids: string[] } | undefined {
  const intro = intros[language].replace("{command}", () => command);
  const wrap = (lines: readonly string[]) =>
    wrapContext([intro, ...lines].join("\n"), { source: "prompt" });
  const lines: string[] = [];
  const ids: string[] = [];
  for (const { id, time, where = [], title, quotes } of shown) {
    const name = fit(title, longestTitle);
    const head = `- ${[id, day(time), ...where.map((one) => fit(one, longestWhere))].join(" · ")}:${name === "" ? "" : ` ${name}`}`;
    const room = () => maxCharacters - wrap([...lines, line]).length - 4;
    let line = head;
    for (const quote of quotes)
      if (room() >= Math.min(least, quote.length)) line += ` “${fit(quote, room())}”`;
    if (line === head) break;
    lines.push(line);
    ids.push(id);
  }
  return lines.length === 0 ? undefined : { context: wrap(lines), ids };
}

function fit(text: string, most: number): string {
  return cut(oneLine(toBmp(asQuoted(text))), most);
}

// The first line of what a prompt gets, by language. The rest is quoted as it was said.

/** `{command}`: how memoir is called in a shell. */
export const intros: Readonly<Record<Language, string>> = {
  en: "From earlier sessions, as it was said then; check before use. `{command} show <id>` shows all of it.",
  de: "Aus früheren Sitzungen, wie es damals gesagt wurde; vor Gebrauch zu prüfen. `{command} show <id>` zeigt alles.",
  fr: "De sessions précédentes, comme c’était dit alors ; à vérifier avant usage. `{command} show <id>` montre tout.",
  es: "De sesiones anteriores, como se dijo entonces; compruébalo antes de usarlo. `{command} show <id>` lo muestra todo.",
  pt: "De sessões anteriores, como foi dito então; verifique antes de usar. `{command} show <id>` mostra tudo.",
  it: "Da sessioni precedenti, come fu detto allora; da verificare prima dell’uso. `{command} show <id>` mostra tutto.",
  nl: "Uit eerdere sessies, zoals het toen gezegd werd; ga het na voor gebruik. `{command} show <id>` toont alles.",
  ru: "Из прежних сессий, как было сказано тогда; проверьте перед использованием. `{command} show <id>` покажет всё.",
  ar: "من جلسات سابقة، كما قيل حينها؛ تحقق قبل الاستعمال. `{command} show <id>` يعرض كل شيء.",
  ja: "以前のセッションから、当時の言葉のまま。使う前に確認すること。`{command} show <id>` で全文。",
  zh: "来自以前的会话，为当时原话；使用前请核对。`{command} show <id>` 显示全文。",
  ko: "이전 세션에서 당시에 한 말 그대로. 쓰기 전에 확인할 것. `{command} show <id>`로 모두 봄.",
};

const ConfigSchema = v.strictObject({
  maxCharacters: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(400),
      v.maxValue(5_000),
      v.description("Longest text added to one prompt, in characters."),
    ),
    1_800,
  ),
});
type Config = v.InferOutput<typeof ConfigSchema>;

/** Most records added to one prompt. */
const mostRecords = { question: 3, other: 2 };
const longestTitle = 100;
const longestWhere = 60;
/** Characters of each record's quotations. */
const answerRoom = { question: 650, other: 280 };
/** How many results are looked at, and characters of a prompt that are searched for. */
const looked = { records: 30, topic: 60 };
const searched = 400;
/** Earlier prompts of the project whose words are how people ask there. */
const readPrompts = 200;
/** Earlier turns of the session itself whose words are no news. */
const ownTurns = 30;
/** Characters of a closing message that say what its turn came to. */
const aboutClosing = 700;

interface State {
  /** How the agent calls memoir. */
  command: string;
  shown: Said;
  uses: Uses;
}

export default definePlugin<Config, State>({
  name: "context-relevant",
  description: "Adds to a prompt what an earlier session came to about its subject, with ids.",
  sdk: 1,
  slot: "context-injection",
  config: ConfigSchema,
  start: async (ctx) => ({
    command: await memoirCommand(ctx.home),
    shown: createSaid(),
    uses: await usesOf(ctx.home),
  }),
  hooks: {
    SessionStart: (event, ctx) => {
      if (event.source === "compact" || event.source === "clear")
        ctx.state.shown.forget(event.session);
    },
    UserPromptSubmit: async (event, ctx): Promise<Reply | undefined> => {
      const { session, project, prompt } = event;
      const { shown, uses, command } = ctx.state;
      if (!project || event.agent || event.withheld) return undefined;
      const words = wordsOf(prompt);
      if (!words) return undefined;
      const names = namesOf(prompt);
      const own = await ctx.storage.turns({ session, limit: ownTurns });
      const standing = standingOf(prompt, own.length === 0);
      // Whoever is at work has what the work takes; only a question may want what is elsewhere.
      if (standing === "other" && own.length > 0) return undefined;
      const topic = own.length === 0 ? topicOf(prompt) : undefined;
      const asked = await ctx.storage.prompts({ project: project.id, limit: readPrompts });
      const isTalk = talkIn(asked.filter((one) => one.session !== session));
      const searchFor = async (query: { text: string; also?: string[]; limit: number }) => {
        const results = await ctx.storage.search({
          ...query,
          ...{ project: project.id, by: "record", explain: true, swift: true },
        });
        // What a newer observation superseded is history: found by search, not shown as current.
        return results.filter(
          (result) => result.session !== session && result.supersededBy === undefined,
        );
      };
      const others = await searchFor({
        text: prompt.slice(0, searched),
        ...(standing === "other" && namedAlso(names)),
        limit: looked.records,
      });
      const weighed = weigh(words, others, wordsIn(own.flatMap(saidIn).join("\n")), isTalk);
      const turns = await turnsOf(
        others.filter(({ kind }) => kind === "turn"),
        ctx.storage,
      );
      const subjects = new Map(others.map((one) => [one.id, subjectOf(one, turns.get(one.id))]));
      const isQuestion = standing === "question" || standing === "asked";
      // A start names a record in a line: what answers a question, or is about a first prompt, is more.
      const wasShown = (id: string) =>
        isQuestion || topic !== undefined
          ? uses
              .all()
              .some(
                (one) => one.kind !== "start" && one.session === session && one.ids.includes(id),
              )
          : uses.wasShown(session, id);
      const isNew = (id: string) =>
        !shown.has(session, id) && !wasShown(id) && !uses.rests(project.id, id);
      const most = isQuestion ? mostRecords.question : mostRecords.other;
      const options = { most, isNew, oneEach: !isQuestion };
      const near = topic
        ? await searchFor({ text: topic.text, ...namedAlso(topic.names), limit: looked.topic })
        : [];
      const nearTurns = await turnsOf(near, ctx.storage);
      const about = topic ? aboutTopic(topic, near, nearTurns) : [];
      const known = relevantOf(weighed, subjects, standing);
      const relevant = [...known, ...about];
      const sources = await sourcesOf(relevant, turns, ctx.storage, options);
      const room = isQuestion ? answerRoom.question : answerRoom.other;
      const rarity = rarityIn([...turns.values(), ...nearTurns.values()]);
      const isFew = (word: Word) => rarity(word) > 0 && !isTalk(word);
      const holds = holdsIn(prompt, weighed.words, isFew);
      const isNews = newsTo(prompt);
      const told = sources.flatMap(({ result, turn, who }) => {
        const answer = answerOf(result, turn, room, isQuestion);
        const passage = [answer.title, ...answer.quotes].join("\n");
        // What a person laid down holds, however much of it was asked.
        const tells = holds(passage) && (result.kind === "memory" || isNews(passage));
        const where = [...(who ? [who] : []), ...elsewhere(turn, project.branch)];
        return tells ? [{ id: result.id, time: result.createdAt, where, ...answer }] : [];
      });
      const rendered = renderRelevant(told, {
        maxCharacters: ctx.config.maxCharacters,
        command,
        language: languageOf([prompt.slice(0, searched), ...sources.flatMap(askedIn)]),
        day: localClock.day,
      });
      if (!rendered || ctx.signal.aborted) return undefined;
      shown.add(session, rendered.ids);
      return { context: rendered.context, records: rendered.ids };
    },
  },
});

/** The branch of a turn where that is another one: what was found there need not hold here. */
function elsewhere(turn: Turn | undefined, branch: string | undefined): string[] {
  const done = turn?.branch;
  return done === undefined || branch === undefined || done === branch ? [] : [done];
}

/** Names are searched for beside the text that they stand in. */
function namedAlso(names: readonly string[]): { also?: string[] } {
  return names.length > 0 ? { also: [names.join(" ")] } : {};
}

/** What a record came to. What was asked then is no subject: one asks for all things in the same words. */
function subjectOf({ title, subtitle }: SearchResult, turn: Turn | undefined): Subject {
  if (!turn) return { came: "", about: `${title}\n${subtitle}`, touched: "" };
  const outcome = outcomeOf(turn);
  const commits = turn.pieces.flatMap(({ kind, text }) =>
    kind === "commit" ? text.split("\n", 1) : [],
  );
  const closings = turn.pieces.flatMap(({ kind, text }) =>
    kind === "closing" ? text.slice(0, aboutClosing) : [],
  );
  const came = [outcome.basis === "asked" ? "" : outcome.came, outcome.said, ...commits].join("\n");
  const touched = turn.files.flatMap(({ path, symbols = [] }) => [path, ...symbols]).join("\n");
  return { came, about: [came, ...closings].join("\n"), touched };
}

function askedIn({ turn }: Source): string[] {
  return (turn?.pieces ?? []).flatMap(({ kind, text }) =>
    kind === "prompt" ? text.slice(0, searched) : [],
  );
}
