// Parsers for the values of options.
import { InvalidArgumentError } from "commander";

/** A whole number from 1 to `most`; anything else is wrong usage. */
export function count(most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= 1 && value <= most) return value;
    throw new InvalidArgumentError(`Write a whole number from 1 to ${most}.`);
  };
}

/** One of `allowed`, or several joined by commas; given again, more are added. It never takes the next word. */
export function someOf<Word extends string>(
  allowed: readonly Word[],
): (text: string, before: readonly Word[] | undefined) => Word[] {
  const known = (word: string): word is Word => allowed.some((one) => one === word);
  return (text, before = []) => {
    const words = text.split(",").map((word) => word.trim());
    const chosen = words.filter(known);
    if (chosen.length === words.length) return [...new Set([...before, ...chosen])];
    throw new InvalidArgumentError(`Allowed choices are ${allowed.join(", ")}.`);
  };
}
