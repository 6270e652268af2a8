// What an assistant's turn takes from its context: the lines that an edit replaces, the paths and identifiers that it quotes.
import { replacedBy, stringsIn, wordsOf } from "../../src/runtime/endless/second-looks.ts";
import type { Step } from "./endless-threads.ts";

/** How a need shows. */
export type NeedKind = "edit" | "path" | "identifier";

/** A piece of text that a turn could not have written without having read it. */
export interface Need {
  kind: NeedKind;
  text: string;
  /** For an edit's first and last line: may be only a part of a line. */
  partial: boolean;
}

/** Shorter lines of an edit (a brace, `end`) stand everywhere and tell nothing. */
const leastLine = 6;
const numbered = /^ *\d+(?:→|\t)/gm;

/** The lines of a text as needs are compared with them: trimmed, without a reader's line numbers. */
export function* linesOf(text: string): Generator<string> {
  for (const line of text.split("\n")) {
    const bare = line.replace(/^ *\d+(?:→|\t)/, "").trim();
    if (bare.length >= leastLine) yield bare;
  }
}

/** A step's text as it is compared: an input is the strings in it, a result has no line numbers. */
export function plainText(step: Step): string {
  switch (step.kind) {
    case "use":
      return stringsIn(step.input).join("\n");
    case "result":
      return step.text.replace(numbered, "");
    case "compacted":
      return "";
    default:
      return step.text;
  }
}

/** What a step of the assistant takes from before. */
export function needsOf(step: Step): Need[] {
  if (step.kind !== "said" && step.kind !== "use") return [];
  const needs = new Map<string, Need>();
  if (step.kind === "use")
    for (const old of replacedBy(step.tool, step.input)) {
      const lines = old.split("\n");
      for (const [at, line] of lines.entries()) {
        const text = line.trim();
        if (text.length >= leastLine)
          needs.set(`\n${text}`, {
            kind: "edit",
            text,
            partial: at === 0 || at === lines.length - 1,
          });
      }
    }
  for (const { kind, text } of wordsOf(plainText(step)))
    if (!needs.has(text)) needs.set(text, { kind, text, partial: false });
  return [...needs.values()];
}
