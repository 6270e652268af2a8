// A text as it reads without its escapes or what stands before its lines, and the way back: what is found in the view is taken out of the text itself.

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
  // Told from other characters beyond ASCII only where one stands: texts are looked through faster for any of these.
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
