// Foreign text on its way into a prompt: whole characters, bounded, and unable to open or close a tag.
import { codeNames } from "../text/prose/plain.ts";
import { countWords, head, stripAnsi } from "../text/text.ts";

const unprintable = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** Only what would read as an entity is escaped, so that `a && b` stays as it is and decoding still gives it back. */
const markup = /<|&(?=#|[a-z]\w*;)/gi;

/** Longer than any limit a caller could want; the rest of a giant text is never looked at. */
const longestRead = 1_000_000;

/** Without terminal codes, control, invisible and direction-changing characters; lone surrogates become U+FFFD. */
export function cleanForModel(text: string): string {
  return stripAnsi(text).replace(/\r\n?/g, "\n").replace(unprintable, "").toWellFormed();
}

/** `<` as `&lt;`, and `&` as `&amp;` where it would begin an entity. */
export function escapeMarkup(text: string): string {
  return text.replace(markup, (found) => (found === "<" ? "&lt;" : "&amp;"));
}

/**
 * The text cleaned and escaped, at most `limit` UTF-16 units long: whole, or what `excerpt` chooses of it. `about` are
 * names that the work is about.
 */
export function forModel(text: string, limit: number, about: ReadonlySet<string> = none): string {
  const read = readable(text, limit);
  let room = limit;
  for (;;) {
    const shown = escapeMarkup(excerpt(read, room, about));
    if (shown.length <= limit || room < 40) return head(shown, limit);
    // What escaping added is taken from what is shown; each round comes nearer.
    room = Math.min(room - 1, Math.floor((room * limit) / shown.length));
  }
}

const none: ReadonlySet<string> = new Set();
const gap = (size: number) => `\n[… ${size} characters left out …]\n`;
/** A text of more lines is a log: its two ends say as much. */
const mostUnits = 20_000;

/**
 * What is shown of a text that is longer than `limit`: its beginning, its end and, in between, the sentences that a
 * person wrote among what was pasted, first those that name what the work is about.
 */
export function excerpt(text: string, limit: number, about: ReadonlySet<string> = none): string {
  if (text.length <= limit) return text;
  const units = text.split(unitEnd, mostUnits + 1);
  const chosen = new Set<number>();
  let room = limit - gap(text.length).length;
  const take = (at: number, least: number): boolean => {
    const size = units[at]?.length ?? room;
    if (chosen.has(at) || room - size < least) return false;
    chosen.add(at);
    room -= size;
    return true;
  };
  for (let at = 0; take(at, limit * 0.6); ) at++;
  for (let at = units.length - 1; take(at, limit * 0.4); ) at--;
  if (units.length > mostUnits || !chosen.has(0) || !chosen.has(units.length - 1))
    return bothEnds(text, limit);
  const forms = Map.groupBy(units, formOf);
  const worths = units.map((unit) => worthOf(unit, forms.get(formOf(unit))?.length ?? 1, about));
  // What is worth nothing continues the beginning.
  const byWorth = [...units.keys()].sort(
    (a, b) => (worths[b] ?? 0) - (worths[a] ?? 0) || (worths[a] ? spread(a) - spread(b) : a - b),
  );
  for (const at of byWorth) {
    const isApart = !chosen.has(at - 1) && !chosen.has(at + 1);
    const cost = isApart ? gap(text.length).length : 0;
    if (take(at, cost)) room -= cost;
  }
  return inOrder(units, chosen);
}

/** An order of numbers in which any beginning is spread evenly over all of them. */
const spread = (at: number) => (at * 0.618_034) % 1;

/** The chosen units with a remark in place of each stretch between them. */
function inOrder(units: readonly string[], chosen: ReadonlySet<number>): string {
  let shown = "";
  let left = 0;
  for (const [at, unit] of units.entries()) {
    if (!chosen.has(at)) left += unit.length;
    else {
      shown = left === 0 ? shown + unit : shown.trimEnd() + gap(left) + unit;
      left = 0;
    }
  }
  return shown;
}

/** After a line, and after a sentence. */
const unitEnd = /(?<=\n)|(?<=[.!?][)"'\]]?[ \t]|[。！？])(?=\S)/;

/** Lines of a log or a table are alike in their beginning: digits and letters in runs, signs as they are. */
function formOf(unit: string): string {
  const form = unit
    .slice(0, 40)
    .replace(/\p{L}+/gu, "a")
    .replace(/\d+/g, "0");
  return /^[a ,.'-]*$/.test(form.trim()) ? unit : form.slice(0, 12);
}

/** How much a sentence from the middle says: prose more than output, names of the work more than others, repetition less. */
function worthOf(unit: string, alike: number, about: ReadonlySet<string>): number {
  const text = unit.trim();
  const letters = text.match(/[\p{L}\p{M} ]/gu)?.length ?? 0;
  const isSentence = /[.!?:;。！？]$/.test(text) || countWords(text) > 3;
  const isProse = isSentence && letters >= text.length * 0.8 && text.length > 5;
  const names = codeNames(text).filter((name) => about.has(name)).length;
  const isStressed = /\*\*|!$|`/.test(text) || /(?<![\p{L}_])\p{Lu}{3,}(?![\p{L}_])/u.test(text);
  const score = (isProse ? 3 : 0) + Math.min(names, 3) + (isStressed && isProse ? 1 : 0);
  return score / Math.min(alike, 10);
}

/** Beginning (two thirds) and end (one third). */
function bothEnds(text: string, limit: number): string {
  const note = gap(text.length - limit);
  const room = limit - note.length;
  if (room < 60) return head(text, limit);
  const first = head(text, Math.ceil((room * 2) / 3));
  const last = text.slice(text.length - (room - first.length)).replace(/^[\udc00-\udfff]/, "");
  return first + note + last;
}

/** Cleaned, and of a giant text only the two ends that could be shown. */
function readable(text: string, limit: number): string {
  if (text.length <= longestRead) return cleanForModel(text);
  const part = Math.max(limit, 1_000) * 2;
  const left = text.length - 2 * part;
  return `${cleanForModel(text.slice(0, part))}\n[… ${left} characters left out …]\n${cleanForModel(text.slice(-part))}`;
}

const names: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

/** Decodes each entity once; what is no known entity stays as it is. */
export function unescapeMarkup(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,5}));/gi,
    (whole, decimal, hex, name) => {
      if (name !== undefined) return names[String(name).toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
      const isCharacter = code > 31 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
      return isCharacter || code === 9 || code === 10 ? String.fromCodePoint(code) : whole;
    },
  );
}

// A fence around foreign text that nobody who wrote the text could have known.

/** A word made for one request, and how to put text between its tags. */
export interface Fence {
  /** `data-1f9c20b7`. */
  name: string;
  /** The lines between an opening and a closing tag of that name. The text must be escaped already. */
  around(text: string): string;
}

/** `random` gives 32 bits. The word is drawn again while any of `texts` holds it. */
export function createFence(random: () => number, texts: readonly string[]): Fence {
  for (;;) {
    const name = `data-${(random() >>> 0).toString(16).padStart(8, "0")}`;
    if (texts.some((text) => text.includes(name))) continue;
    return { name, around: (text) => `<${name}>\n${text}\n</${name}>` };
  }
}
