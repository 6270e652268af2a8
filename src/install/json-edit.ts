// Adds to and removes from JSON text without touching a byte of the rest; comments and trailing commas are tolerated.
import type { Node } from "jsonc-parser";

/** A document's own habits. */
interface Form {
  indent: string;
  eol: string;
}

/** `text` with `value` as the last element of the array `list`, in the form of its neighbours. */
export function appendElement(text: string, list: Node, value: unknown): string {
  return append(text, list, (form, indent) => render(value, form, indent), JSON.stringify(value));
}

/** `text` with the property `key` at the end of the object `holder`. */
export function appendProperty(text: string, holder: Node, key: string, value: unknown): string {
  const name = `${JSON.stringify(key)}:`;
  return append(
    text,
    holder,
    (form, indent) => `${name} ${render(value, form, indent)}`,
    `${name}${JSON.stringify(value)}`,
  );
}

function append(
  text: string,
  holder: Node,
  rendered: (form: Form, indent: string) => string,
  compact: string,
): string {
  const form = formOf(text);
  const start = holder.offset + 1;
  const end = endOf(holder) - 1;
  const last = holder.children?.at(-1);
  if (!last) {
    const outer = indentAt(text, holder.offset);
    const inner = outer + form.indent;
    const inside = text.slice(start, end);
    // A comment in there stays, below what is added.
    const rest = inside.trim() === "" ? form.eol + outer : inside;
    return splice(text, start, end, form.eol + inner + rendered(form, inner) + rest);
  }
  const after = endOf(last);
  const trailing = commaIn(text, after, end);
  const first = holder.children?.[0] ?? last;
  if (!text.slice(holder.offset, first.offset).includes("\n")) {
    const at = trailing === undefined ? after : trailing + 1;
    return splice(text, at, at, trailing === undefined ? `,${compact}` : `${compact},`);
  }
  const indent = indentAt(text, last.offset);
  const line = form.eol + indent + rendered(form, indent);
  const from = trailing === undefined ? after : trailing + 1;
  // A remark at the end of the last line belongs to that line.
  const remark = /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/)(?=\r?\n)/.exec(text.slice(from, end));
  const at = from + (remark?.[0].length ?? 0);
  const added = splice(text, at, at, trailing === undefined ? line : `${line},`);
  return trailing === undefined ? splice(added, after, after, ",") : added;
}

/** `text` without the property or element `item` of `holder`. */
export function removeChild(text: string, holder: Node, item: Node): string {
  const children = holder.children ?? [];
  const index = children.indexOf(item);
  const [before, next] = [children[index - 1], children[index + 1]];
  const begin = item.offset - (/\s*$/.exec(text.slice(0, item.offset))?.[0].length ?? 0);
  if (before) {
    const comma = commaIn(text, endOf(before), item.offset) ?? begin;
    return splice(splice(text, Math.max(begin, comma + 1), endOf(item), ""), comma, comma + 1, "");
  }
  const comma = commaIn(text, endOf(item), next?.offset ?? endOf(holder) - 1);
  const end = comma === undefined ? endOf(item) : comma + 1;
  if (next) return splice(text, begin, end, "");
  const inside = text.slice(holder.offset + 1, begin) + text.slice(end, endOf(holder) - 1);
  const start = holder.offset + 1;
  return splice(text, start, endOf(holder) - 1, inside.trim() === "" ? "" : inside);
}

/** Offset of the first comma outside comments, or undefined. There are no strings between two nodes. */
function commaIn(text: string, from: number, to: number): number | undefined {
  const parts = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|,/g;
  for (const found of text.slice(from, to).matchAll(parts))
    if (found[0] === ",") return from + found.index;
  return undefined;
}

function endOf(node: Node): number {
  return node.offset + node.length;
}

function splice(text: string, start: number, end: number, between: string): string {
  return text.slice(0, start) + between + text.slice(end);
}

function render(value: unknown, { indent, eol }: Form, outer: string): string {
  return JSON.stringify(value, null, indent).replaceAll("\n", eol + outer);
}

/** White space at the begin of the line that holds `offset`. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

function formOf(text: string): Form {
  const indent = /^([ \t]+)["{}[\]]/m.exec(text)?.[1] ?? "  ";
  return { indent, eol: text.includes("\r\n") ? "\r\n" : "\n" };
}
