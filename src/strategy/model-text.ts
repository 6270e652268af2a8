// Foreign text on its way into a prompt: whole characters, bounded, and unable to open or close a tag.
import { head, stripAnsi } from "../text/text.ts";

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
 * The text cleaned and escaped, at most `limit` UTF-16 units long: whole, or its beginning and end with a note of how
 * much is left out between them.
 */
export function forModel(text: string, limit: number): string {
  const read = readable(text, limit);
  let room = limit;
  for (;;) {
    const shown = escapeMarkup(excerpt(read, room));
    if (shown.length <= limit || room < 40) return head(shown, limit);
    // What escaping added is taken from what is shown; each round comes nearer.
    room = Math.min(room - 1, Math.floor((room * limit) / shown.length));
  }
}

/** Beginning (two thirds) and end (one third) of a text that is longer than `limit`. */
export function excerpt(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const note = `\n[… ${text.length - limit} characters left out …]\n`;
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
