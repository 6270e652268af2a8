// Leaves out the ends of long sections: headings and the beginning of each stay.
import type { Gap } from "./gaps.ts";
import type { ReadPolicy } from "./policy.ts";

const heading = /^#{1,6}\s/;
/** Below a heading, which is the line before. */
const underline = /^(?:={3,}|-{3,})\s*$/;

/** Of every section the first lines stay; undefined for a text without headings. */
export function gapsInProse(
  lines: readonly string[],
  { sectionLines }: ReadPolicy,
): Gap[] | undefined {
  const gaps: Gap[] = [];
  let fenced = false;
  let sections = 0;
  let start = 0;
  const close = (end: number) => {
    const from = start + sectionLines + 1;
    if (end - from >= 2) gaps.push({ from, to: end - 1, why: "left out" });
  };
  for (const [at, line] of lines.entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
    if (fenced) continue;
    const isUnderlined = underline.test(line) && (lines[at - 1] ?? "").trim() !== "";
    if (!isUnderlined && !heading.test(line)) continue;
    sections++;
    const first = isUnderlined ? Math.max(start, at - 1) : at;
    close(first);
    start = first;
  }
  close(lines.length);
  return sections === 0 ? undefined : gaps;
}
