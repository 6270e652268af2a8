// The telling line of a command's output.
import { stripAnsi } from "../../src/text/index.ts";
import { termsOf } from "./terms.ts";

const longest = 240;

/** The line that says most, not the count of what failed; short lines before long ones of the same worth. */
export function tellingLine(output: string): string {
  let best = "";
  let most = 0;
  for (const line of stripAnsi(output).split("\n")) {
    const text = line.trim();
    if (text === "" || text.length > longest) continue;
    const worth = Math.min(termsOf(text).size, 12);
    if (worth > most) [best, most] = [text, worth];
  }
  return best === "" ? stripAnsi(output).trim().slice(0, longest) : best;
}
