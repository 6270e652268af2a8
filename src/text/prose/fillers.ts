// Words that ask for nothing and tell nothing by themselves: what "yes, go on please" is made of.
import { linesOf, wordsOf } from "../languages.ts";
import { denseRange } from "../unspaced.ts";

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
