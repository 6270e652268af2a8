// A change to a file in numbers and names: from the client's structured patch, else from old and new text.
import { type Definition, definitionOn, definitionsOn } from "./symbols.ts";
import { listField, recordOf } from "./values.ts";

/** What a patch did. */
export interface Patch {
  /** Lines that came and went, without their marks. */
  added: string[];
  removed: string[];
  /** Definitions that are new, gone, or were changed inside. */
  defined: Definition[];
  dropped: Definition[];
  touched: Definition[];
}

const maxLines = 4_000;

/** Reads hunks of `{oldStart, lines: ["+…", "-…", " …"]}`; undefined when there are none. */
export function patchFromHunks(
  hunks: readonly unknown[],
  original: string,
  document: boolean,
): Patch | undefined {
  const added: string[] = [];
  const removed: string[] = [];
  const around: string[] = [];
  const old = original === "" ? [] : original.split("\n", 20_000);
  for (const hunk of hunks) {
    const record = recordOf(hunk);
    const start = typeof record.oldStart === "number" ? record.oldStart : 0;
    let enclosing = enclosingLine(old, start - 1, document);
    for (const line of listField(hunk, "lines")) {
      if (typeof line !== "string" || added.length + removed.length > maxLines) continue;
      const text = line.slice(1);
      if (line.startsWith("+") || line.startsWith("-")) {
        (line.startsWith("+") ? added : removed).push(text);
        if (enclosing !== undefined) around.push(enclosing);
        enclosing = undefined;
      } else if (definitionOn(text, document) !== undefined) enclosing = text;
    }
  }
  if (added.length + removed.length === 0) return undefined;
  return patchOf(added, removed, around, document);
}

/** Reads the difference of two texts: what is only in one of them, line by line. */
export function patchFromTexts(before: string, after: string, document: boolean): Patch {
  const old = before === "" ? [] : before.replace(/\n$/, "").split("\n", maxLines);
  const fresh = after === "" ? [] : after.replace(/\n$/, "").split("\n", maxLines);
  const counts = new Map<string, number>();
  for (const line of old) counts.set(line, (counts.get(line) ?? 0) + 1);
  const added: string[] = [];
  const kept: string[] = [];
  for (const line of fresh) {
    const left = counts.get(line) ?? 0;
    if (left > 0) {
      counts.set(line, left - 1);
      kept.push(line);
    } else added.push(line);
  }
  const removed: string[] = [];
  for (const line of old) {
    const left = counts.get(line) ?? 0;
    if (left === 0) continue;
    counts.set(line, left - 1);
    removed.push(line);
  }
  return patchOf(added, removed, kept, document);
}

function patchOf(added: string[], removed: string[], around: string[], document: boolean): Patch {
  const plus = definitionsOn(added, document);
  const minus = definitionsOn(removed, document);
  const plusNames = new Set(plus.map((definition) => definition.name));
  const minusNames = new Set(minus.map((definition) => definition.name));
  const touched = [
    ...plus.filter((definition) => minusNames.has(definition.name)),
    ...definitionsOn(around, document),
  ];
  const names = new Set<string>();
  return {
    added,
    removed,
    defined: plus.filter((definition) => !minusNames.has(definition.name)),
    dropped: minus.filter((definition) => !plusNames.has(definition.name)),
    touched: touched.filter((definition) => {
      if (names.has(definition.name)) return false;
      names.add(definition.name);
      return true;
    }),
  };
}

/** The nearest line above that defines something and is indented less, looking at most 400 lines up. */
function enclosingLine(
  lines: readonly string[],
  index: number,
  document: boolean,
): string | undefined {
  for (let at = Math.min(index, lines.length - 1); at >= Math.max(0, index - 400); at--) {
    const line = lines[at] ?? "";
    if (definitionOn(line, document) !== undefined) return line;
  }
  return undefined;
}
