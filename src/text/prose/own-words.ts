// What of a prompt its user wrote in their own words: not fenced, quoted, tagged, pasted, printed, cited or of another speaker. Pure.

import {
  attributionOf,
  hasDocumentMark,
  namesWhatIsBefore,
  type Reach,
  unseen,
  withUnseenMarked,
} from "./attributed.ts";
import { clientMarks, lineMarks, outputLine, withoutBlocks } from "./line-marks.ts";
import { askedOf, cleanText, failureLine, plainLine, sentencesOf, typedOf } from "./plain.ts";

/** A sentence of the user's own. */
export interface OwnSentence {
  /** As typed, on one line; a long quotation in it is "…" in its marks. */
  text: string;
  /** The same with "…" for every quotation: what is said by the user alone. */
  bare: string;
  /** False where it may as well have been pasted: beside or behind a paste, behind a colon, under a heading. */
  isSure: boolean;
  /** The number of the list's point that it begins: what it answers may be told by it. */
  point?: string | undefined;
}

const listMark = /^\s*(?:[-*+•]|\d{1,2}[.)])\s+/;

/** Sentences in their order. What is certainly somebody else's is left out; what is in doubt says so. */
export function ownSentences(prompt: string): OwnSentence[] {
  const { lines, marks, quotations } = readPrompt(prompt);
  let found: OwnSentence[] = [];
  let lead = "";
  let reach: Reach | undefined;
  for (const [at, line] of lines.entries()) {
    if (line.trim() === "") reach = undefined;
    if (line.trim() === "" || reach === "paragraph") continue;
    const isItem = listMark.test(line);
    if (!isItem) lead = /[:：]\s*$/.test(line) ? plainLine(line) : "";
    if (marks[at] === "foreign") continue;
    const body = line.replace(listMark, "");
    const front =
      isItem && lead !== "" ? `${plainLine(unmasked(lead, quotations, shortQuotation))} ` : "";
    reach = undefined;
    let point = isItem ? /\d+/.exec(line.slice(0, -body.length))?.[0] : undefined;
    for (const sentence of sentencesOf(plainLine(body))) {
      const bare = unmasked(sentence, quotations, 0);
      const by = attributionOf(front + bare);
      if (reach === undefined && by !== "sentence") reach = by;
      const isOfBefore = namesWhatIsBefore(bare);
      if (isOfBefore) found = [];
      if (reach !== undefined || by !== undefined || isOfBefore) continue;
      found.push({
        text: front + plainLine(unmasked(sentence, quotations, shortQuotation)),
        bare,
        isSure: marks[at] === "own" && front === "",
        ...(point !== undefined && { point }),
      });
      point = undefined;
    }
    if (isItem && reach === "paragraph") reach = undefined;
  }
  return found;
}

/** Characters of a prompt that are looked at. */
const longestRead = 20_000;
/** A quotation of at most so much stays in its sentence: it is a name, not a statement. */
const shortQuotation = 40;

function readPrompt(prompt: string) {
  const typed = typedOf(withUnseenMarked(prompt.slice(0, longestRead)));
  const { text: flat, quotations } = masked(withoutBlocks(typed));
  const lines = flat.split("\n");
  const isForeign = (line: string) =>
    hasDocumentMark(line.replace(listMark, "")) ||
    unmasked(line, quotations, longestRead).includes(unseen);
  const marks = lineMarks(lines).map((mark, at) => (isForeign(lines[at] ?? "") ? "foreign" : mark));
  return { lines: lines.map((line) => line.replace(clientMarks, " ")), marks, quotations };
}

/**
 * All that a prompt asks; of more than `most` characters what was typed beside a paste, or the line of it that says what
 * went wrong. Block quotes are nobody's request.
 */
export function wholeRequestOf(prompt: string, most: number): string {
  const asked = askedOf(prompt).replace(/^\s*>.*$/gm, "");
  if (asked.length <= most) return asked;
  const own = ownSentences(prompt);
  const sure = own.filter(({ isSure }) => isSure);
  const lines = asked.split("\n").filter((line) => line.trim() !== "");
  const isOutput = lines.filter((line) => outputLine.test(line)).length * 3 >= lines.length;
  return (
    (sure.length > 0 ? sure : own).map(({ text }) => text).join(" ") ||
    (isOutput ? failureLine(asked) : asked)
  );
}

/** True where a prompt holds this line, and not in its user's own words. */
export function isCited(line: string, prompt: string): boolean {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
  const sought = plain(line);
  if (sought === "" || !plain(cleanText(prompt)).includes(sought)) return false;
  const own = ownSentences(prompt).flatMap(({ text, isSure }) => (isSure ? text : []));
  return !plain(own.join(" ")).includes(sought);
}

