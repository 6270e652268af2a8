// Small pure tools for text: budgets, single lines and names; texts as data; values whose shape is somebody else's; shortening; times.
import type { TokenUsage } from "../sdk/work.ts";

// Scripts whose words are not parted by blanks, as ranges for the inside of a character class.

const thai = "\\u0e00-\\u0e7f";
/** Chinese characters and both of Japan's own scripts. */
const eastern = "\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff";
const hangul = "\\uac00-\\ud7af";

/** Written without blanks, or with endings tied to words: compared by pairs of characters. */
export const unspacedRange = `${thai}${eastern}${hangul}`;

const unspaced = new RegExp(`[${unspacedRange}]`);

/** True where a text has a character of such a script. */
export function hasUnspaced(text: string): boolean {
  return unspaced.test(text);
}

/** The same but for Korean, which has blanks between its words. */
export const blanklessRange = `${thai}${eastern}`;

/** Scripts of which a character is a syllable or a word: they say more in fewer of them. */
export const denseRange = `${eastern}${hangul}`;

// Texts.

/** Part of a text without Markdown's signs, which mean nothing in a line. */
export const unmarked = (text: string) =>
  text
    .replace(/(?<!\S)```\w*\s?|`+|\*\*(?=\S)|(?<=\S)\*\*|(?<!\S)#{1,6} /g, "")
    .replace(/(?<![\w*/])\*(?=[^\s*/])([^*\n]*[^\s*])\*(?![\w*/])/g, "$1");

/** A line that only parts others: `---`, `***`. */
const rule = /^[\s\-=*_~|:+#>.]*$/;
/** The rule of a table, also where its lines are one. */
const tableRule = /\|(?:\s*:?-+:?\s*\|)+/g;

/** A passage of Markdown in one line: paragraphs, list items and cells parted by a dot, without rules and signs. */
export function asLine(text: string): string {
  let line = "";
  let isParted = false;
  for (const written of unmarked(text).replace(tableRule, "\n|\n").split(/\r?\n/)) {
    const cells = /^\s*\|(.*?)\|?\s*$/.exec(written)?.[1]?.split("|");
    const raw = cells ? cells.map(oneLine).filter(Boolean).join(" · ") : written;
    const [lead = ""] = /^\s*(?:[-*+•>]\s+|#{1,6}\s+)*/.exec(raw) ?? [];
    isParted ||= cells !== undefined || lead.trim() !== "";
    if (rule.test(raw)) isParted = true;
    else {
      const parting = isParted && !/[.:;,!?…。：！？]$/u.test(line) ? " · " : " ";
      line += `${line === "" ? "" : parting}${oneLine(raw.slice(lead.length))}`;
      isParted = false;
    }
  }
  return line;
}

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

/** What white space separates; in a script without blanks, three characters. */
const word = new RegExp(`[${blanklessRange}]{1,3}|[^\\s${blanklessRange}]+`, "g");

/** Number of words. */
export function countWords(text: string): number {
  return text.match(word)?.length ?? 0;
}

/** The first `max` words, joined by single spaces, with `ellipsis` when something was left out. */
export function limitWords(text: string, max: number, ellipsis = ""): string {
  const line = oneLine(text);
  const next = [...line.matchAll(word)][Math.max(0, max)];
  if (next === undefined) return line;
  const kept = line.slice(0, next.index).trimEnd();
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

/** `C:\\a`, `c:/a`, or of another machine: `\\\\host\\share`. */
export const windowsPath = /^(?:[A-Za-z]:[\\/]|\\\\)/;

/** True for `/a`, `C:\\a` and `\\\\host\\share`, on any system. */
export function isAbsolutePath(path: string): boolean {
  return path.startsWith("/") || windowsPath.test(path);
}

/** The words of a name in camel case: `next steps` of `nextSteps`, or `next_steps` with that separator. */
export function nameWords(name: string, separator = " "): string {
  return name.replace(/[A-Z]/g, (letter) => separator + letter.toLowerCase());
}

/** `1 file`, `2 files`, `2 entries`: a count and its noun. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

// What others wrote, as it is shown to an agent: nothing in it can be taken for the client's words, a mark of memoir's, or the quotation's end. Pure.

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

// Shortens a text at the end of a line or sentence, with "…" where something is missing, and says how much that is.

/** A text and how many characters of it were left out (0: it is whole). */
interface Shortened {
  text: string;
  leftOut: number;
}

/** What stands in a text for characters that were left out when it came in. */
export function omissionMark(characters: number): string {
  return `[memoir left out ${characters} characters here]`;
}

const omissions = /\[memoir left out (\d{1,12}) characters here\]/g;

const gap = "\n…\n";
const sentenceEnd = /[.!?。！？…:;]["'”’)\]*_`]*\s+$/;

/** Beginning and end in at most `most` characters; of a `log` more of the end. Never half a surrogate pair. */
export function shorten(whole: string, most: number, log = false): Shortened {
  const text = whole.trim();
  if (text.length <= most) return { text, leftOut: 0 };
  const room = Math.max(0, most - gap.length);
  const first = beginning(text, Math.floor(room * (log ? 0.3 : 0.7)));
  const last = ending(text.slice(first.length), room - first.length);
  const between = text.slice(first.length, text.length - last.length);
  return {
    text: `${first.trimEnd()}${gap}${last.trimStart()}`,
    leftOut: between.length + omitted(between),
  };
}

/** What a text says that it lacks. */
function omitted(text: string): number {
  return [...text.matchAll(omissions)].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** How far from the limit a good place to cut may be, as a share of it. */
const slack = 0.25;

function beginning(text: string, most: number): string {
  const kept = head(text, most);
  const least = Math.floor(most * (1 - slack));
  const line = kept.lastIndexOf("\n");
  if (line >= least) return kept.slice(0, line + 1);
  for (let at = kept.length; at > least; at--)
    if (isSpace(kept, at - 1) && sentenceEnd.test(kept.slice(Math.max(0, at - 12), at)))
      return kept.slice(0, at);
  for (let at = kept.length; at > Math.max(least, kept.length - 60); at--)
    if (isSpace(kept, at - 1)) return kept.slice(0, at);
  return kept;
}

function ending(text: string, most: number): string {
  let start = Math.max(0, text.length - most);
  const code = text.charCodeAt(start);
  if (start > 0 && code >= 0xdc00 && code <= 0xdfff) start++;
  const latest = start + Math.floor(most * slack);
  const line = text.indexOf("\n", start);
  if (line >= 0 && line < latest) return text.slice(line + 1);
  for (let at = start; at < latest; at++)
    if (isSpace(text, at) && sentenceEnd.test(text.slice(Math.max(0, at - 12), at + 1)))
      return text.slice(at + 1);
  for (let at = start; at < Math.min(latest, start + 60); at++)
    if (isSpace(text, at)) return text.slice(at + 1);
  return text.slice(start);
}

function isSpace(text: string, at: number): boolean {
  const character = text.charAt(at);
  return character !== "" && character.trim() === "";
}

// Walks a JSON value and maps the texts inside it. What does not change keeps its identity.

/** Deeper than any payload worth keeping; below it a value is replaced, so that no nesting can exhaust the stack. */
const maxDepth = 200;

/** What stands in for a value that lies too deep to be looked at. */
export const tooDeep = "[withheld: nested too deep]";

/** Joins the strings of one list while a mapping that spans them is applied. A private-use character marks the seams. */
const seam = "\n\uf8ff";

/** What becomes of the texts, and optionally the numbers, inside a value. */
interface LeafMapping {
  /** Called for every string, and for every key without a `key` of its own. `key` is the nearest property name above. */
  text(text: string, key: string | undefined): string;
  /** Called for every number; left out, numbers stay. */
  number?(value: number, key: string | undefined): number | string;
  /** True when a match that begins in this string may go on in the next string of the same list (lines of a patch). */
  spans?(text: string): boolean;
}

/** The value with every text mapped, keys included. Plain JSON in, plain JSON out. */
export function mapLeaves(value: unknown, mapping: LeafMapping): unknown {
  return walk(value, mapping, undefined, 0);
}

/** True when `test` holds for a text inside the value, keys included, or when something lies too deep to be looked at. */
export function someText(value: unknown, test: (text: string) => boolean): boolean {
  return holdsText(value, test, 0);
}

function holdsText(value: unknown, test: (text: string) => boolean, depth: number): boolean {
  if (typeof value === "string") return test(value);
  if (typeof value !== "object" || value === null) return false;
  if (depth >= maxDepth) return true;
  if (Array.isArray(value)) return value.some((item) => holdsText(item, test, depth + 1));
  return Object.entries(value).some(
    ([name, item]) => test(name) || holdsText(item, test, depth + 1),
  );
}

function walk(
  value: unknown,
  mapping: LeafMapping,
  key: string | undefined,
  depth: number,
): unknown {
  if (typeof value === "string") return mapping.text(value, key);
  if (typeof value === "number") return mapping.number ? mapping.number(value, key) : value;
  if (typeof value !== "object" || value === null) return value;
  if (depth >= maxDepth) return tooDeep;
  if (Array.isArray(value)) return walkList(value, mapping, key, depth);
  return walkObject(value, mapping, depth);
}

function walkList(
  list: readonly unknown[],
  mapping: LeafMapping,
  key: string | undefined,
  depth: number,
): unknown {
  if (mapping.spans && list.length > 1) {
    const texts = list.filter((item) => typeof item === "string");
    if (texts.length === list.length && texts.some((text) => mapping.spans?.(text))) {
      return mapping.text(texts.join(seam), key).split(seam);
    }
  }
  let changed = false;
  const mapped = list.map((item) => {
    const next = walk(item, mapping, key, depth + 1);
    if (next !== item) changed = true;
    return next;
  });
  return changed ? mapped : list;
}

function walkObject(object: object, mapping: LeafMapping, depth: number): unknown {
  let changed = false;
  const entries = Object.entries(object);
  const label = labelOf(entries);
  for (const entry of entries) {
    const [name, item] = entry;
    entry[0] = mapping.text(name, undefined);
    const said = name === "value" || name === "content" ? (label ?? name) : name;
    entry[1] = walk(item, mapping, said, depth + 1);
    if (entry[0] !== name || entry[1] !== item) changed = true;
  }
  // fromEntries defines own properties, so that a key `__proto__` stays a key.
  return changed ? Object.fromEntries(entries) : object;
}

/** A file of one word: what it is called says what the word is. */
const oneWord = /^\s*\S{8,400}\s*$/;

/** The name that `{"name": "DB_PASSWORD", "value": …}` gives its value, and `{"filePath": "master.key", "content": …}` its content. */
function labelOf(entries: ReadonlyArray<[string, unknown]>): string | undefined {
  if (entries.length > 8) return undefined;
  const content = entries.find(([name]) => name === "content")?.[1];
  const isFile = typeof content === "string" && oneWord.test(content);
  if (!isFile && !entries.some(([name]) => name === "value")) return undefined;
  const label = entries.find(
    ([name, item]) =>
      (isFile ? /^file_?path$/i : /^(?:name|key)$/).test(name) && typeof item === "string",
  );
  return label && String(label[1]).replace(/^.*[\\/]/, "");
}

// The only place that uses an expression's `lastIndex`. A shared expression that keeps it makes the next text depend on the last one.

/** The match of a sticky expression that begins at `at`. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  pattern.lastIndex = 0;
  return match ?? undefined;
}

/** Where a match of a sticky expression ends that begins at `at`. */
export function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  const end = pattern.test(text) ? pattern.lastIndex : undefined;
  pattern.lastIndex = 0;
  return end;
}

// How moments are written for a reader, by the clock on their own wall.

/** Writes epoch ms as a day and a time of day. */
export interface Clock {
  /** `2026-11-20`. */
  day(time: number): string;
  /** `14:05`. */
  time(time: number): string;
}

const two = (value: number): string => String(value).padStart(2, "0");

/** The clock of the machine's own time zone. */
export const localClock: Clock = {
  day(time) {
    const date = new Date(time);
    return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  },
  time(time) {
    const date = new Date(time);
    return `${two(date.getHours())}:${two(date.getMinutes())}`;
  },
};
