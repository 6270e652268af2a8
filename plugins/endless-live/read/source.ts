// Leaves out the bodies of long sources that nothing asked for: signatures, types, imports and small functions stay.
import { type Block, blocksOf } from "./blocks.ts";
import type { Gap } from "./gaps.ts";
import type { ReadPolicy } from "./policy.ts";

/** A word of a prompt that is shorter, or stands in more than one block, points at nothing. */
const leastMention = 10;
/** A type is all signature. */
const types =
  /^\s*(?:(?:export|default|pub(?:\([^)]*\))?|public|private|internal|declare)\s+)*(?:type|struct|interface|enum|record)\b/;
const word = /[A-Za-z_$][\w$]{7,}/g;

/**
 * The bodies to leave out. One stays when it is the only one with a word that a prompt names. Of what is left out the
 * names are told that stand nowhere else in what is shown.
 */
export function gapsInSource(
  lines: readonly string[],
  isMentioned: (word: string) => boolean,
  { bodyLines, names }: ReadPolicy,
): Gap[] {
  const blocks = blocksOf(lines).filter(
    ({ from, body, to }) => to - body + 1 >= bodyLines && !types.test(lines[from] ?? ""),
  );
  const words = blocks.map(({ from, to }) => wordsIn(lines, from, to));
  const counts = new Map<string, number>();
  for (const own of words) for (const one of own) counts.set(one, (counts.get(one) ?? 0) + 1);
  const left = blocks.filter(
    (_, at) =>
      ![...(words[at] ?? [])].some(
        (one) => one.length >= leastMention && counts.get(one) === 1 && isMentioned(one),
      ),
  );
  const told = shownWords(lines, left);
  return left.map(({ body: from, to }) => {
    const own = [...wordsIn(lines, from, to)]
      .filter((one) => !told.has(one) && isName(one))
      .slice(0, names);
    for (const one of own) told.add(one);
    return { from, to, why: own.length === 0 ? "left out" : `left out: ${own.join(" ")}` };
  });
}

/** An inner capital, underscore or digit: no word of prose. */
const isName = (text: string): boolean => /[a-z][A-Z]|\d|[A-Za-z]_[A-Za-z]/.test(text);

const wordsIn = (lines: readonly string[], from: number, to: number): Set<string> =>
  new Set(
    lines
      .slice(from, to + 1)
      .join("\n")
      .match(word) ?? [],
  );

function shownWords(lines: readonly string[], left: readonly Block[]): Set<string> {
  const hidden = new Set<number>();
  for (const { body, to } of left) for (let at = body; at <= to; at++) hidden.add(at);
  return new Set(
    lines
      .filter((_, at) => !hidden.has(at))
      .join("\n")
      .match(word) ?? [],
  );
}
