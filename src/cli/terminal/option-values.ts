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
