// Finds the earlier sessions that worked on what a session's first prompt is about: rare words and names of the prompt stand in what they changed. Pure.
import type { SearchResult, Turn } from "../../src/sdk/index.ts";
import { askedOf, handedPlan, headingOf, nameWords } from "../../src/text/index.ts";
import { saidIn } from "./passage.ts";
import { namesIn, type Relevant, type Word, wordsIn, wordsOf } from "./relevance.ts";

/** What a first prompt is about. */
export interface Topic {
  /** The title of its plan, or how it begins. */
  text: string;
  /** The names of code that it has most. */
  names: readonly string[];
  words: ReadonlyArray<{ word: Word; weight: number }>;
  isPlan: boolean;
}

/** Characters that say what a prompt is about. */
const read = 400;
/** A plan's title says in few words what all of it is about; a word of a request may be any. */
const weights = { title: 1.5, name: 1, word: 0.3 };

/** Undefined for a prompt that carries out no plan and names nothing: its words alone tell no session from another. */
export function topicOf(prompt: string): Topic | undefined {
  const text = askedOf(prompt).slice(0, read);
  const names = namesIn(prompt);
  const isPlan = handedPlan(prompt) !== undefined;
  const own = wordsOf(text, 1) ?? [];
  const other = names.filter(({ bare }) => !own.some((one) => one.bare === bare));
  const words = [
    ...own.map((word) => ({
      word,
      weight: isPlan ? weights.title : word.isName ? weights.name : weights.word,
    })),
    ...other.map((word) => ({ word, weight: weights.name })),
  ];
  if (words.length === 0 || !(isPlan || words.some(({ word }) => word.isName))) return undefined;
  return { text, names: names.map(({ written = "" }) => written), words, isPlan };
}

/** The names that a turn changed. */
function changedIn(turn: Turn | undefined): string[] {
  return (turn?.files ?? []).flatMap(({ path, changed, symbols = [] }) =>
    changed ? [...path.split("/").slice(-2), ...symbols] : [],
  );
}

/** The words of what a turn laid hands on: the names that it changed, what it committed, its plan. */
function workedOn(turn: Turn): string {
  const titles = turn.pieces.flatMap(({ kind, text }) => {
    if (kind === "commit" || kind === "published") return text.split("\n", 1);
    const plan = kind === "plan" ? text : kind === "prompt" ? handedPlan(text)?.plan : undefined;
    return plan === undefined ? [] : [headingOf(plan)];
  });
  const names = changedIn(turn).map((name) => `${name} ${nameWords(name)}`);
  return [...names, ...titles].join("\n").replace(/[_/.-]+/g, " ");
}

/** A word that more of the sessions have is of the project, or of the language. */
const fewSessions = { least: 3, share: 0.12 };
/** Of fewer sessions nobody can tell what is rare. */
const leastSessions = 5;

/** How telling a word is: 1 where one session has it, 0 where too many have. */
export function rarityIn(turns: Iterable<Turn>): (word: Word) => number {
  const sessions = [...Map.groupBy(turns, ({ session }) => session).values()].map((all) =>
    wordsIn(all.flatMap((turn) => [...saidIn(turn), workedOn(turn)]).join("\n")),
  );
  const few = Math.max(fewSessions.least, sessions.length * fewSessions.share);
  return (word) => {
    if (!word.isName && sessions.length < leastSessions) return 0;
    const count = sessions.filter((has) => has(word)).length;
    return count > few ? 0 : 1 / Math.sqrt(Math.max(1, count));
  };
}

/** What a session shares with the prompt at least: with a plan's title, or names of another prompt. */
const enough = { title: 0.9, titleWords: 2, names: 1.3 };
/** Of the sessions those that share as much of what the best one shares. */
const nearBest = 0.6;
const mostSessions = 2;
/** How much of a session's worth depends on how much else it changed: who changes much hits any name. */
const byLength = 0.3;
/** The search knows more than the words: a session at the tenth place counts half. */
const halfAt = 10;

/** The turns of the sessions that worked on the topic, the nearest session first; `results` are a search for it. */
export function aboutTopic(
  { words, isPlan }: Topic,
  results: readonly SearchResult[],
  turns: ReadonlyMap<string, Turn>,
): Relevant[] {
  const rarity = rarityIn(turns.values());
  const telling = words
    .map(({ word, weight }) => ({ word, weight, worth: weight * rarity(word) }))
    .filter(({ worth }) => worth > 0);
  const shares = new Map(
    results.map((result) => {
      const turn = turns.get(result.id);
      // What a person laid down is about the words that it says.
      const said = result.kind === "memory" ? `${result.title}\n${result.excerpt ?? ""}` : "";
      const isIn = wordsIn(turn ? workedOn(turn) : said);
      const isChanged = wordsIn(turn ? changedIn(turn).join("\n") : said);
      const has = ({ word }: { word: Word }) => (word.isName ? isChanged(word) : isIn(word));
      return [result.id, new Set(telling.filter(has))] as const;
    }),
  );
  const worthOf = (shared: Iterable<{ worth: number }>) =>
    [...shared].reduce((sum, { worth }) => sum + worth, 0);
  const sessions = [...Map.groupBy(results, ({ session }) => session).values()].map((all) => ({
    all,
    changed: new Set(all.flatMap(({ id }) => changedIn(turns.get(id)))).size,
  }));
  const usual = sessions.reduce((sum, { changed }) => sum + changed, 0) / sessions.length || 1;
  const ranked = sessions
    .map(({ all, changed }, at) => {
      const own = all
        .map((result) => ({ result, shared: shares.get(result.id) ?? new Set<never>() }))
        .filter(({ shared }) => shared.size > 0)
        .sort((one, other) => worthOf(other.shared) - worthOf(one.shared));
      const shared = new Set(own.flatMap((one) => [...one.shared]));
      return {
        own,
        worth: worthOf(shared) / (1 + at / halfAt) / (1 - byLength + (byLength * changed) / usual),
        shared,
      };
    })
    .sort((one, other) => other.worth - one.worth);
  // A name that another session changed too leads to neither.
  const isOwn = ({ word, weight, worth }: (typeof telling)[number]) =>
    word.isName && worth === weight;
  const ofTitle = (all: Iterable<(typeof telling)[number]>) =>
    [...all].filter(({ weight }) => weight === weights.title).length;
  // One word of several that are known here is shared by chance.
  const known = new Set(ranked.flatMap(({ shared }) => [...shared]));
  const leastOfTitle = Math.max(1, Math.min(enough.titleWords, ofTitle(known)));
  const isAbout = ({ worth, shared }: (typeof ranked)[number]) =>
    isPlan
      ? worth >= enough.title && ofTitle(shared) >= leastOfTitle
      : worth >= enough.names && [...shared].some(isOwn);
  const least = (ranked[0]?.worth ?? 0) * nearBest;
  return ranked
    .filter((one) => isAbout(one) && one.worth >= least)
    .slice(0, mostSessions)
    .flatMap(({ own, worth }) => own.map(({ result }) => ({ result, coverage: worth })));
}
