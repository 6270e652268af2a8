// What a source says to a prompt, in whole sentences: those that the passage found stands in, and what came of its turn. Pure.
import type { EvidenceKind, SearchResult, Turn } from "../../src/sdk/index.ts";
import { outcomeOf } from "../../src/strategy/index.ts";
import { cut, meaningOf, oneLine, overlap, sentencesOf } from "../../src/text/index.ts";
import { namesIn, namesIt, type Weighed, type Word, wordsIn } from "./relevance.ts";

const said: ReadonlySet<EvidenceKind> = new Set(["prompt", "typed", "closing", "commit"]);
/** Of a source's room, what the passage that was found takes where its turn says what came of it. */
const foundShare = 0.6;
/** Sentences that share more say the same. */
const alike = 0.6;

/** What of a turn answers. */
export interface Answer {
  /** What came of it; "" where the quotations say it all. */
  title: string;
  /** Whole sentences that stand together. */
  quotes: string[];
}

/** What people and agents said in a turn. */
export function saidIn({ pieces }: Turn): string[] {
  return pieces.flatMap(({ kind, text }) => (said.has(kind) ? text : []));
}

/** What of a source answers, in about `room` characters: `asks` for what was found in it, else only for what came of it. */
export function answerOf(
  result: SearchResult,
  turn: Turn | undefined,
  room: number,
  asks: boolean,
): Answer {
  if (!turn) return { title: "", quotes: [cut(oneLine(shownIn(result)), room)] };
  const { basis, said: came, ...outcomes } = outcomeOf(turn);
  const title = basis === "asked" ? "" : outcomes.title;
  const outcome = sentencesOf(came);
  const found = asks || (title === "" && outcome.length === 0) ? foundIn(result, turn) : [];
  const rest = outcome.filter((one) => !found.some((other) => overlap(one, other) > alike));
  const first = fitting(found, rest.length > 0 ? room * foundShare : room);
  const last = fitting(rest, room - first.length);
  const quotes = [first, last].filter((text) => /\p{L}/u.test(text));
  const isSaid = quotes.some((text) => text.includes(outcomes.came.replace(/…$/, "")));
  return quotes.length === 0
    ? { title: "", quotes: [outcomes.title] }
    : { title: isSaid ? "" : title, quotes };
}

/** What a result without a turn shows, nothing twice. */
function shownIn({ title, subtitle, excerpt = "" }: SearchResult): string {
  const shown = [title, subtitle, excerpt].filter((text) => text !== "");
  return shown
    .filter((text, at) => !shown.slice(at + 1).some((other) => other.includes(text)))
    .join(" — ");
}

/** The sentences and lines of its piece that the passage stands in; what was derived quotes without marks and stands for itself. */
function foundIn({ excerpt = "", piece: at }: SearchResult, { pieces }: Turn): string[] {
  const piece = pieces[at ?? -1];
  const text = [piece?.text, piece?.about].find((one) => one?.includes(excerpt));
  if (text === undefined || excerpt === "") return [oneLine(excerpt)];
  const start = text.indexOf(excerpt);
  const found: string[] = [];
  let from = 0;
  for (const sentence of text.split("\n").flatMap(sentencesOf)) {
    const begin = text.indexOf(sentence, from);
    from = begin + sentence.length;
    if (begin < start + excerpt.length && from > start) found.push(sentence);
  }
  return found;
}

/** As many whole sentences as fit; of a first one that is too long its beginning. */
function fitting(sentences: readonly string[], room: number): string {
  let text = "";
  for (const sentence of sentences.map(oneLine)) {
    if (text !== "" && text.length + sentence.length + 1 > room) break;
    text = text === "" ? cut(sentence, room) : `${text} ${sentence}`;
  }
  return text;
}

/** Of a prompt that names nothing, so many words that few sessions have stand together by no chance. */
const leastTogether = 2;

/**
 * Tells of a passage whether it holds what the prompt is about: a name of the prompt's that few sessions have, with the folder that
 * the prompt gives it; of a prompt without names, its words that few have.
 */
export function holdsIn(
  prompt: string,
  words: Weighed["words"],
  isFew: (word: Word) => boolean,
): (passage: string) => boolean {
  const names = namesIn(prompt);
  const told = names.filter(isFew).map((word) => ({ word, folders: foldersOf(prompt, word) }));
  const rare = words.filter(({ isRare }) => isRare);
  return (passage) => {
    if (names.length === 0) return rare.filter(wordsIn(passage)).length >= leastTogether;
    return told.some(({ word, folders }) => {
      const there = foldersOf(passage, word);
      const isOther = folders.length > 0 && there.length > 0;
      return namesIt(passage, word) && !(isOther && !there.some((one) => folders.includes(one)));
    });
  };
}

/** Tells of a passage whether it says more than the prompt: the same question, asked before, answers nothing. */
export function newsTo(prompt: string): (passage: string) => boolean {
  const asked = meaningOf(prompt);
  return (passage) => meaningOf(passage).difference(asked).size > 0;
}

/** The folders that a text puts a name right below. */
function foldersOf(text: string, { written = "" }: Word): string[] {
  const lower = text.normalize("NFKC").toLowerCase();
  const found: string[] = [];
  for (let at = lower.indexOf(written); at >= 0; at = lower.indexOf(written, at + 1)) {
    const folder = /([\w.@-]+)\/$/.exec(lower.slice(Math.max(0, at - 80), at))?.[1];
    if (folder !== undefined) found.push(folder);
  }
  return found;
}
