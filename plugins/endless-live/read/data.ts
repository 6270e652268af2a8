// Leaves out the middle of data, logs and generated files, and the rest of very long lines.
import { looksOf, lookWords } from "../look/describe.ts";
import { tellingPlaces } from "../look/look.ts";
import type { Gap } from "./gaps.ts";
import type { ReadPolicy } from "./policy.ts";

/** First characters that a very long line is known by. */
const lineStart = 200;
/** Fewer lines left out need no words. */
const leastDescribed = 5;

/** Keeps first and last lines, and those between them that depart from the rest. */
export function gapsInData(
  lines: readonly string[],
  { dataLines }: ReadPolicy,
  lineCharacters: number,
): Gap[] {
  const head = dataLines;
  const tail = lines.length - Math.floor(dataLines / 2);
  const isBetween = (at: number) => at >= head && at < tail;
  const telling = tellingPlaces(
    lines,
    (at) => isBetween(at) && (lines[at]?.length ?? 0) <= lineCharacters,
  );
  const gaps: Gap[] = [];
  let left: Gap | undefined;
  for (const [at, line] of lines.entries()) {
    const isLong = line.length > lineCharacters;
    if (isLong && !isBetween(at)) {
      const start = line.slice(0, lineStart);
      gaps.push({ from: at, to: at, why: `has ${line.length} characters, beginning: ${start}` });
    } else if (isBetween(at) && !telling.has(at)) {
      if (left?.to === at - 1) left.to = at;
      else {
        left = { from: at, to: at, why: "left out" };
        gaps.push(left);
      }
    }
  }
  return gaps.map((gap) => (gap.why === "left out" ? described(gap, lines) : gap));
}

/** Says how the lines look. */
function described(gap: Gap, lines: readonly string[]): Gap {
  const rows = lines.slice(gap.from, gap.to + 1).map((text, line) => ({ line, text }));
  const looks = rows.length < leastDescribed ? undefined : looksOf(rows);
  return looks ? { ...gap, why: `${gap.why}, ${lookWords(looks)}` } : gap;
}
