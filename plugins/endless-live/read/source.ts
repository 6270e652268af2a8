// Leaves out the bodies of long sources that nothing asked for: signatures, types, imports and small functions stay.
import { blocksOf } from "./blocks.ts";
import type { Gap } from "./gaps.ts";
import type { ReadPolicy } from "./policy.ts";

/** A word of a prompt that is shorter, or stands in more than one block, points at nothing. */
const leastMention = 10;
/** A type is all signature, and so is what holds functions. */
const types =
  /^\s*(?:(?:export|default|pub(?:\([^)]*\))?|public|private|protected|internal|declare|abstract|final|sealed|data|static)\s+)*(?:type|struct|interface|enum|record|class|trait|impl|module|mod|namespace|defmodule|defimpl)\b/;
const word = /[A-Za-z_$][\w$]{7,}/g;

/**
 * What to leave out. Of a body the lines around a word stay that a prompt names and that stands in this body only. Of
 * what is left out the names are shown that stand nowhere else in what is shown.
 */
export function gapsInSource(
  lines: readonly string[],
  isMentioned: (word: string) => boolean,
  policy: ReadPolicy,
): Gap[] {
  const blocks = blocksOf(lines).filter(
    ({ from, body, to }) => to - body + 1 >= policy.bodyLines && !types.test(lines[from] ?? ""),
  );
  const words = lines.map((line) => line.match(word) ?? []);
  const within = (from: number, to: number) => new Set(words.slice(from, to + 1).flat());
  const counts = new Map<string, number>();
  for (const { from, to } of blocks)
    for (const one of within(from, to)) counts.set(one, (counts.get(one) ?? 0) + 1);
  const isPointer = (one: string) =>
    one.length >= leastMention && counts.get(one) === 1 && isMentioned(one);
  const hidden = new Set<number>();
  for (const { from, body, to } of blocks) {
    const kept = new Set<number>();
    for (let at = from; at <= to; at++)
      if (words[at]?.some(isPointer))
        for (let near = at - policy.aroundNamed; near <= at + policy.aroundNamed; near++)
          kept.add(near);
    for (let at = body; at <= to; at++) if (!kept.has(at)) hidden.add(at);
  }
  const named = new Set(words.flatMap((own, at) => (hidden.has(at) ? [] : own)));
  return runsOf(hidden).map(([from, to]) => {
    const own: string[] = [];
    for (const one of within(from, to))
      if (own.length < policy.names && !named.has(one) && isName(one)) own.push(one);
    for (const one of own) named.add(one);
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
