// Outputs of which everything but the ends was left out: what the second look is measured on.

import type { Shortened } from "../../plugins/endless-live/text/rows.ts";
import { linesMark } from "../../plugins/endless-live/text/rows.ts";
import { readEndlessCases } from "../quality/endless/cases.ts";

export interface LeftOut {
  text: string;
  short: Shortened;
}

/** The outputs of the quality cases that have lines enough, each repeated to so many characters, no line the same. */
export function leftOutputs(size: number): LeftOut[] {
  return readEndlessCases()
    .filter(({ output }) => output.split("\n").length > 15)
    .map(({ output }) => leftOut(output, size));
}

/** An output repeated to so many characters, no line the same. */
export function grown(output: string, size: number): string {
  let text = output;
  for (let copy = 1; text.length < size; copy++)
    text += `\n${output.replaceAll(/^/gm, `${copy} `)}`;
  return text.slice(0, size);
}

function leftOut(output: string, size: number): LeftOut {
  const text = grown(output, size);
  const lines = text.split("\n");
  const mark = linesMark(6, lines.length - 5);
  const short = [...lines.slice(0, 5), mark, ...lines.slice(-5)].join("\n");
  return { text, short: { text: short, leftOut: "", how: "" } };
}
