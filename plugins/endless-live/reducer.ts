// What a reducer is: a pure function from one tool's result to a smaller one in the same shape.

import type { Asked } from "./look/asked.ts";
import { lookAgain } from "./look/look.ts";
import type { Policy } from "./policy.ts";
import type { Seen } from "./seen.ts";
import type { Origin, Shorten } from "./text/rows.ts";

/** A finished tool use, as the client sent it. */
export interface Arrived {
  id: string;
  tool: string;
  input: Readonly<Record<string, unknown>>;
  /** In the tool's own shape. */
  response: unknown;
  /** What the agent said before it. */
  said?: string | undefined;
  /** What it was to find. */
  asked?: Asked | undefined;
  /** How the agent's shell asks for the whole: `memoir recall <id>`, with memoir's path where it must be named. */
  recall: string;
}

/** A smaller result. */
export interface Reduced {
  /** In the tool's own shape: what the client is given instead. */
  response: unknown;
  /** The text that the model would have read of the result, without the client's own wrapping. */
  before: string;
  /** The text it reads instead; ends in the line that says how to get the whole back. */
  after: string;
  /** What was done, in a few words: `kept failures and totals`, `unchanged since it was read`. */
  how: string;
  /** Of a read file: the stretches of file lines (from 1, both ends included) that stand verbatim in `after`. */
  shownLines?: readonly (readonly [from: number, to: number])[];
}

/**
 * Gives a smaller result, or undefined where the result stays as it is. `seen` is what this agent has read so far
 * (its own changes to it are the plugin's business, after the reduction was accepted).
 */
export type Reducer = (arrived: Arrived, seen: Seen, policy: Policy) => Reduced | undefined;

const opening = "[memoir left out ";
const closing = / recall [^\s\]]+ \(a part: --lines A-B or --grep WORD\)\]\s*$/;

/** The line that is left in place. One line, short, works in any client with a shell. */
export function recallLine({ recall }: Pick<Arrived, "recall">, leftOut: string): string {
  return `${opening}${leftOut}; whole: ${recall} (a part: --lines A-B or --grep WORD)]`;
}

/** Whether a text ends in that line: it was reduced already. */
export function isReduced(text: string): boolean {
  const end = text.slice(-600);
  return end.includes(opening) && closing.test(end);
}

// Puts a shortened text and its last line together.

/**
 * The result with a shortened text in it, ended by the line that says how to get the whole; undefined where it stays.
 * `withText` puts a text into the tool's own shape.
 */
export function reduceText(
  arrived: Arrived,
  text: string,
  withText: (text: string) => unknown,
  shorten: Shorten,
  policy: Policy,
  given: Origin = { command: "" },
): Reduced | undefined {
  if (isReduced(text)) return undefined;
  const origin = { ...given, asked: arrived.asked };
  const first = shorten(text, policy, origin);
  if (!first) return undefined;
  const shortened = lookAgain(text, first, origin);
  const after = `${shortened.text}\n${recallLine(arrived, shortened.leftOut)}`;
  if (after.length >= text.length) return undefined;
  return { response: withText(after), before: text, after, how: shortened.how };
}
