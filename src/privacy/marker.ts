// What is kept out by tags: memoir's own context, which is marked wherever it goes, and what a person calls `<private>`.
import { mapLeaves, matchEnd, someText, stripAnsi } from "../text/text.ts";

/** A text read in another way. */
interface View {
  text: string;
  /** Where in the text something stands that stands at `at` in the view. */
  source(at: number): number;
}

/** How escapes of one kind are read; the pattern is global. */
interface Escapes {
  /** Cheap test: false means that the text has none. */
  probe: RegExp;
  pattern: RegExp;
  /** What a match stands for, at most as long as the match. */
  read(hit: RegExpExecArray): string;
}

const controls: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: " ", f: " " };
const entities: Readonly<Record<string, string>> = {
  amp: "&",
  quot: '"',
  lt: "<",
  gt: ">",
  apos: "'",
  nbsp: " ",
};
const fromCode = (code: string, base: number): string => {
  const number = Number.parseInt(code, base);
  return number > 0 && number < 0x1_0000 ? String.fromCharCode(number) : " ";
};

/** `\"`, `\n`, `\u0022`, `\x22`: one level of them. */
export const backslashes: Escapes = {
  probe: /\\(?:["nt]|u00|x[2-7])/,
  pattern: /\\(?:(["'\\/])|([nrtbf])|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))/g,
  read: ([, sign, control, long, short]) =>
    sign ?? (control ? (controls[control] ?? " ") : fromCode(long ?? short ?? "20", 16)),
};

/** `%22`, `%3D`. */
export const percents: Escapes = {
  probe: /%[2-7][0-9A-Fa-f]/,
  pattern: /%([0-7][0-9A-Fa-f])/g,
  read: ([, code = "20"]) => fromCode(code, 16),
};

/** `&quot;`, `&#34;`, `&#x22;`. */
export const htmlEntities: Escapes = {
  probe: /&(?:quot|amp|lt|gt|apos|#)/,
  pattern: /&(?:(amp|quot|lt|gt|apos|nbsp)|#(\d{1,5})|#[xX]([0-9a-fA-F]{1,4}));/g,
  read: ([, name, decimal, hex]) =>
    name ? (entities[name] ?? " ") : fromCode(decimal ?? hex ?? "20", decimal ? 10 : 16),
};

/** Letters and signs of full width as plain ones, characters without width as nothing. */
export const disguises: Escapes = {
  // Looked at among other characters beyond ASCII only where one stands: texts are looked through faster for any of these.
  probe:
    /[\u0080-\uffff](?<=[\u00ad\u180e\u200b-\u200f\u2060-\u2064\ufe64\ufe65\ufeff\uff01-\uff5e])/,
  pattern: /[\u00ad\u180e\u200b-\u200f\u2060-\u2064\ufeff]|([\ufe64\ufe65])|([\uff01-\uff5e])/g,
  read: ([sign, small, wide]) => {
    if (small) return small === "\ufe64" ? "<" : ">";
    return wide ? String.fromCharCode((sign ?? " ").charCodeAt(0) - 0xfee0) : "";
  },
};

/** The sign of an added line, or a number of a listing. */
const numbering = String.raw`\uf8ff?(?:\+|[ ]{0,8}\d{1,6}[→\t])?`;
const lead = String.raw`(?:>{1,3}[ ]|(?:[\w@+-]{0,80}[./][\w.@/+-]{1,120}:)?\d{1,6}:(?!\d)|[\w@+-]{0,80}[./][\w.@/+-]{1,120}-\d{1,6}-)`;

/** What stands before the lines of a quotation, and of what grep found: the file and the line's number. */
export const lineLeads: Escapes = {
  // What grep found begins so, or behind the command: no other line is looked at.
  probe: new RegExp(
    String.raw`^(?:\{"\w{1,20}": ?"|(?:[^\n]{0,200}\n){0,2})${numbering}${lead}|\n${numbering}>{1,3}[ ]`,
  ),
  pattern: new RegExp(String.raw`(?<=^|\n|": ?")${numbering}${lead}`, "g"),
  read: () => "",
};

/** A piece of a view, and where in the text it begins. */
export interface Piece {
  from: number;
  text: string;
}

/** The pieces one behind the other. Within a piece characters stand as far from its beginning as in the text. */
export function viewOfPieces(pieces: readonly Piece[]): View {
  const starts: number[] = [];
  let text = "";
  for (const piece of pieces) {
    starts.push(text.length);
    text += piece.text;
  }
  return {
    text,
    source(at) {
      let low = 0;
      let high = starts.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((starts[middle] ?? 0) <= at) low = middle;
        else high = middle - 1;
      }
      return (pieces[low]?.from ?? 0) + at - (starts[low] ?? 0);
    },
  };
}

/** The text with these escapes read; undefined when it has none. */
export function viewOf(text: string, { probe, pattern, read }: Escapes): View | undefined {
  if (!probe.test(text)) return undefined;
  const pieces: Piece[] = [];
  let from = 0;
  // The character that an escape stands for ends the piece before it, so that what begins behind it begins behind the escape.
  for (const hit of text.matchAll(pattern)) {
    pieces.push({ from, text: text.slice(from, hit.index) + read(hit) });
    from = hit.index + hit[0].length;
  }
  if (from === 0) return undefined;
  pieces.push({ from, text: text.slice(from) });
  return viewOfPieces(pieces);
}

// Takes out what stands between two tags, whatever form the tags take. Fails closed: in doubt, text goes.

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
function compileTag(name: string, { strict }: { strict: boolean }): Tag {
  return {
    probe: new RegExp(name, "i"),
    start: new RegExp(String.raw`${less}\s{0,4}(${slash})?\s{0,4}${name}(?![\w-])`, "gi"),
    strict,
  };
}

/** The text as tags are looked for in it: without full width and characters without width. */
const undisguised = (text: string): string => viewOf(text, disguises)?.text ?? text;

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
function hasTag(text: string, tag: Tag): boolean {
  return !tagsOf(undisguised(text), tag).next().done;
}

/** False when no tag of this name can stand in the text: a quick look before a slower one. */
function mayHoldTag(text: string, tag: Tag): boolean {
  return tag.probe.test(undisguised(text));
}

/**
 * The text without tagged content and without the tags. Tags nest. Where the pairs do not match, more goes rather
 * than less: after an opening tag that is never closed everything to the end, and before a closing tag that was
 * never opened everything from the beginning.
 */
function stripTagged(text: string, tag: Tag): string {
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
function unpaired(text: string, tag: Tag): { unopened: number; unclosed: number } {
  const count = { unopened: 0, unclosed: 0 };
  for (const { closes } of tagsOf(undisguised(text), tag))
    if (!closes) count.unclosed++;
    else if (count.unclosed > 0) count.unclosed--;
    else count.unopened++;
  return count;
}

/** So much of a text's end, and of the next one's beginning, may be of a tag that is torn between them. */
const tornLength = 64;
const tornEnd = new RegExp(`${less}[^<>]{0,40}$`, "i");

/** Whether a tag may begin at the text's end, and go on in the next text: a quick look. */
function mayBeTorn(text: string): boolean {
  const end = text.slice(-tornLength);
  return tornEnd.test(undisguised(end));
}

/** What stands partly at the end of one text and partly at the beginning of the next. */
function tornTag(before: string, after: string, tag: Tag): "opens" | "closes" | undefined {
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

// `<private>…</private>`: what a person does not want remembered. Nothing between the tags is kept.

const privateTag = compileTag("private", { strict: true });

/** Stands for a text that was private as a whole. */
export const privateText = "[private]";

/** True when the text holds an opening or closing `private` tag, plain or escaped. */
export function hasPrivate(text: string): boolean {
  return hasTag(text, privateTag);
}

/**
 * The text without private content: any case, with attributes, nested, escaped (`&lt;`, `\u003c`). It fails closed:
 * an opening tag without its end takes everything after it, a closing tag without its beginning everything before it.
 */
export function stripPrivate(text: string): string {
  return stripTagged(text, privateTag);
}

/** Fields that say what a block is; nobody speaks in them. */
const shape: ReadonlySet<string> = new Set(["type", "id", "role", "name", "tool_use_id"]);

function isSaid(key: string | undefined): boolean {
  return key !== undefined && !shape.has(key);
}

/**
 * `stripPrivate` for every text in a JSON value. A tag that opens in one text closes in a later one, be it of the same
 * list, another block or another field: what stands between them goes; so does a text in which a tag ends that began in the one before.
 */
export function stripPrivateDeep(value: unknown): unknown {
  if (!someText(value, (text) => mayHoldTag(text, privateTag) || mayBeTorn(text))) return value;
  const between = textsBetween(value);
  let at = 0;
  return mapLeaves(value, {
    text: (text, key) => {
      return between.has(at++) && isSaid(key) ? "" : stripPrivate(text);
    },
    spans: hasPrivate,
  });
}

/** Which texts, counted in order, stand between one with an open tag and a later one that closes it. */
function textsBetween(value: unknown): Set<number> {
  const between = new Set<number>();
  let at = 0;
  let opened: number | undefined;
  let last = { at: 0, text: "" };
  mapLeaves(value, {
    text: (text, key) => {
      const torn = isSaid(key) ? tornTag(last.text, text, privateTag) : undefined;
      if (torn === "opens") {
        opened ??= last.at;
        between.add(at);
      } else if (torn === "closes") {
        for (let inside = opened ?? last.at; inside <= last.at; inside++)
          if (inside !== opened) between.add(inside);
        opened = undefined;
      }
      if (isSaid(key)) last = { at, text };
      const { unopened, unclosed } = unpaired(text, privateTag);
      if (unopened > 0 && opened !== undefined) {
        for (let inside = opened + 1; inside < at; inside++) between.add(inside);
        opened = undefined;
      }
      if (unclosed > 0) opened ??= at;
      at++;
      return text;
    },
    spans: hasPrivate,
  });
  return between;
}

// The mark around everything memoir tells an agent, so that it is recognised wherever it comes back and never captured.

const contextName = "memoir-context";
const contextTag = compileTag(contextName, { strict: false });

const controlCharacters =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069]/g;
/** Tags by which clients and models tell who speaks: a file's name must not close the client's own. */
const speakers =
  /<(?=\s{0,4}\/?\s{0,4}(?:system|human|assistant|tool_(?:use|result)|function_|invoke\b|antml:))/gi;

/** Nothing that was kept from files and tools may command a terminal, or pose as anything but a note. */
function defuse(body: string): string {
  return stripAnsi(body)
    .replace(controlCharacters, "")
    .replace(speakers, "‹")
    .replace(/memoir-context/gi, "memoir context");
}

/**
 * The text in its mark: `<memoir-context key="value">`, the text on lines of its own, `</memoir-context>`. A marker
 * inside the text is defused, so that the mark closes where it should; so are tags that tell who speaks
 * (`</system-reminder>`), and control characters are taken out. Never longer than the parts.
 */
export function wrapContext(body: string, attributes: Record<string, string> = {}): string {
  const written = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${value.replace(/["<>&\s]+/g, " ").trim()}"`)
    .join("");
  return `<${contextName}${written}>\n${defuse(body)}\n</${contextName}>`;
}

/** True when the text holds any part of a mark, plain or escaped. */
export function hasContext(text: string): boolean {
  return hasTag(text, contextTag);
}

/**
 * The text without memoir's own context, also where the mark is escaped (in JSON, HTML, URLs) or torn: an opening
 * mark without its end takes everything after it, a closing one without its beginning everything before it.
 */
export function stripContext(text: string): string {
  return stripTagged(text, contextTag);
}

/** `stripContext` for every text in a JSON value. A mark that opens in one string of a list closes in a later one. */
export function stripContextDeep(value: unknown): unknown {
  if (!someText(value, (text) => mayHoldTag(text, contextTag))) return value;
  return mapLeaves(value, { text: stripContext, spans: hasContext });
}
