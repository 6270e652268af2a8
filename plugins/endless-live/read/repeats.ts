// Finds the lines of a read that stand in the context already, from earlier reads of the same file.
import { hashLine, type SeenFile } from "../seen.ts";
import type { Gap } from "./gaps.ts";

/** Fewer lines in a row are shown again: a mark would say no less. */
const leastRun = 6;
/** Shown again at each end of a stretch that is new, so that it has a place. */
const around = 3;

/** The stretches that an earlier read shows already. */
export function gapsInRepeats(lines: readonly string[], file: SeenFile): Gap[] {
  const known = knownLines(lines, file);
  const gaps: Gap[] = [];
  for (const [at, is] of known.entries()) {
    if (!is) continue;
    const last = gaps.at(-1);
    if (last?.to === at - 1) last.to = at;
    else gaps.push({ from: at, to: at, why: "left out, as you read or wrote them before" });
  }
  return gaps;
}

/**
 * Whether each line stands in the context: a run of at least six lines that follow each other in an earlier view, too,
 * wherever in the file. What was left out of an earlier view does not count.
 */
export function knownLines(lines: readonly string[], { views }: SeenFile): boolean[] {
  const hashes = lines.map(hashLine);
  const known = lines.map(() => false);
  // The newest first: it mostly shows all there is.
  for (const { hashes: earlier } of views.toReversed()) {
    if (!known.includes(false)) break;
    const places = new Map<number, number[]>();
    for (const [at, hash] of earlier.entries()) {
      if (Number.isNaN(hash)) continue;
      const list = places.get(hash);
      if (list) list.push(at);
      else places.set(hash, [at]);
    }
    for (let at = 0; at < hashes.length; ) {
      const run = longestRun(hashes, at, earlier, places);
      if (run >= leastRun || (run === hashes.length && run > 0)) known.fill(true, at, at + run);
      at += Math.max(1, run);
    }
  }
  return narrowed(known);
}

/** Most places that are tried for a line that stands at many. */
const mostPlaces = 20;

function longestRun(
  hashes: readonly number[],
  at: number,
  earlier: Float64Array,
  places: ReadonlyMap<number, number[]>,
): number {
  let longest = 0;
  for (const place of (places.get(hashes[at] ?? Number.NaN) ?? []).slice(0, mostPlaces)) {
    let length = 0;
    while (
      at + length < hashes.length &&
      place + length < earlier.length &&
      hashes[at + length] === earlier[place + length]
    )
      length++;
    longest = Math.max(longest, length);
  }
  return longest;
}

/** Known lines next to new ones are shown again. */
function narrowed(known: readonly boolean[]): boolean[] {
  return known.map(
    (is, at) => is && !known.slice(Math.max(0, at - around), at + around + 1).includes(false),
  );
}
