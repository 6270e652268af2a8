// Leaves out the bodies of long sources that nothing asked for: signatures, types, imports and small functions stay.
import { blocksOf } from "./blocks.ts";
import type { Gap } from "./gaps.ts";
import type { ReadPolicy } from "./policy.ts";

/** A word of a prompt that is shorter, or stands in more than one block, points at nothing. */
const leastMention = 10;
/** A type is all signature. */
const types =
  /^\s*(?:(?:export|default|pub(?:\([^)]*\))?|public|private|internal|declare)\s+)*(?:type|struct|interface|enum|record)\b/;
const word = /[A-Za-z_$][\w$]{7,}/g;

/**
 * What to leave out. Of a body the lines around a word stay that a prompt names and that stands in this body only. Of
 * what is left out the names are told that stand nowhere else in what is shown.
 */
export function gapsInSource(
  lines: readonly string[],
  isMentioned: (word: string) => boolean,
  policy: ReadPolicy,
): Gap[] {
  const blocks = blocksOf(lines).filter(
    ({ from, body, to }) => to - body + 1 >= policy.bodyLines && !types.test(lines[from] ?? ""),
  );
  const words = blocks.map(({ from, to }) => wordsIn(lines, from, to));
  const counts = new Map<string, number>();
  for (const own of words) for (const one of own) counts.set(one, (counts.get(one) ?? 0) + 1);
  const isPointer = (one: string) =>
    one.length >= leastMention && counts.get(one) === 1 && isMentioned(one);
  const hidden = new Set<number>();
  for (const { from, body, to } of blocks) {
    const kept = new Set<number>();
    for (let at = from; at <= to; at++)
      if (wordsOf(lines[at] ?? "").some(isPointer))
        for (let near = at - policy.aroundNamed; near <= at + policy.aroundNamed; near++)
          kept.add(near);
    for (let at = body; at <= to; at++) if (!kept.has(at)) hidden.add(at);
  }
  const told = new Set(lines.flatMap((line, at) => (hidden.has(at) ? [] : wordsOf(line))));
  return runsOf(hidden).map(([from, to]) => {
    const own = [...wordsIn(lines, from, to)]
      .filter((one) => !told.has(one) && isName(one))
      .slice(0, policy.names);
    for (const one of own) told.add(one);
    return { from, to, why: own.length === 0 ? "left out" : `left out: ${own.join(" ")}` };
  });
}

/** Places that follow each other, as first and last. */
function runsOf(places: ReadonlySet<number>): Array<[from: number, to: number]> {
  const runs: Array<[number, number]> = [];
  for (const at of [...places].sort((one, other) => one - other)) {
    const last = runs.at(-1);
    if (last?.[1] === at - 1) last[1] = at;
    else runs.push([at, at]);
  }
  return runs;
}

/** An inner capital, underscore or digit: no word of prose. */
const isName = (text: string): boolean => /[a-z][A-Z]|\d|[A-Za-z]_[A-Za-z]/.test(text);

const wordsOf = (line: string): string[] => line.match(word) ?? [];

const wordsIn = (lines: readonly string[], from: number, to: number): Set<string> =>
  new Set(lines.slice(from, to + 1).flatMap(wordsOf));
