// Small pure tools for text: budgets that never split a word or a surrogate pair, words, single lines and names.

import type { TokenUsage } from "../sdk/work.ts";
import { mapLeaves } from "./deep.ts";

const lead = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const trail = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

const astral = /[\ud800-\udfff]/;
const astralAll = /[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g;

/** The text with every character outside the Basic Multilingual Plane, and every lone surrogate, replaced by U+FFFD. */
export function toBmp(text: string): string {
  return astral.test(text) ? text.replace(astralAll, "\ufffd") : text;
}

/** The first `max` UTF-16 units, one fewer where the cut would fall inside a surrogate pair. */
export function head(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = Math.max(0, max);
  const splits = end > 0 && lead(text.charCodeAt(end - 1)) && trail(text.charCodeAt(end));
  return text.slice(0, splits ? end - 1 : end);
}

/** How far back a cut looks for a space before it gives up and cuts inside the word. */
const wordSearch = 40;

/**
 * The text in at most `max` UTF-16 units, `ellipsis` included. Cuts at a space where one is near, else inside the
 * word; never inside a surrogate pair.
 */
export function cut(text: string, max: number, ellipsis = "…"): string {
  if (text.length <= max) return text;
  if (max <= ellipsis.length) return head(text, max);
  const budget = max - ellipsis.length;
  const kept = head(text, budget);
  if (/\s/.test(text.charAt(kept.length))) return kept.trimEnd() + ellipsis;
  let at = kept.length;
  const stop = Math.max(0, kept.length - wordSearch);
  while (at > stop && !/\s/.test(kept.charAt(at - 1))) at--;
  const whole = at > stop ? kept.slice(0, at) : kept;
  return whole.replace(/[\s,;:([{–—-]+$/, "") + ellipsis;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are made of control characters
const ansi = /\u001b(?:\[[0-?]*[ -/]*[@-~]?|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])?/g;

/** The text without terminal escape sequences (colours, cursor moves, window titles, links). */
export function stripAnsi(text: string): string {
  return text.includes("\u001b") ? text.replace(ansi, "") : text;
}

/** All white space, line ends included, collapsed to single spaces; trimmed. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** The words of a text: what white space separates. */
function words(text: string): string[] {
  return text.match(/\S+/g) ?? [];
}

/** Number of words. */
export function countWords(text: string): number {
  return words(text).length;
}

/** The first `max` words, joined by single spaces, with `ellipsis` when something was left out. */
export function limitWords(text: string, max: number, ellipsis = ""): string {
  const all = words(text);
  if (all.length <= max) return all.join(" ");
  const kept = all.slice(0, Math.max(0, max)).join(" ");
  return kept.replace(/[,;:(–—-]+$/, "") + ellipsis;
}

/** The text with its first letter in upper case. */
export function capitalize(text: string): string {
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0);
  return text === "" ? text : first.toUpperCase() + text.slice(first.length);
}

/** The last part of a path or of a project's id, whichever way its separators lean; the whole where it has none. */
export function baseName(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== "") ?? path;
}

/** The words of a name in camel case: `next steps` of `nextSteps`, or `next_steps` with that separator. */
export function nameWords(name: string, separator = " "): string {
  return name.replace(/[A-Z]/g, (letter) => separator + letter.toLowerCase());
}

/** `1 file`, `2 files`, `2 entries`: a count and its noun. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

// What others wrote, as it is told to an agent: nothing in it can be taken for the client's words, a mark of memoir's, or the quotation's end. Pure.

/** Characters that are not seen, or turn the order of what is; what scripts need to join letters stays. */
const unseen = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}]/gu;
/** The beginning of a tag, or its end. Behind a word only one with a name of who speaks, or with a hyphen: `Map<string>` is none. */
const tag =
  /[<＜](?=[/!?|]|(?:system|human|assistant|tool_(?:use|result)|function_|antml:|memoir-context)|\p{L}+(?:-\p{L}+)+\s*>)|(?<![\p{L}\p{N}_])[<＜](?=\p{L})/giu;

/** The text without characters that are not seen, and with tags that are none any more. */
export function asData(text: string): string {
  return asSeen(text).replace(tag, "‹");
}

/** Without what is not seen, or turns the order of what is; tags stay. */
export function asSeen(text: string): string {
  return stripAnsi(text).replace(unseen, "");
}

/** The same for every text in a JSON value. */
export function asDataDeep<Value>(value: Value): Value {
  return mapLeaves(value, { text: asData }) as Value;
}

/** The same for what stands between “ and ”: it cannot end them. */
export function asQuoted(text: string): string {
  return asData(text).replace(/[“”„]/g, '"');
}

// Keeps what a plugin remembers within bounds.

/** Takes out what was put into a Map or Set first, until at most `most` are left. */
export function dropOldest<Key>(
  held: { readonly size: number; keys(): Iterator<Key>; delete(key: Key): boolean },
  most: number,
): void {
  while (held.size > most) {
    const oldest = held.keys().next();
    if (oldest.done) return;
    held.delete(oldest.value);
  }
}

// Counting tokens: an estimate that needs no tokenizer, and one figure for what a request took.

/** Estimated tokens of a text: 4 characters a token for Latin text, 1 for CJK. An estimate, ±20 % on prose and code. */
export function estimateTokens(text: string): number {
  let wide = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= 0x2e80) wide++;
  return Math.ceil((text.length - wide) / 4 + wide);
}

/**
 * One figure for a request's usage: input, output and cache writes count in full, cache reads at a tenth (as they are
 * priced against input). A whole number.
 */
export function weighTokens({ input, output, cacheRead, cacheWrite }: TokenUsage): number {
  return Math.round(input + output + cacheWrite + cacheRead / 10);
}

// Reading values whose shape is somebody else's: nothing throws, what is not there is empty.

/** True for an object that is no list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value as an object; empty when it is none. */
export function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

/** The value's own field of this name; undefined where it is no object or has none. */
export function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** The first of these fields that is a text; empty when none is. */
export function textField(value: unknown, ...names: string[]): string {
  for (const name of names) {
    const found = field(value, name);
    if (typeof found === "string" && found !== "") return found;
  }
  return "";
}

/** A field that is a list; empty when it is none. */
export function listField(value: unknown, name: string): readonly unknown[] {
  const found = field(value, name);
  return Array.isArray(found) ? found : [];
}

/** The text of a content-block list or a plain text; empty for anything else. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return "";
  return value
    .map((block) => textField(block, "text"))
    .filter(Boolean)
    .join("\n");
}
