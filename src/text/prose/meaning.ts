// What two texts have in common: their words without those that every text has; pairs of letters where a script has no spaces.
import { linesOf, wordsOf } from "../languages.ts";
import { blanklessRange, denseRange } from "../unspaced.ts";

const common: ReadonlySet<string> = new Set(
  "a an the and or but of to in on at by for with from into onto over under as is are was were be been being that which who when while where if than then so because since its our their your this these those not no via per between after before without through during also only more less very now still can could should would will may might must has have had does did there it you we they use der die das und ist nicht ein eine mit für auf von zu im wir ich sie es den dem des le la les des une est pas que qui pour dans sur avec el los las una por para con del se".split(
    " ",
  ),
);
const unspacedRun = new RegExp(`[${blanklessRange}]+`, "gu");

/** Words of a text that carry meaning, lower-case. */
export function meaningOf(text: string): Set<string> {
  const found = new Set<string>();
  const spaced = text.toLowerCase().replace(unspacedRun, (run) => {
    for (let at = 0; at < Math.max(1, run.length - 1); at++) found.add(run.slice(at, at + 2));
    return " ";
  });
  for (const raw of spaced.match(/[\p{L}\p{N}\p{M}_./-]{2,}/gu) ?? []) {
    const word = raw.replace(/^[./-]+|[./-]+$/g, "");
    if (word.length > 1 && !common.has(word)) found.add(word);
  }
  return found;
}

/** How much of the smaller text's meaning the other one has too, 0 to 1. */
export function overlap(left: string, right: string): number {
  const a = meaningOf(left);
  const b = meaningOf(right);
  const small = a.size <= b.size ? a : b;
  const large = small === a ? b : a;
  if (small.size === 0) return 0;
  let shared = 0;
  for (const word of small) if (large.has(word)) shared++;
  return shared / small.size;
}

// Words that ask for nothing and tell nothing by themselves: what "yes, go on please" is made of.

const fillers = linesOf("filler").map(([language, lines]) => [language, wordsOf(lines)] as const);

const spaced: ReadonlySet<string> = new Set(
  fillers.flatMap(([, words]) => words.map((word) => word.toLowerCase())),
);
const unspaced = fillers.flatMap(([language, words]) =>
  /^(?:zh|ja|ko)$/.test(language) ? words : [],
);

const dense = new RegExp(`[${denseRange}]`);

/** The words of a text that are no fillers. */
export function tellingWords(text: string): string[] {
  const found = text.toLowerCase().match(/[\p{L}\p{N}\p{M}_'’.\-/]+/gu) ?? [];
  return found
    .map((word) => word.replace(/^[.\-/'’]+|[.\-/'’]+$/g, "").replace("’", "'"))
    .map((word) => (dense.test(word) ? bare(word) : word))
    .filter((word) => word !== "" && !spaced.has(word) && !/^\d+$/.test(word));
}

function bare(run: string): string {
  return unspaced.reduce((rest, word) => rest.replaceAll(word, ""), run);
}

/** True for "yes", "2", "go on please" and the like. */
export function isFiller(text: string): boolean {
  return tellingWords(text).join("").length < 3;
}