// Quotations and code spans of a text, each behind a mark of one character run: what stands around them can be read alone. Pure.

const edge = "\ufdd0";
const placeholder = /\ufdd0(\d+)\ufdd0/g;
/** What stands before an opening straight mark, and after a closing one. */
const before =
  /[\s([{—–\-:=,>/*_~|\\.;!?。！？、，：；\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;
const after =
  /[\s)\]}—–\-:;,.!?。！？、，：；<>/*_~|\\\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;
/** The marks that close what these open. */
const closing: Readonly<Record<string, string>> = {
  "“": "”",
  "„": "“”",
  "«": "»",
  "‹": "›",
  "「": "」",
  "『": "』",
};

/** A text whose quotations are placeholders, and what they stand for. */
interface Masked {
  text: string;
  quotations: readonly string[];
}

/**
 * Puts each quotation behind a placeholder on one line. One that is not closed goes to the text's end; a single straight
 * mark or a back-tick without its partner in the paragraph is none.
 */
export function masked(raw: string): Masked {
  const text = raw.replaceAll(edge, "");
  const quotations: string[] = [];
  let out = "";
  for (let at = 0; at < text.length; ) {
    const end = quotationEnd(text, at);
    if (end > at) {
      out += `${edge}${quotations.push(text.slice(at, end)) - 1}${edge}`;
      at = end;
    } else out += text[at++];
  }
  return { text: out, quotations };
}

/** The text with its quotations back; of one of more than `most` characters only its marks, with "…" between them. */
export function unmasked(text: string, quotations: readonly string[], most: number): string {
  return text.replace(placeholder, (_, index: string) => {
    const quotation = quotations[Number(index)] ?? "";
    if (quotation.length - 2 <= most) return quotation;
    return `${quotation[0] ?? ""}…${closing[quotation[0] ?? ""]?.[0] ?? quotation[0] ?? ""}`;
  });
}

/** Where the quotation ends that begins here; `at` where none does. */
function quotationEnd(text: string, at: number): number {
  const mark = text[at] ?? "";
  const closers = closing[mark];
  if (closers !== undefined) return endOfPair(text, at, mark, closers);
  if (mark === "`") return endOfCode(text, at);
  if (mark !== '"' && mark !== "'") return at;
  const previous = text[at - 1] ?? " ";
  // Right behind a word it is one only with its partner; behind a number it says inches.
  const isGlued = mark === '"' && /\p{L}/u.test(previous) && !before.test(previous);
  if (!(isGlued || before.test(previous)) || /^\s?$/.test(text[at + 1] ?? "")) return at;
  if (previous === "\\") return endOfEscaped(text, at, mark);
  const last = mark === '"' && !isGlued ? text.length : paragraphEnd(text, at);
  for (let to = at + 1; to < last; to++) {
    const closes = text[to] === mark && !/[\s\\]/.test(text[to - 1] ?? "");
    if (closes && (to + 1 === text.length || after.test(text[to + 1] ?? ""))) return to + 1;
  }
  return mark === '"' && !isGlued ? text.length : at;
}

/** Of marks behind a backslash the next such one closes. */
function endOfEscaped(text: string, at: number, mark: string): number {
  const end = text.indexOf(`\\${mark}`, at + 1);
  return end < 0 ? text.length : end + 2;
}

function endOfPair(text: string, at: number, open: string, closers: string): number {
  let depth = 0;
  for (let to = at; to < text.length; to++) {
    if (text[to] === open) depth++;
    else if (closers.includes(text[to] ?? "") && --depth === 0) return to + 1;
  }
  return text.length;
}

function endOfCode(text: string, at: number): number {
  const run = /^`+/.exec(text.slice(at, at + 40))?.[0] ?? "`";
  const last = run.length < 3 ? paragraphEnd(text, at) : text.length;
  for (let to = at + run.length; to < last; to++) {
    if (text[to] !== "`") continue;
    const next = /^`+/.exec(text.slice(to, to + 40))?.[0].length ?? 1;
    if (next === run.length) return to + next;
    to += next - 1;
  }
  // As TeX has them: two of these, and two straight ones.
  const tex = run === "``" ? text.slice(at, last).indexOf("''") : -1;
  if (tex > 0) return at + tex + 2;
  return run.length < 3 ? at : text.length;
}

function paragraphEnd(text: string, at: number): number {
  const end = text.indexOf("\n\n", at);
  return end < 0 ? text.length : end;
}
