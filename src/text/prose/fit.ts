// Fitting text into a budget of words or characters at a place where a reader would pause.
import { words } from "../text.ts";

const danglers = new Set(
  "a an the and or but of to in on at by for with from into onto over under as is are was were be been being that which who when while where if than then so because since its their our your this these those not no via per between after before without through across during also only more less very currently now still can could should would will may might must has have had does do did there it you we i they he she use uses using add adds adding get gets set sets make makes intended able unable supposed going trying due based according such meant likely need needs want wants help helps tries try used sent about like when".split(
    " ",
  ),
);
const clauseBreakers =
  /(?:[,;:]|\s-)\s+|\s+(?=(?:which|that|so|because|since|when|while|where|whenever|but|if|unless|until)\s)/g;
const breakers =
  /(?:[,;:]|\s-)\s+|\s+(?=(?:which|that|so|because|since|when|while|where|whenever|to|from|for|in|on|into|with|by|via|along|instead|rather|using|after|before|if|as|at|without|through|across|over|than|during|based on|unless|until|inside)\s)/g;

/** True when brackets and double quotes open and close in pairs. */
export function isBalanced(text: string): boolean {
  let round = 0;
  let square = 0;
  let curly = 0;
  let quotes = 0;
  for (const char of text) {
    if (char === "(") round++;
    else if (char === ")" && --round < 0) return false;
    else if (char === "[") square++;
    else if (char === "]" && --square < 0) return false;
    else if (char === "{") curly++;
    else if (char === "}" && --curly < 0) return false;
    else if (char === '"') quotes++;
  }
  return round === 0 && square === 0 && curly === 0 && quotes % 2 === 0;
}

/** A clause that has only begun: "a function that checks". */
const begun = /\s(?:that|which|who)\s+\S+$/;

/** Takes words off the end that cannot end a phrase ("of", "the", "which"), and loose punctuation. */
export function trimEnd(text: string): string {
  const kept = words(text);
  while (kept.length > 0) {
    const last = (kept[kept.length - 1] ?? "").replace(/[^\p{L}\p{N}]+$/u, "").toLowerCase();
    if (last !== "" && !danglers.has(last)) break;
    kept.pop();
  }
  return kept.join(" ").replace(/[\s,;:\-–—/&(.]+$/u, "");
}

/**
 * Cuts at the last pause that leaves at most `max` words (and at least `min`); balanced, never ending in a dangling word.
 * A `clause` pause keeps prepositional phrases whole. Undefined when no such cut exists.
 */
export function fitWords(
  text: string,
  max: number,
  min = 1,
  pause: "phrase" | "clause" = "phrase",
): string | undefined {
  const whole = text.replace(/[.。]$/, "");
  if (words(whole).length <= max && isBalanced(whole)) return enough(whole, min);
  const slim = whole.replace(/\s+\([^()]*\)/g, "");
  if (words(slim).length <= max && isBalanced(slim)) return enough(slim, min);
  let best: string | undefined;
  for (const match of slim.matchAll(pause === "clause" ? clauseBreakers : breakers)) {
    const head = slim.slice(0, match.index);
    if (words(head).length > max) break;
    const cut = trimEnd(head);
    if (isBalanced(cut) && words(cut).length >= min && !begun.test(cut)) best = cut;
  }
  if (best !== undefined && words(best).length >= 5) return best;
  for (const match of slim.matchAll(/\s+(?:and|of)\s/g)) {
    const cut = trimEnd(slim.slice(0, match.index));
    const count = words(cut).length;
    if (count <= max && count >= Math.max(min, 5) && isBalanced(cut)) best = cut;
  }
  return best;
}

function enough(text: string, min: number): string | undefined {
  const trimmed = text.replace(/[\s,;:]+$/, "");
  return words(trimmed).length >= min ? trimmed : undefined;
}

/**
 * Brings a text to at most `max` characters: whole when it fits, else at the last pause after `min`. Undefined when
 * it is shorter than `min` or has no pause in between.
 */
export function fitCharacters(text: string, min: number, max: number): string | undefined {
  if (text.length < min) return undefined;
  if (text.length <= max) return isBalanced(text) ? text : undefined;
  const slim = text.replace(/\s+\([^()]*\)/g, "");
  if (slim.length <= max && slim.length >= min && isBalanced(slim)) return slim;
  let best: string | undefined;
  for (const source of [slim, text]) {
    for (const match of source.matchAll(breakers)) {
      if (match.index > max) break;
      const cut = trimEnd(source.slice(0, match.index));
      if (cut.length >= min && cut.length <= max && isBalanced(cut)) best = cut;
    }
    if (best !== undefined) return best;
  }
  return best;
}

/** Words of a text that carry meaning, lower-case, for comparing two texts. */
export function meaningOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_./-]{2,}/gu) ?? [];
  return new Set(
    words
      .map((word) => word.replace(/^[./-]+|[./-]+$/g, ""))
      .filter((word) => word.length > 1 && !danglers.has(word)),
  );
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

/** True for scripts that put spaces between words; Chinese, Japanese and Thai text is not. */
export function isSpaced(text: string): boolean {
  const dense = text.match(/[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]/g)?.length ?? 0;
  return dense < 2 || dense / text.length < 0.2;
}
