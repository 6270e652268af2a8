// Names of the functions, types and sections that a change touched, from the client's structured patch: labels to find a turn by. Pure.
import { listField, recordOf, textField } from "../text/text.ts";

/** A word that many languages put before a name they define, and the name. */
const named =
  /^\s*(?:[\w@()]+\s+){0,4}?(?:function|func|fun|fn|def|defp|defmodule|class|struct|interface|enum|trait|type|module|namespace|impl|record|protocol|object|extension)\b\s*\*?\s*(?:\([^)]*\)\s*)?(?:<[^>]*>\s*)?([\p{L}_$][\p{L}\p{N}_$.?!-]*)/u;
/** A value at the left margin. */
const value =
  /^(?:export\s+)?(?:pub\s+)?(?:const|let|var|val|static)\s+(?:mut\s+)?([\p{L}_$][\p{L}\p{N}_$]*)/u;
/** A name, a list in parentheses, and an opening brace: a method. One that is given a text or a function is called. */
const method =
  /^\s*(?:[\w<>[\],.?*&]+\s+){0,5}([\p{L}_$][\p{L}\p{N}_$]*)\s*\((?!["'`]|.*\bfunc(?:tion)?\s*\()[^;]*\)[^;={}]*(?:=>\s*)?\{\s*$/u;
const firstWord = /^[\s}]*([a-z]+)\b(?!\s*:)/;
const heading = /^#{1,6}\s+(.{2,80}?)\s*#*$/;
/** Heads of blocks that name nothing. */
const blocks =
  /^(?:if|else|elif|for|foreach|while|switch|case|catch|try|do|with|return|match|when|unless|until|await|new|throw|using|lock|select|defer|go)$/;

/** The name that a line defines; undefined when it defines none. `document`: Markdown headings instead. */
export function definedOn(line: string, document = false): string | undefined {
  if (line.length > 300) return undefined;
  if (document) return heading.exec(line)?.[1];
  if (blocks.test(firstWord.exec(line)?.[1] ?? "")) return undefined;
  const name = named.exec(line)?.[1] ?? value.exec(line)?.[1] ?? method.exec(line)?.[1];
  return name === undefined || name.length < 2 || blocks.test(name) ? undefined : name;
}

const isFence = (line: string) => /^\s*(?:```|~~~)/.test(line);

/** How far above a change its definition is looked for. */
const linesAbove = 400;

/** A line of a file, or of a patch, where it has a mark. In a fence of a document it names nothing. */
interface Line {
  text: string;
  mark?: string;
  isFenced: boolean;
}

/** Names defined on changed lines, and of the definitions around them; in order, each once, at most `most`. */
export function touchedSymbols(response: unknown, path: string, most: number): string[] {
  const document = /\.(?:mdx?|markdown|rst|adoc)$/i.test(path);
  const found = new Set<string>();
  const original = textField(response, "originalFile");
  let old: Line[] | undefined;
  const before = () => {
    old ??= fileLines(original, document);
    return old;
  };
  const nameOf = ({ text, isFenced }: Line) => (isFenced ? undefined : definedOn(text, document));
  for (const hunk of listField(response, "structuredPatch")) {
    const { oldStart } = recordOf(hunk);
    const start = typeof oldStart === "number" ? oldStart : 1;
    const isInFence = document && before()[start - 1]?.isFenced === true;
    const lines = hunkLines(listField(hunk, "lines"), document, isInFence);
    for (const [at, line] of lines.entries()) {
      if (!/[+-]/.test(line.mark ?? "") || line.text.trim() === "") continue;
      for (const name of [
        around(line, linesOver(lines, at, before, start), document),
        nameOf(line),
      ])
        if (name !== undefined && found.size < most) found.add(name);
    }
  }
  return [...found];
}

/** The file as it was. */
function fileLines(original: string, document: boolean): Line[] {
  const texts = original === "" ? [] : original.split("\n", 50_000);
  let inFence = false;
  return texts.map((text) => {
    const line = { text, isFenced: inFence };
    if (document && isFence(text)) inFence = !inFence;
    return line;
  });
}

function hunkLines(lines: readonly unknown[], document: boolean, isInFence: boolean): Line[] {
  let inFence = isInFence;
  return lines.flatMap((line) => {
    if (typeof line !== "string") return [];
    const [mark = "", text] = [line[0], line.slice(1)];
    if (document && isFence(text) && mark !== "-") inFence = !inFence;
    return [{ text, mark, isFenced: inFence }];
  });
}

/** From the line above one of a patch upwards: those that were there, or are there now, with it. */
function* linesOver(
  lines: readonly Line[],
  at: number,
  before: () => readonly Line[],
  start: number,
): Generator<Line> {
  const other = lines[at]?.mark === "+" ? "-" : "+";
  let left = linesAbove;
  for (let i = at - 1; i >= 0 && left-- > 0; i--) {
    const line = lines[i];
    if (line && line.mark !== other) yield line;
  }
  for (let i = start - 2; i >= 0 && left-- > 0; i--) {
    const line = before()[i];
    if (line) yield line;
  }
}

/** The definition in which a line stands: the nearest above that is less deep than it and all between them. */
function around(line: Line, above: Iterable<Line>, document: boolean): string | undefined {
  let depth = document ? depthOf(line, document) : indentation(line.text);
  // The last line of a list of parameters stands as deep as what it is a part of.
  if (line.text.trimStart().startsWith(")")) depth++;
  for (const one of above) {
    const its = depthOf(one, document);
    if (its >= depth) continue;
    const name = one.isFenced ? undefined : definedOn(one.text, document);
    if (name !== undefined) return name;
    depth = its;
    if (depth === 0) return undefined;
  }
  return undefined;
}

/** A line without a word first, as of a list of parameters that ends or a comment, stands nowhere. */
const placed = /^\s*[\p{L}_$@}]/u;
const deepest = Number.POSITIVE_INFINITY;

/** By its indentation; in a document by its heading, which ends what is below it. */
function depthOf({ text, isFenced }: Line, document: boolean): number {
  if (document) return isFenced ? deepest : (/^#{1,6}(?=\s)/.exec(text)?.[0].length ?? deepest);
  return placed.test(text) ? indentation(text) : deepest;
}

const indentation = (text: string) => text.length - text.trimStart().length;
