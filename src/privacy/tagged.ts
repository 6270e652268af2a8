// Takes out what stands between two tags, whatever form the tags take. Fails closed: in doubt, text goes.

import { matchEnd } from "../text/sticky.ts";
import { disguises, viewOf } from "./view.ts";

/** A compiled tag name; see `compileTag`. */
interface Tag {
  /** Cheap test: false means that no tag can be there. */
  probe: RegExp;
  /** Every opening or closing tag up to its name; group 1 is the slash of a closing one. */
  start: RegExp;
  /** True: only `<name>` and `<name key=value>` open (the name is an everyday word). */
  strict: boolean;
}

const less = String.raw`(?:<|&(?:amp;){0,3}(?:lt|#0{0,4}60|#x0{0,4}3c);|\\u003c|\\x3c|%3c)`;
const greater = String.raw`(?:>|&(?:amp;){0,3}(?:gt|#0{0,4}62|#x0{0,4}3e);|\\{1,8}u003e|\\{1,8}x3e|%3e)`;
const slash = String.raw`\\{0,4}\/|&#x0{0,4}2f;|&#0{0,4}47;|\\u002f|%2f`;

/** How far after its name a tag may end. */
const tagLength = 300;
const tagEnd = new RegExp(greater, "i");
const emptyEnd = new RegExp(String.raw`(?:\s|\\[nrt]){0,8}(?:${slash})?\s{0,8}${greater}`, "iy");

/** Compiles a tag name, for plain, HTML-escaped, JSON-escaped and URL-escaped tags in any case. */
export function compileTag(name: string, { strict }: { strict: boolean }): Tag {
  return {
    probe: new RegExp(name, "i"),
    start: new RegExp(String.raw`${less}\s{0,4}(${slash})?\s{0,4}${name}(?![\w-])`, "gi"),
    strict,
  };
}

/** The text as tags are looked for in it: without full width and characters without width. */
const plain = (text: string): string => viewOf(text, disguises)?.text ?? text;

/** Every tag of this name in a plain text, with its place; none where a quick look says so. */
function* tagsOf(text: string, tag: Tag) {
  if (!tag.probe.test(text)) return;
  for (const found of text.matchAll(tag.start)) {
    const start = found.index;
    const afterName = start + found[0].length;
    const closes = found[1] !== undefined;
    const end = closes ? closeEnd(text, afterName) : openEnd(text, afterName, tag);
    if (end >= 0) yield { closes, start, end };
  }
}

/** True when the text holds an opening or closing tag of this name, be it in full width or with characters without width. */
export function hasTag(text: string, tag: Tag): boolean {
  return !tagsOf(plain(text), tag).next().done;
}

/** False when no tag of this name can stand in the text: a quick look before a slower one. */
export function mayHoldTag(text: string, tag: Tag): boolean {
  return tag.probe.test(plain(text));
}

/**
 * The text without tagged content and without the tags. Tags nest. Where the pairs do not match, more goes rather
 * than less: after an opening tag that is never closed everything to the end, and before a closing tag that was
 * never opened everything from the beginning.
 */
export function stripTagged(text: string, tag: Tag): string {
  const view = viewOf(text, disguises);
  const seen = view?.text ?? text;
  let kept: Array<[from: number, to: number]> = [];
  let from = 0;
  let depth = 0;
  let isTagged = false;
  for (const { closes, start, end } of tagsOf(seen, tag)) {
    isTagged = true;
    if (!closes) {
      if (depth === 0) kept.push([from, start]);
      depth++;
      continue;
    }
    if (depth === 0) kept = [];
    else depth--;
    if (depth === 0) from = end;
  }
  if (!isTagged) return text;
  if (depth === 0) kept.push([from, seen.length]);
  const source = (at: number): number => view?.source(at) ?? at;
  return kept.map(([start, end]) => text.slice(source(start), source(end))).join("");
}

/** How many tags of a text have their partner in none of its own: closing ones before it, opening ones after it. */
export function unpaired(text: string, tag: Tag): { unopened: number; unclosed: number } {
  const count = { unopened: 0, unclosed: 0 };
  for (const { closes } of tagsOf(plain(text), tag))
    if (!closes) count.unclosed++;
    else if (count.unclosed > 0) count.unclosed--;
    else count.unopened++;
  return count;
}

/** So much of a text's end, and of the next one's beginning, may be of a tag that is torn between them. */
const tornLength = 64;
const tornEnd = new RegExp(`${less}[^<>]{0,40}$`, "i");

/** Whether a tag may begin at the text's end, and go on in the next text: a quick look. */
export function mayBeTorn(text: string): boolean {
  const end = text.slice(-tornLength);
  return tornEnd.test(plain(end));
}

/** What stands partly at the end of one text and partly at the beginning of the next. */
export function tornTag(before: string, after: string, tag: Tag): "opens" | "closes" | undefined {
  const [end, begin] = [before.slice(-tornLength), after.slice(0, tornLength)];
  if (!mayBeTorn(end) || hasTag(end, tag)) return undefined;
  const [joined, own] = [unpaired(end + begin, tag), unpaired(begin, tag)];
  if (joined.unopened > own.unopened) return "closes";
  // Its closing tag may stand in the same text.
  return joined.unclosed > own.unclosed || joined.unopened < own.unopened ? "opens" : undefined;
}

/** Where the opening tag whose name ends at `at` ends; -1 when this is no tag. A torn tag ends with its name. */
function openEnd(text: string, at: number, tag: Tag): number {
  const empty = matchEnd(emptyEnd, text, at);
  if (empty !== undefined) return empty;
  const rest = text.slice(at, at + tagLength);
  const end = tagEnd.exec(rest);
  if (!end) return !tag.strict || /^\s|^\\[nrt]|^$/.test(rest) ? at : -1;
  if (tag.strict && !/^\s[^=<]*=/.test(rest.slice(0, end.index))) return -1;
  return at + end.index + end[0].length;
}

function closeEnd(text: string, at: number): number {
  return matchEnd(emptyEnd, text, at) ?? at;
}
