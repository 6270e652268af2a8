// What the shorteners of texts share: their form, and the choice of the first that fits.
import { plural } from "../../../src/text/index.ts";
import type { Policy } from "../policy.ts";

/** A shorter text, without the line that says how to get the whole back. */
export interface Shortened {
  text: string;
  /** `212 of 300 lines`, for that line. */
  leftOut: string;
  how: string;
  /** Nothing is to be put back any more: what departs from the rest is in it. */
  isWhole?: boolean;
}

/** What a text came from. */
export interface Origin {
  /** The shell command; empty where there is none. */
  command: string;
  /** The number that its first line has in the whole that is recalled; default 1. */
  firstLine?: number;
  /** Whether a prompt has this word. */
  isMentioned?(this: void, word: string): boolean;
}

/** Gives a shorter text, or undefined where the text is not of its kind or would not get shorter. */
export type Shorten = (text: string, policy: Policy, origin: Origin) => Shortened | undefined;

/** The answer for a text that is to stay, so that no other shortener takes it. */
export function asItIs(text: string): Shortened {
  return { text, leftOut: "nothing", how: "stays", isWhole: true };
}

/** The answer of the first shortener that has one. */
export function firstOf(...shorteners: readonly Shorten[]): Shorten {
  return (text, policy, origin) => {
    for (const shorten of shorteners) {
      const shortened = shorten(text, policy, origin);
      if (shortened) return shortened;
    }
    return undefined;
  };
}

/** Lines that are missing; where none is, the characters of those that were cut. */
export function leftOfLines(lines: number, of: number, characters: number, all: number): string {
  return lines > 0 ? `${lines} of ${plural(of, "line")}` : `${characters} of ${all} characters`;
}
