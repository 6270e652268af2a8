// Leaves out the ends of long sections: headings and the beginning of each stay.
import type { Gap } from "./gaps.ts";
import type { ReadPolicy } from "./policy.ts";

const heading = /^(?:#{1,6}\s|\S.*\n?(?:===|---)|={3,}|-{3,})/;

/** Of every section the first lines stay. */
export function gapsInProse(lines: readonly string[], { sectionLines }: ReadPolicy): Gap[] {
  const gaps: Gap[] = [];
  let fenced = false;
  let start = 0;
  const close = (end: number) => {
    const from = start + sectionLines + 1;
    if (end - from >= 2) gaps.push({ from, to: end - 1, why: "left out" });
  };
  for (const [at, line] of lines.entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
    if (fenced || !heading.test(line)) continue;
    close(at);
    start = at;
  }
  close(lines.length);
  return gaps;
}
