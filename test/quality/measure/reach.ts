// How far words can reach at all: which of a question's words stand where its answer stands, and the rank that the best choice among them would give.
import { tokensOf } from "../../../src/search/document.ts";
import { type Question, readQuestions } from "../cases.ts";
import type { Memory } from "./memory.ts";
import { type Answerer, type Ranks, ranksOf } from "./questions.ts";
import { recall } from "./rank.ts";
import { type Figure, figure, share } from "./report.ts";
import { type Turns, turnsOf } from "./turns.ts";

/** What a question's own words can do. */
export interface Reach {
  question: Question;
  /** Shares of its telling words whose stem stands in the session, in the turn that answers. */
  inSession: number;
  inTurn: number;
  /** The best ranks that any choice of its words gives: who chooses knows the answer. */
  best: Ranks;
}

const mostWords = 10;
const mostChosen = 5;

/** Over the questions in other words. Takes hundreds of searches for each. */
export async function measureReach(memory: Memory): Promise<Reach[]> {
  const turns = await turnsOf(memory);
  const stored = (await memory.everything()).filter(({ kind }) => kind === "turns");
  const read = stored.map((turn) => ({ turn, terms: new Set(termsOf(turn.text).keys()) }));
  const reach: Reach[] = [];
  for (const question of readQuestions().filter(({ paraphrased }) => paraphrased)) {
    const { answers } = question;
    const words = termsOf(question.question);
    const standing = (is: (turn: (typeof stored)[number]) => boolean) => {
      const these = read.filter(({ turn }) => is(turn));
      const found = [...words.keys()].filter((term) => these.some(({ terms }) => terms.has(term)));
      return found.length / Math.max(1, words.size);
    };
    reach.push({
      question,
      inSession: standing(({ session }) => answers.some((one) => one.session === session)),
      inTurn: standing((turn) => turns.answers(turn, answers)),
      best: await bestRanks([...words.values()], question, memory.search, turns),
    });
  }
  return reach;
}

/** The best rank of any choice of at most five words. */
export async function bestRanks(
  words: readonly string[],
  question: Pick<Question, "answers">,
  answer: Answerer,
  turns: Turns,
): Promise<Ranks> {
  const best: Ranks = { session: undefined, turn: undefined };
  for (const choice of choicesOf(words.slice(0, mostWords), mostChosen)) {
    const ranks = ranksOf(await answer([choice.join(" ")]), question, turns);
    for (const level of ["session", "turn"] as const)
      best[level] = Math.min(best[level] ?? Infinity, ranks[level] ?? Infinity);
    if (best.session === 1 && best.turn === 1) break;
  }
  return best;
}

/** Every choice of one to `most` of the words. */
export function choicesOf(words: readonly string[], most: number): string[][] {
  const choices = Array.from({ length: 2 ** words.length }, (_, mask) =>
    words.filter((_, i) => mask & (1 << i)),
  );
  return choices.filter(({ length }) => length > 0 && length <= most);
}

/** A word for each term that says something. */
function termsOf(text: string): Map<string, string> {
  const telling = tokensOf(text).filter(({ stop }) => !stop);
  return new Map(telling.map(({ term, word }) => [term, word]));
}

/** Shares of words, and what no ranking of these words could go beyond. */
export function reachFigures(reach: readonly Reach[]): Figure[] {
  const over = (name: string, measure: (of: readonly Reach[]) => number) =>
    figure("reach of words", name, reach, ({ question }) => question.aside, measure);
  const mean = (value: (one: Reach) => number) => (of: readonly Reach[]) =>
    of.reduce((sum, one) => sum + value(one), 0) / Math.max(1, of.length);
  const best = (level: keyof Ranks) => (of: readonly Reach[]) =>
    recall(of.map((one) => one.best[level]));
  return [
    over(
      "stems that stand in the session",
      mean((one) => one.inSession),
    ),
    over(
      "stems that stand in the turn",
      mean((one) => one.inTurn),
    ),
    over(
      "questions without any in the turn",
      share((one) => one.inTurn === 0),
    ),
    ...(["session", "turn"] as const).flatMap((level) => [
      over(`${level}, best choice of words: R@5`, (of) => best(level)(of).at5),
      over(`${level}, best choice of words: R@10`, (of) => best(level)(of).at10),
    ]),
  ];
}
