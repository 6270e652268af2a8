// A quotation as it is read: shortened at sentences, one gap where something is missing, nothing announced that is not there. Pure.
import { shorten, toBmp } from "../../src/text/index.ts";

const gap = "…";
/** Pictures outside the characters that clients show; letters there are told as missing. */
const pictures =
  /(?:(?=[\u{10000}-\u{10ffff}])[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}][\ufe0f\u200d]*)+[ \t]?/gu;
const decoration = /^[-*_=\s]*$/;
const onlyGap = /^[\s>*_`#\d.)-]*…[\s*_`]*$/;
const fence = /^\s*(?:`{3,}|~{3,})/;
/** A heading, or a line whose end says that something follows. */
const announcing = /^\s*#{1,6}\s|[:：]["'”’)\]*_`]*\s*$/;
const sentenceEnd = /[.!?。！？…:;]["'”’)\]*_`]*\s*$|\n\s*$/;

/** What of a text fits: the beginning, and the end where that begins with a sentence or line. */
export function fitted(whole: string, most: number): string {
  const text = toBmp(whole.replace(pictures, ""));
  const short = shorten(text, most).text;
  const at = short.length < text.trim().length ? short.lastIndexOf(`\n${gap}\n`) : -1;
  if (at < 0) return short;
  const tail = short.slice(at + gap.length + 2);
  const before = text.slice(0, text.lastIndexOf(tail));
  if (sentenceEnd.test(before)) return short;
  const line = tail.indexOf("\n");
  return `${short.slice(0, at)}\n${gap}${line < 0 ? "" : tail.slice(line)}`;
}

/** The lines of a quotation that say something. */
export function linesOf(text: string): string[] {
  const kept: string[] = [];
  const lines = text.split("\n").map((line) => line.trimEnd());
  // From the end: what is announced stands behind it.
  for (const line of withoutEmptyFences(
    lines.filter((one) => !decoration.test(one)),
  ).toReversed()) {
    const next = kept.at(-1);
    const isMissing = next === undefined || next === gap;
    if (onlyGap.test(line) || (isMissing && announcing.test(line) && lines.length > 1)) {
      if (next !== gap) kept.push(gap);
    } else kept.push(line);
  }
  return kept.some((line) => line !== gap) ? kept.toReversed() : [];
}

/** A fence around nothing but a gap is a gap. */
function withoutEmptyFences(lines: readonly string[]): string[] {
  return lines.filter((line, at) => {
    if (!fence.test(line)) return true;
    const opens = fence.test(lines[at + 2] ?? "") && onlyGap.test(lines[at + 1] ?? "");
    const closes = fence.test(lines[at - 2] ?? "") && onlyGap.test(lines[at - 1] ?? "");
    return !opens && !closes;
  });
}
