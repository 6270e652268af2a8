// What an agent takes from its context when it acts: the lines that an edit replaces, the paths and identifiers that it names.
import { isRecord } from "../../text/text.ts";

// Only where a word begins: else a long run of letters is looked at once for each letter.
const pathForm = /(?<![\w.@~:+-])[\w.@~:+-]*(?:\/[\w.@~+-]+)+/g;
const identifierForm = /[A-Za-z0-9_$]{8,}/g;

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
export function wordsOf(text: string): Array<{ kind: "path" | "identifier"; text: string }> {
  const words: ReturnType<typeof wordsOf> = [];
  for (const [word] of text.matchAll(identifierForm))
    if (isSpecific(word)) words.push({ kind: "identifier", text: word });
  for (const [found] of text.matchAll(pathForm)) {
    const path = found.replace(/[.:-]+$/, "");
    if (isPath(path)) words.push({ kind: "path", text: path });
  }
  return words;
}

/** All strings in a value. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

/** Whether a tool changes a file. */
export const isEdit = (tool: string): boolean => /^(?:Multi|Notebook)?Edit$|^Write$/.test(tool);

/** The texts that an edit replaces. */
export function replacedBy(tool: string, input: unknown): string[] {
  if (!isEdit(tool) || !isRecord(input)) return [];
  const edits: unknown[] = Array.isArray(input.edits) ? input.edits : [input];
  return edits
    .map((edit) => (isRecord(edit) ? edit.old_string : undefined))
    .filter((old) => typeof old === "string");
}
