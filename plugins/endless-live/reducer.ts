// What a reducer is: a pure function from one tool's result to a smaller one in the same shape.

/** A finished tool use, as the client sent it. */
export interface Arrived {
  id: string;
  tool: string;
  input: Readonly<Record<string, unknown>>;
  /** In the tool's own shape. */
  response: unknown;
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
export type Reducer<Seen, Policy> = (
  arrived: Arrived,
  seen: Seen,
  policy: Policy,
) => Reduced | undefined;

const opening = "[memoir left out ";

/** The line that is left in place. One line, short, works in any client with a shell. */
export function recallLine(id: string, leftOut: string): string {
  return `${opening}${leftOut}; whole: memoir recall ${id}]`;
}

/** Whether a text was reduced already, by its line. */
export function isReduced(text: string): boolean {
  const at = text.lastIndexOf(opening);
  return (
    at >= 0 && /; whole: memoir recall [^\s\]]+(?: \(or [^\]\n]*\))?\]\s*$/.test(text.slice(at))
  );
}
