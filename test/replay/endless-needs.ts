// What an assistant's turn takes from its context: the lines that an edit replaces, the paths and identifiers that it quotes.
import type { Step, UseStep } from "./endless-threads.ts";

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
// Only where a word begins: else a long run of letters is looked at once for each letter.
const pathForm = /(?<![\w.@~:+-])[\w.@~:+-]*(?:\/[\w.@~+-]+)+/g;
const identifierForm = /[A-Za-z0-9_$]{8,}/g;
const numbered = /^ *\d+(?:→|\t)/gm;

/** Inner capital, underscore or digit, and a letter: specific enough to have been read somewhere. */
function isSpecific(word: string): boolean {
  return (
    /[A-Za-z]/.test(word) && /[a-z][A-Z]|[A-Za-z]\d|\d[A-Za-z]|[A-Za-z\d]_[A-Za-z\d]/.test(word)
  );
}

/** `and/or` is no path: a path is rooted, deep, or has a name with an ending or an underscore. */
function isPath(text: string): boolean {
  return (
    text.length >= 6 &&
    (text.startsWith("/") || text.split("/").length > 2 || /\/.*[._]\w/.test(text))
  );
}

/** Every path (with a slash) and specific identifier in a text. */
export function* wordsOf(text: string): Generator<{ kind: "path" | "identifier"; text: string }> {
  for (const [word] of text.matchAll(identifierForm))
    if (isSpecific(word)) yield { kind: "identifier", text: word };
  for (const [found] of text.matchAll(pathForm)) {
    const path = found.replace(/[.:-]+$/, "");
    if (isPath(path)) yield { kind: "path", text: path };
  }
}

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

/** All strings in a value. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

/** What a step of the assistant takes from before. */
export function needsOf(step: Step): Need[] {
  if (step.kind !== "said" && step.kind !== "use") return [];
  const needs = new Map<string, Need>();
  if (step.kind === "use")
    for (const old of oldStrings(step)) {
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

function oldStrings({ tool, input }: UseStep): string[] {
  const edits = tool === "MultiEdit" && Array.isArray(input.edits) ? input.edits : [input];
  if (tool !== "Edit" && tool !== "MultiEdit") return [];
  return edits
    .map((edit: unknown) => (edit as { old_string?: unknown } | null)?.old_string)
    .filter((old) => typeof old === "string");
}
