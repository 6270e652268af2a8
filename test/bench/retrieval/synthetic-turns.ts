// Makes any number of turns from a seed: words by Zipf's law, of lengths like recorded ones. Same seed, same turns.
import type { SearchDocument } from "../../../src/search/index.ts";

const syllables =
  "ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo yu za bra cle dri flo gra".split(" ");
const glue = "the a of to in and is for that with on by it this are not be from".split(" ");
const vocabulary = 60_000;
const projects = 20;
const perSession = 25;
const minute = 60_000;

/** A source of turns and of queries in the same words. */
export interface TurnMaker {
  turn(number: number): SearchDocument;
  /** Two to seven words, as frequent as in the turns. */
  query(): string;
}

/** A maker for a seed. */
export function turnMaker(seed = 1): TurnMaker {
  let state = seed;
  const random = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
  const words = Array.from({ length: vocabulary }, (_, i) => wordOf(i));
  const shares = new Float64Array(vocabulary);
  let sum = 0;
  for (let i = 0; i < vocabulary; i++) {
    sum += 1 / (i + 2.7);
    shares[i] = sum;
  }
  const word = () => words[placeOf(shares, random() * sum)] ?? "";
  const text = (count: number) => {
    const out: string[] = [];
    for (let i = 0; i < count; i++) {
      out.push(random() < 0.35 ? (glue[Math.floor(random() * glue.length)] ?? "") : word());
      if (i % 45 === 44) out.push("\n\n");
    }
    return out.join(" ");
  };
  return {
    turn: (number) => ({
      id: `t${number}`,
      kind: "turn",
      type: "turn",
      client: "claude-code",
      session: `session-${Math.floor(number / perSession)}`,
      // The first projects get the most.
      project: `project-${Math.floor(random() * random() * projects)}`,
      time: Date.UTC(2026, 0, 1) + number * minute,
      position: number % perSession,
      files: [`/code/src/file-${Math.floor(random() * 500)}.ts`],
      pieces: [
        { field: "prompt", text: text(30) },
        { field: "said", text: text(100 + Math.floor(random() * random() * 1_200)) },
      ],
    }),
    query: () => Array.from({ length: 2 + Math.floor(random() * 6) }, word).join(" "),
  };
}

function wordOf(number: number): string {
  let word = number % 3 === 0 ? "n" : "";
  for (let rest = number + 7; rest > 0; rest = Math.floor(rest / syllables.length))
    word = `${syllables[rest % syllables.length]}${word}`;
  return word;
}

function placeOf(shares: Float64Array, at: number): number {
  let low = 0;
  let high = shares.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((shares[middle] ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
