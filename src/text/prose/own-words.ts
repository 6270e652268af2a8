// What of a prompt its user wrote in their own words, told by structure: not fenced, quoted, tagged, pasted, printed or cited. Pure.
import { typedOf } from "./asked.ts";
import { clientMarks, lineMarks } from "./line-marks.ts";
import { plainLine } from "./plain.ts";
import { masked, unmasked } from "./quotations.ts";
import { sentencesOf } from "./sentences.ts";
import { withoutBlocks } from "./set-apart.ts";

/** A sentence of the user's own. */
export interface OwnSentence {
  /** As typed, on one line; a long quotation in it is "…" in its marks. */
  text: string;
  /** The same with "…" for every quotation: what is said by the user alone. */
  bare: string;
  /** False where it may as well have been pasted: beside or behind a paste, behind a colon, under a heading. */
  isSure: boolean;
}

const listMark = /^\s*(?:[-*+•]|\d{1,2}[.)])\s+/;

/** Sentences in their order. What is certainly somebody else's is left out; what is in doubt says so. */
export function ownSentences(prompt: string): OwnSentence[] {
  const { lines, marks, quotations } = readPrompt(prompt);
  let lead = "";
  return lines.flatMap((line, at) => {
    const mark = marks[at];
    const isItem = listMark.test(line);
    if (line.trim() === "") return [];
    if (!isItem) lead = /[:：]\s*$/.test(line) ? plainLine(line) : "";
    if (mark === "foreign") return [];
    const body = line.replace(listMark, "");
    return sentencesOf(plainLine(body)).map((sentence) => {
      const front = isItem && lead !== "" ? `${lead} ` : "";
      return {
        text: front + plainLine(unmasked(sentence, quotations, shortQuotation)),
        bare: unmasked(sentence, quotations, 0),
        isSure: mark === "own" && front === "",
      };
    });
  });
}

/** Characters of a prompt that are looked at. */
const longestRead = 20_000;
/** A quotation of at most so much stays in its sentence: it is a name, not a statement. */
const shortQuotation = 40;

function readPrompt(prompt: string) {
  const text = withoutBlocks(typedOf(prompt.slice(0, longestRead)));
  const { text: flat, quotations } = masked(text);
  const lines = flat.split("\n");
  const marks = lineMarks(lines);
  return { lines: lines.map((line) => line.replace(clientMarks, " ")), marks, quotations };
}

/** True where a prompt holds this line, and not in its user's own words. */
export function isCited(line: string, prompt: string): boolean {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
  const sought = plain(line);
  if (sought === "" || !plain(prompt).includes(sought)) return false;
  const own = ownSentences(prompt).flatMap(({ text, isSure }) => (isSure ? text : []));
  return !plain(own.join(" ")).includes(sought);
}
