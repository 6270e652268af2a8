// Decides whether what a search found belongs to a prompt: by how much of what the prompt is about stands in one passage, and in its turn. Pure.
import type { SearchResult } from "../../src/sdk/index.ts";
import { stopWords, tellingWords, unspacedRange } from "../../src/text/index.ts";

// The words of a prompt that say what it is about, and whether they stand in a text. Pure.

/** A word of a prompt that says what it is about. */
export interface Word {
  /** Lower case, letters and digits only. */
  bare: string;
  /** A name as it was written, in lower case. */
  written?: string;
  /** Only code has it: `readFile`, `auth.ts`, `MODEL_NAME`. */
  isName: boolean;
}

/** Of a longer prompt its beginning says what it is about. */
const read = 400;
const mostWords = 40;
/** Names are read further on. */
const readForNames = 3_000;
/** Fewer words are about nothing: `try again`, `commit this`. */
const fewestWords = 3;

/** Letters that all forms of a word have in common, and what may stand behind them. */
const root = 4;
const longestEnding = 4;

const token = /(?<![\p{L}\p{N}-])(?:--)?[\p{L}\p{N}_$][\p{L}\p{N}_$'’./-]*/gu;
const address = /\b[a-z][a-z+.-]{1,12}:\/\/\S+|[\w.+-]{1,64}@\S+/gi;
const letter = /[\p{L}\p{N}]/u;
const inName = /[\p{L}\p{N}_]/u;
const wide = new RegExp(`[${unspacedRange}]+`, "g");
/** Particles and endings: what they are about stands before them. */
const grammar = /^\p{Script=Hiragana}/u;
const name =
  /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}{2}|\p{L}_\p{L}|[\p{L}\d]{2}\.\p{L}|\w\/\w|^--\p{L}|^\p{Lu}{2,}-\d+$/u;

/** What a prompt is about; undefined where it is about nothing: `ok`, `thanks`, `continue`. */
export function wordsOf(prompt: string, fewest = fewestWords): Word[] | undefined {
  const words = new Map<string, Word>();
  const text = prompt.slice(0, readForNames).replace(address, " ").slice(0, read);
  // Scripts without spaces are compared by pairs of characters.
  for (const bare of pairsOf(text))
    if (!grammar.test(bare)) words.set(bare, { bare, isName: false });
  for (const written of (text.replace(wide, " ").match(token) ?? []).flatMap(partsOf)) {
    const plain = written.replace(/[.'’/-]+$/, "").replace(/['’]s$/, "");
    const bare = bareOf(plain);
    if (bare.length < 2 || stopWords.has(plain.toLowerCase())) continue;
    if (name.test(plain)) words.set(bare, { bare, isName: true, written: plain.toLowerCase() });
    else words.set(bare, { bare, isName: false });
  }
  const all = [...words.values()].slice(0, mostWords);
  if (all.some(({ isName }) => isName)) return all;
  const telling = new Set(tellingWords(text).flatMap((word) => [bareOf(word), ...pairsOf(word)]));
  return all.filter(({ bare }) => telling.has(bare)).length >= fewest ? all : undefined;
}

const mostNames = 12;

/** The names that a prompt has most, outside of blocks of code. */
export function namesIn(prompt: string): Word[] {
  return namesOf(prompt).map((written) => ({ bare: bareOf(written), written, isName: true }));
}

