// Names of the functions, types and sections that a change touched, from the client's structured patch: labels to find a turn by.
import { listField, recordOf, textField } from "../text/text.ts";

/** A word that many languages put before a name they define, and the name. */
const named =
  /^\s*(?:[\w@()]+\s+){0,4}?(?:function|func|fun|fn|def|defp|defmodule|class|struct|interface|enum|trait|type|module|namespace|impl|record|protocol|object|extension)\b\s*\*?\s*(?:\([^)]*\)\s*)?(?:<[^>]*>\s*)?([\p{L}_$][\p{L}\p{N}_$.?!-]*)/u;
/** A value at the left margin. */
const value =
  /^(?:export\s+)?(?:pub\s+)?(?:const|let|var|val|static)\s+(?:mut\s+)?([\p{L}_$][\p{L}\p{N}_$]*)/u;
/** A name, a list in parentheses, and an opening brace: a method. */
const method =
  /^\s*(?:[\w<>[\],.?*&]+\s+){0,5}([\p{L}_$][\p{L}\p{N}_$]*)\s*\([^;]*\)[^;={}]*(?:=>\s*)?\{\s*$/u;
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

/** Names defined on changed lines, and of the definitions around them; in order, each once, at most `most`. */
export function touchedSymbols(response: unknown, path: string, most: number): string[] {
  const document = /\.(?:mdx?|markdown|rst|adoc)$/i.test(path);
  const found = new Set<string>();
  const add = (name: string | undefined) => {
    if (name !== undefined && found.size < most) found.add(name);
  };
  const original = textField(response, "originalFile");
  let old: Before | undefined;
  const before = () => {
    old ??= readBefore(original, document);
    return old;
  };
  for (const hunk of listField(response, "structuredPatch")) {
    const start = recordOf(hunk).oldStart;
    let around: string | undefined;
    let known = false;
    let inFence = false;
    if (document) inFence = before().fenced.has(Number(start) - 1);
    for (const line of listField(hunk, "lines")) {
      if (typeof line !== "string") continue;
      if (document && isFence(line.slice(1)) && !line.startsWith("-")) inFence = !inFence;
      const name = inFence ? undefined : definedOn(line.slice(1), document);
      if (line.startsWith("+") || line.startsWith("-")) {
        if (name === undefined && around === undefined && !known) {
          known = true;
          around = above(before(), (typeof start === "number" ? start : 0) - 2, document);
        }
        add(around);
        add(name);
      } else if (name !== undefined) around = name;
    }
  }
  return [...found];
}

/** The file as it was. A comment of a script in a document is no heading: `fenced` are such lines. */
interface Before {
  lines: string[];
  fenced: Set<number>;
}

function readBefore(original: string, document: boolean): Before {
  const lines = original === "" ? [] : original.split("\n", 50_000);
  const fenced = new Set<number>();
  let inFence = false;
  if (document)
    for (const [at, line] of lines.entries()) {
      if (inFence) fenced.add(at);
      if (isFence(line)) inFence = !inFence;
    }
  return { lines, fenced };
}

function above({ lines, fenced }: Before, from: number, document: boolean): string | undefined {
  for (let at = Math.min(from, lines.length - 1); at >= Math.max(0, from - linesAbove); at--) {
    const name = fenced.has(at) ? undefined : definedOn(lines[at] ?? "", document);
    if (name !== undefined) return name;
  }
  return undefined;
}
