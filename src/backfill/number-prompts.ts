// Which prompts of a transcript memory knows, and which numbers the others had: pure.

/** A prompt as something tells of it. */
interface ToldPrompt {
  /** Epoch ms. */
  time: number;
  /** As capture leaves it. */
  text: string;
}

/** A prompt that memory or the journal knows. */
export interface NumberedPrompt extends ToldPrompt {
  number: number;
}

/** Its number, and whether it was known under it. */
export interface Numbered {
  number: number;
  isKnown: boolean;
}

/** A prompt's line and its hook differ in time by less than this. */
const windowMs = 120_000;

/**
 * One answer for each of `recorded`, which are in the order of their file. A known prompt has the same text at about the same
 * time, or in the same place between two others: clocks may differ. Another gets a number that is free in its place, else
 * one behind all `count` that there were; `isTaken` numbers are never given.
 */
export function numberPrompts(
  recorded: readonly ToldPrompt[],
  known: readonly NumberedPrompt[],
  count: number,
  isTaken: (number: number) => boolean,
): Numbered[] {
  const found: Array<number | undefined> = recorded.map(() => undefined);
  const used = new Set<number>();
  const take = (at: number, fits: (prompt: NumberedPrompt) => boolean) => {
    const text = recorded[at]?.text;
    const match = known.find(
      (prompt) => !used.has(prompt.number) && prompt.text === text && fits(prompt),
    );
    if (!match) return;
    found[at] = match.number;
    used.add(match.number);
  };
  for (const [at, { time }] of recorded.entries())
    take(at, (prompt) => Math.abs(prompt.time - time) <= windowMs);
  for (const at of recorded.keys())
    if (found[at] === undefined) {
      const [after, before] = placeOf(at, found);
      take(at, ({ number }) => number > after && number < before);
    }
  const isKnown = found.map((number) => number !== undefined);
  const numbers = new Set(known.map(({ number }) => number));
  let last = Math.max(count, ...numbers, 0);
  for (const at of recorded.keys()) {
    if (found[at] !== undefined) continue;
    const [after, before] = placeOf(at, found);
    let number = after + 1;
    while (number < before && (numbers.has(number) || isTaken(number))) number++;
    if (number >= before || number > last) number = ++last;
    while (numbers.has(number) || isTaken(number)) number = ++last;
    numbers.add(number);
    found[at] = number;
  }
  return found.map((number, at) => ({ number: number ?? 0, isKnown: isKnown[at] ?? false }));
}

/** The numbers between which the one at this place has to lie. */
function placeOf(
  at: number,
  found: ReadonlyArray<number | undefined>,
): [after: number, before: number] {
  const after = found.slice(0, at).findLast((number) => number !== undefined) ?? 0;
  const before =
    found.slice(at + 1).find((number) => number !== undefined && number > after) ??
    Number.POSITIVE_INFINITY;
  return [after, before];
}
