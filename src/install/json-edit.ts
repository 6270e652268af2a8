// Changes JSON text in places, without touching a byte of the rest: comments, trailing commas and a byte order mark stay.
import {
  findNodeAtLocation,
  getNodeValue,
  type JSONPath,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { MemoirError } from "../sdk/errors.ts";

const bom = "\ufeff";

/** A text taken apart for an edit. */
interface OpenText {
  /** A byte order mark: no part of what the parser counts. */
  mark: string;
  /** An empty file counts as an empty object. */
  body: string;
  root: Node;
}

/** Throws `settings_unreadable` with the place for what is not valid JSON. */
export function openText(text: string, path: string): OpenText {
  const mark = text.startsWith(bom) ? bom : "";
  const given = text.slice(mark.length);
  const body = given.trim() === "" ? "{}\n" : given;
  const errors: ParseError[] = [];
  const root = parseTree(body, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (root && !first) return { mark, body, root };
  const before = body.slice(0, first?.offset ?? 0).split("\n");
  const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  const what = first ? ` (${words(printParseErrorCode(first.error))})` : "";
  throw new MemoirError("settings_unreadable", `${path} is not valid JSON: ${place}${what}.`);
}

/** `PropertyNameExpected` → `property name expected`. */
function words(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
}

/** What stands at a place; undefined where nothing does. */
export function valueAt(text: string, at: Readonly<JSONPath>, path: string): unknown {
  const node = findNodeAtLocation(openText(text, path).root, [...at]);
  return node && getNodeValue(node);
}

/**
 * The text with `value` at a place where nothing is, as the last of its neighbours; `made` of the objects around it were
 * missing. Throws `settings_unreadable` where one of them is no object.
 */
export function putAt(
  text: string,
  at: readonly string[],
  value: unknown,
  path: string,
): { text: string; made: number } {
  const { mark, body, root } = openText(text, path);
  let there = 0;
  let holder = root;
  for (; there < at.length - 1; there++) {
    const next = findNodeAtLocation(root, at.slice(0, there + 1));
    if (!next) break;
    holder = next;
  }
  if (holder.type !== "object") throw unknownForm(path);
  const [name = "", ...inner] = at.slice(there);
  const whole = inner.reduceRight<unknown>((rest, key) => ({ [key]: rest }), value);
  return { text: mark + appendProperty(body, holder, name, whole), made: inner.length };
}

/** The text with `value` behind the last element of the list at a place. */
export function pushAt(text: string, at: JSONPath, value: unknown, path: string): string {
  const { mark, body, root } = openText(text, path);
  const list = findNodeAtLocation(root, at);
  if (list?.type !== "array") throw unknownForm(path);
  return mark + appendElement(body, list, value);
}

/** The text with another value in the place of one. */
export function replaceAt(text: string, at: JSONPath, value: unknown, path: string): string {
  const { mark, body, root } = openText(text, path);
  const node = findNodeAtLocation(root, at);
  return node
    ? mark + splice(body, node.offset, endOf(node), JSON.stringify(value))
    : putAt(text, at.map(String), value, path).text;
}

/** The text without what stands at a place, its name included. */
export function removeAt(text: string, at: Readonly<JSONPath>, path: string): string {
  const { mark, body, root } = openText(text, path);
  const found = findNodeAtLocation(root, [...at]);
  const item = found?.parent?.type === "property" ? found.parent : found;
  return item?.parent ? mark + removeChild(body, item.parent, item) : text;
}

/** The text without the object or list at a place and those around it, up to `most`, as far as nothing is in them. */
export function removeEmpty(
  text: string,
  at: readonly string[],
  most: number,
  path: string,
): string {
  let result = text;
  for (let depth = at.length; depth > at.length - most; depth--) {
    const node = findNodeAtLocation(openText(result, path).root, at.slice(0, depth));
    const isEmpty = node?.children?.length === 0;
    if (!isEmpty) break;
    result = removeAt(result, at.slice(0, depth), path);
  }
  return result;
}

/** For a client's file that is read as it should not be. */
export function unknownForm(path: string): MemoirError {
  return new MemoirError("settings_unreadable", `${path} does not have the form that is known.`, {
    fix: "Start the client once to have it repair its file, then run the command again.",
  });
}

/** A document's own habits. */
interface Form {
  indent: string;
  eol: string;
}

/** `text` with `value` as the last element of the array `list`, in the form of its neighbours. */
function appendElement(text: string, list: Node, value: unknown): string {
  return append(text, list, (form, indent) => render(value, form, indent), JSON.stringify(value));
}

/** `text` with the property `key` at the end of the object `holder`. */
function appendProperty(text: string, holder: Node, key: string, value: unknown): string {
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
function removeChild(text: string, holder: Node, item: Node): string {
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
