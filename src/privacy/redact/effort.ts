// Counts the work of reading, so that no text, whatever stands in it, is read for longer than its length allows.
import * as sticky from "../../text/sticky.ts";
import type { Found } from "./rule.ts";

/** Characters that were read in this process to judge what stands at some place; only differences say anything. */
let read = 0;

/** What a try costs however little it reads. */
const eachTry = 4;
/** Texts are charged by pieces of so many characters, of which each has an allowance of its own. */
export const piece = 2_048;
/** So often may the characters of a piece be read, on average: three times what any text of people or programs was seen to need. */
export const mostReadings = 8;

/** Counts characters as read. */
export function countRead(characters: number): void {
  read += characters;
}

/** What was counted so far. */
export const readSoFar = (): number => read;

/** As `matchAt` of texts, and counted. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  const match = sticky.matchAt(pattern, text, at);
  read += eachTry + (match?.[0].length ?? 0);
  return match;
}

/** As `matchEnd` of texts, and counted. */
export function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  const end = sticky.matchEnd(pattern, text, at);
  read += eachTry + (end === undefined ? 0 : end - at);
  return end;
}

/** By this a part of a text goes that holds too many beginnings of secrets to look behind each. */
export const uncheckedRule = {
  id: "unchecked",
  finds: "a part of the text that could not be looked through in the time that its length allows",
};

/** What was not looked through, and so may not stay. */
export const unchecked = (start: number, end: number): Found => ({
  ...{ start, end, kind: uncheckedRule.id, rule: uncheckedRule.id },
});

/** What the rules may read of a text. */
export interface Allowance {
  /** True where a rule may look at `at`; what is read until the next call is charged to the piece there. */
  begin(at: number): boolean;
  /** The pieces in which the rules had to stop: nothing is known of what stands there, so that none of it may stay. */
  unchecked(): Found[];
}

/** The allowance of a text of this length. */
export function allowanceFor(length: number): Allowance {
  const spent = new Uint32Array(Math.ceil(length / piece));
  const stopped = new Set<number>();
  let current = 0;
  let from = read;
  const settle = (): void => {
    spent[current] = (spent[current] ?? 0) + read - from;
    from = read;
  };
  return {
    begin(at) {
      settle();
      current = Math.floor(at / piece);
      read += eachTry;
      if ((spent[current] ?? 0) <= piece * mostReadings) return true;
      stopped.add(current);
      return false;
    },
    unchecked() {
      settle();
      const found: Found[] = [];
      for (const number of [...stopped].sort((a, b) => a - b)) {
        const [start, end] = [number * piece, Math.min(length, (number + 1) * piece)];
        const last = found.at(-1);
        if (last?.end === start) last.end = end;
        else found.push(unchecked(start, end));
      }
      return found;
    },
  };
}
