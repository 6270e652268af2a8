// Leaves out the middle of data, logs and generated files, and the rest of very long lines.
import { isTrouble } from "../text/trouble.ts";
import type { Gap } from "./gaps.ts";
import type { FileKind } from "./kind.ts";
import type { ReadPolicy } from "./policy.ts";

/** First characters that a very long line is known by. */
const lineStart = 200;

/** Keeps first and last lines, of a log also those that tell of trouble. */
export function gapsInData(
  lines: readonly string[],
  kind: FileKind,
  { dataLines }: ReadPolicy,
  lineCharacters: number,
): Gap[] {
  const head = dataLines;
  const tail = lines.length - Math.floor(dataLines / 2);
  const gaps: Gap[] = [];
  /** What a line of trouble said; said again it tells nothing. */
  const said = new Set<string>();
  let budget = dataLines;
  for (const [at, line] of lines.entries()) {
    if (line.length > lineCharacters && (at < head || at >= tail)) {
      const start = line.slice(0, lineStart);
      gaps.push({ from: at, to: at, why: `has ${line.length} characters, beginning: ${start}` });
      continue;
    }
    if (at < head || at >= tail) continue;
    const isNew = kind === "log" && line.length <= lineCharacters && !said.has(line.trim());
    if (isNew && budget > 0 && isTrouble(line)) {
      said.add(line.trim());
      budget--;
      continue;
    }
    const last = gaps.at(-1);
    if (last?.why === "left out" && last.to === at - 1) last.to = at;
    else gaps.push({ from: at, to: at, why: "left out" });
  }
  return gaps;
}