/** As they are written, in lower case. */
export function namesOf(prompt: string): string[] {
  const text = prompt.slice(0, readForNames).replace(/```[\s\S]*?(?:```|$)/g, " ");
  const counts = new Map<string, number>();
  for (const written of (text.replace(address, " ").match(token) ?? []).flatMap(partsOf)) {
    const plain = written.replace(/[.'’/-]+$/, "").toLowerCase();
    if (name.test(written)) counts.set(plain, (counts.get(plain) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, mostNames)
    .map(([written]) => written);
}

/** Of a path, or of names with a slash between them, the parts that are names; else all of it. */
function partsOf(written: string): string[] {
  const names = written.split("/").filter((part) => name.test(part));
  return names.length > 0 ? names : [written];
}

/** Letters and digits, in lower case and one form. */
function bareOf(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/** Tells of a word whether it stands in a text: a name as a whole, another word in whatever form it is inflected. */
export function wordsIn(text: string): (word: Word) => boolean {
  const lower = text.normalize("NFKC").toLowerCase();
  let all: string | undefined;
  return ({ bare, isName }) => {
    if (!isName && pairsOf(bare).length === 0) return hasForm(lower, bare);
    all ??= bareOf(lower);
    return all.includes(bare);
  };
}

function hasForm(lower: string, bare: string): boolean {
  const beginning = bare.slice(0, root);
  for (let at = lower.indexOf(beginning); at >= 0; at = lower.indexOf(beginning, at + 1)) {
    if (at > 0 && letter.test(lower.charAt(at - 1))) continue;
    let end = at + beginning.length;
    while (end < lower.length && letter.test(lower.charAt(end))) end++;
    if (isForm(bare, lower.slice(at, end))) return true;
  }
  return false;
}

/** A word that prompts of more sessions have says how people ask here, or what all of the project is about. */
const manyAsk = 4;

/** Tells of a word whether people here say it whatever they ask for. */
export function talkIn(
  prompts: ReadonlyArray<{ session: string; text: string }>,
): (word: Word) => boolean {
  const bySession = Map.groupBy(prompts, ({ session }) => session);
  const said = [...bySession.values()].map((all) =>
    wordsIn(all.map(({ text }) => text.slice(0, read)).join("\n")),
  );
  return (word) => said.filter((has) => has(word)).length > manyAsk;
}

/** Two forms of one word differ in their last letters: `loads` and `loading`, not `compile` and `complete`. */
function isForm(one: string, other: string): boolean {
  const shared = Math.max(root, Math.min(one.length, other.length) - 2);
  return (
    one === other ||
    (one.slice(0, shared) === other.slice(0, shared) &&
      Math.max(one.length, other.length) - shared <= longestEnding)
  );
}

/** True where it stands by itself, not inside a longer name. */
function standsIn(lower: string, written: string): boolean {
  for (let at = lower.indexOf(written); at >= 0; at = lower.indexOf(written, at + 1))
    if (!inName.test(lower.charAt(at - 1)) && !inName.test(lower.charAt(at + written.length)))
      return true;
  return false;
}

/** Pairs of characters of a text in scripts without spaces. */
function pairsOf(text: string): string[] {
  return (text.match(wide) ?? []).flatMap((run) =>
    Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2)),
  );
}

/** What the words of a prompt weigh against the results of a search for it. */
export interface Weighed {
  words: ReadonlyArray<
    Word & { weight: number; isNews: boolean; isTalk: boolean; isRare: boolean }
  >;
  /** Each result, with what its passage has of each word that is news. */
  results: ReadonlyArray<{ result: SearchResult; adds: readonly number[] }>;
  /** What all of the prompt weighs. */
  wanted: number;
  /** It names code, and no result has any of the names. */
  isStrange: boolean;
}

/** What a turn came to, with it what its closing begins with, and the files and names of code that it touched. */
export interface Subject {
  came: string;
  about: string;
  touched: string;
}

/** A result that belongs to the prompt. */
export interface Relevant {
  result: SearchResult;
  /** Share of the prompt's weight that it has, up to 1: in its passage; and, at half, in what its turn is about. */
  coverage: number;
}

/** A prompt is not asked for more than its so many heaviest words. */
const askedFor = 12;
/** A word that passages of more sessions have points at none of them. */
const fewSessions = 3;
/** Coverage that is enough: by a name alone, and by how many words one passage has. */
const enough = { name: 0.25, two: 0.38, three: 0.28 };
/** Characters of a prompt that does not explain itself. */
const brief = 200;
/** Coverage by all passages of one session, and at most so much of it by those of another. */
const together = { least: 0.53, second: 0.8 };
/** Coverage of a short question later in a session. */
const leastAsked = 0.6;
/** Share of the prompt's weight that rare words of a subject have. */
const leastSubject = 0.18;
/** A name that turns of more sessions came to leads to none of them. */
const fewNamed = 2;
/** One session knows when no other has more than this share of what it has. */
const alone = 0.8;

/** Weighs the words by what they add to the results, which have to say why they are there; what the session met already is no news. */
export function weigh(
  words: readonly Word[],
  found: readonly SearchResult[],
  isMet: (word: Word) => boolean = () => false,
  isTalk: (word: Word) => boolean = () => false,
): Weighed {
  const corrected = new Set(
    found.flatMap((result) => Object.keys(result.corrected ?? {}).map(bareOf)),
  );
  const has = found.map((result) => {
    const shown = bareOf(shownOf(result));
    // A name of code is met when all of it is: `robots` is not `robots.txt`.
    return words.map((word) =>
      !corrected.has(word.bare) && (!word.isName || shown.includes(word.bare))
        ? addedBy(word, result)
        : 0,
    );
  });
  const known = words.map((_, at) => Math.max(0, ...has.map((adds) => adds[at] ?? 0)));
  // A word that is nowhere in memory weighs as much as the heaviest that is: the prompt may be about it.
  const heaviest = Math.max(0, ...known);
  const weights = known.map((weight) => (weight > 0 ? weight : heaviest));
  const names = known.filter((_, at) => words[at]?.isName);
  const sessionsWith = (at: number) =>
    new Set(found.flatMap(({ session }, one) => ((has[one]?.[at] ?? 0) > 0 ? session : []))).size;
  const met = words.map(isMet);
  return {
    words: words.map((word, at) => ({
      ...word,
      weight: weights[at] ?? 0,
      isNews: !met[at],
      isTalk: isTalk(word),
      isRare: !met[at] && sessionsWith(at) > 0 && sessionsWith(at) <= fewSessions && !isTalk(word),
    })),
    results: found.map((result, one) => ({
      result,
      adds: (has[one] ?? []).map((adds, at) => (met[at] ? 0 : adds)),
    })),
    wanted: sum(weights.toSorted((one, other) => other - one).slice(0, askedFor)),
    isStrange: names.length > 0 && names.every((weight) => weight === 0),
  };
}

/** A result with what it has of the prompt. */
interface Judged extends Relevant {
  matched: Weighed["words"];
  /** The rare words that its turn came to, and their share of the prompt's weight. */
  subject: Weighed["words"];
  share: number;
}

/** Where a prompt stands: a short question of which its session knows nothing yet, a later one, or anything else. */
export type Standing = "question" | "opening" | "asked" | "other";

/** `opens`: nothing of its session is known yet. A longer prompt brings along what it is about. */
export function standingOf(prompt: string, opens: boolean): Standing {
  if (prompt.length > brief) return "other";
  const asks = /[?？؟]/u.test(prompt);
  if (opens) return asks ? "question" : "opening";
  return asks ? "asked" : "other";
}

/**
 * The results that belong to the prompt, in the search's order; most prompts have none. A name of the prompt has to be what their
 * turns came to (`subjects`, by id); a question is also answered by the one session that has much of it.
 */
export function relevantOf(
  weighed: Weighed,
  subjects: ReadonlyMap<string, Subject>,
  standing: Standing,
): Relevant[] {
  const named = namedBy(weighed, subjects);
  if (standing === "other") return named;
  const judged = weighed.results
    .map((one) => judge(weighed, one, subjects))
    .filter((one) => saysEnough(one.matched) && one.coverage >= leastFor(one, weighed, standing));
  const bySession = new Map<string, number>();
  for (const { result, coverage } of judged)
    bySession.set(result.session, Math.max(coverage, bySession.get(result.session) ?? 0));
  const [best = 0, second = 0] = [...bySession.values()].sort((one, other) => other - one);
  const isAlone = second <= alone * best;
  const isCode = weighed.words.some(({ isName, isNews }) => isName && isNews);
  const isAbout = ({ matched }: Judged) => !isCode || matched.some(({ isName }) => isName);
  const leading = judged.filter(
    (one) => one.coverage >= alone * best && isAbout(one) && isKnown(one, isAlone, standing),
  );
  if (standing !== "question") return leading.length > 0 ? leading : named;
  // Where a session knows the answer, the search's order tells best where it stands there.
  const knowing = new Set(leading.map(({ result }) => result.session));
  const all = togetherIn(weighed);
  if (all) knowing.add(all);
  if (knowing.size === 0) return named;
  return weighed.results
    .map((one) => judge(weighed, one, subjects))
    .filter((one) => knowing.has(one.result.session) && one.matched.length > 0);
}

/** Names that a turn touched lead there when it is so many: one alone is touched for other reasons as well. */
const fewTouched = 2;

/** The results whose turns came to what the prompt names and few other sessions touched; of them those with most of the names. */
function namedBy({ words, results }: Weighed, subjects: ReadonlyMap<string, Subject>): Relevant[] {
  const names = words.filter(({ isName, isNews, isTalk }) => isName && isNews && !isTalk);
  const worth = new Map<SearchResult, { came: number; touched: number }>();
  for (const word of names) {
    const touching = sessionsOf(results, ({ id }) =>
      namesIt(subjects.get(id)?.touched ?? "", word),
    );
    const saying = sessionsOf(results, ({ id }) => namesIt(subjects.get(id)?.about ?? "", word));
    if (touching.union(saying).size > fewNamed) continue;
    for (const { result } of results) {
      const { came = "", touched = "" } = subjects.get(result.id) ?? {};
      const one = worth.get(result) ?? { came: 0, touched: 0 };
      // A file, a branch, a member of something: of this project where somebody touched it.
      const isOurs = !/[./]/.test(word.written ?? "") || touching.has(result.session);
      if (isOurs && namesIt(came, word)) one.came++;
      if (namesIt(touched, word)) one.touched++;
      worth.set(result, one);
    }
  }
  const leading = [...worth].filter(([, { came, touched }]) => came > 0 || touched >= fewTouched);
  const worthOf = ({ came, touched }: { came: number; touched: number }) => came + touched / 2;
  const most = Math.max(0, ...leading.map(([, one]) => worthOf(one)));
  return leading
    .filter(([, one]) => worthOf(one) === most)
    .map(([result]) => ({ result, coverage: most / names.length }));
}

function sessionsOf(
  results: Weighed["results"],
  has: (result: SearchResult) => boolean,
): Set<string> {
  return new Set(results.flatMap(({ result }) => (has(result) ? result.session : [])));
}

/** A shorter name is a part of too many others. */
const longName = 8;

/** True where a text has the name: of code in any way of writing it (`transcript_path` is `TranscriptPath`), else as it is written. */
export function namesIt(text: string, { bare, written = "" }: Word): boolean {
  const lower = text.normalize("NFKC").toLowerCase();
  if (bare.length < longName || /[./-]/.test(written)) return standsIn(lower, written);
  return (lower.match(token) ?? []).some((one) =>
    one.split(/[./]/).some((part) => bareOf(part) === bare),
  );
}

/** The session whose passages have most of the prompt together, where no other comes near. */
function togetherIn({ words, results, wanted }: Weighed): string | undefined {
  const bySession = Map.groupBy(results, ({ result }) => result.session);
  const [best, second] = [...bySession]
    .map(([session, all]) => {
      const most = words.map(({ isTalk }, at) =>
        isTalk ? 0 : Math.max(...all.map(({ adds }) => adds[at] ?? 0)),
      );
      return { session, coverage: sum(most) / wanted };
    })
    .sort((one, other) => other.coverage - one.coverage);
  if (!best || best.coverage < together.least) return undefined;
  return (second?.coverage ?? 0) > together.second * best.coverage ? undefined : best.session;
}

function isKnown(judged: Judged, isAlone: boolean, standing: Standing): boolean {
  const { matched, subject, share, coverage } = judged;
  const rare = matched.filter(({ isRare }) => isRare);
  if (standing === "opening") return isAlone && rare.length > 2 && subject.length > 1;
  if (standing === "asked") return isAlone && rare.length > 2 && coverage >= leastAsked;
  const isSubject = share >= leastSubject && rare.length > 0;
  const isNamed = subject.some(({ isName }) => isName);
  if (isSubject && (isAlone || isNamed || subject.length > 1)) return true;
  return isAlone && (rare.length > 1 || rare.some(({ isName }) => isName));
}

function judge(
  { words, wanted, isStrange }: Weighed,
  { result, adds }: Weighed["results"][number],
  subjects: ReadonlyMap<string, Subject>,
): Judged {
  const matched = words.filter((_, at) => (adds[at] ?? 0) > 0);
  const near = sum(adds);
  // Of a prompt about something that memory has nowhere, only ordinary words can stand there.
  const about = isStrange ? "" : (subjects.get(result.id)?.about ?? "");
  const heaviest = words.toSorted((one, other) => other.weight - one.weight).slice(0, askedFor);
  const shared = heaviest.filter(({ isNews }) => isNews).filter(wordsIn(about));
  const far = sum(shared.map(({ weight }) => weight));
  const subject = shared.filter(({ isRare }) => isRare);
  return {
    result,
    coverage: Math.min(1, Math.max(near, (near + far) / 2) / wanted),
    matched,
    subject,
    share: sum(subject.map(({ weight }) => weight)) / wanted,
  };
}

/** One ordinary word stands anywhere. */
function saysEnough(matched: readonly Word[]): boolean {
  return matched.length > 1 || matched.some(({ isName }) => isName);
}

/** The coverage that is enough for what was matched. */
function leastFor({ matched }: Judged, { isStrange }: Weighed, standing: Standing): number {
  if (standing === "asked") return leastAsked;
  if (matched.some(({ isName }) => isName)) return enough.name;
  return matched.length === 2 || isStrange ? enough.two : enough.three;
}

function shownOf({ title, subtitle, facts, files, excerpt = "" }: SearchResult): string {
  return [title, subtitle, ...facts, ...files, excerpt].join("\n");
}

/** What a word of the prompt adds to a result; the search may know it by its stem, or in parts. */
function addedBy({ bare }: Word, { why }: SearchResult): number {
  return sum(
    (why?.words ?? []).flatMap(({ word, adds }) => (isPart(bareOf(word), bare) ? adds : [])),
  );
}

function isPart(found: string, bare: string): boolean {
  if (found.length < 3) return found === bare;
  return bare.includes(found.length > 4 ? found.slice(0, -1) : found);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
