// Decides which search results clearly belong to a prompt. Strict: a line that does not help costs the agent's attention. Pure.
import type { SearchResult } from "../../src/sdk/index.ts";
import { stemsOf, type Term, termsOf } from "./terms.ts";
import { type Rarity, wordsOf } from "./vocabulary.ts";

/** A result that belongs to the prompt, and the fact of it that fits best. */
export interface Relevant {
  result: SearchResult;
  fact: string | undefined;
  /** How much of the prompt it answers to; for ordering. */
  weight: number;
}

/** A term of this weight is a real word, not one of every prompt. */
const realWeight = 0.7;
/** Matched terms must weigh so much together: two real words, or one name of code. */
const minWeight = 2;
/** More words than this only make a search slower. */
const searchedTerms = 10;
/** Share of the prompt's weight that must match. */
const minCoverage = 0.34;
/** A long prompt is not asked for more than this share of so much weight. */
const coveredWeight = 10;

/** The prompt's terms when it says enough to look for something; undefined for `continue`, `fix it`, `run the tests`. */
export function telling(prompt: string): Term[] | undefined {
  const terms = termsOf(prompt);
  return weigh(terms) >= minWeight && terms.some(isReal) ? terms : undefined;
}

/** What to search for: the most telling terms, as they were written. */
export function searchText(terms: readonly Term[]): string {
  return terms
    .filter(isReal)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, searchedTerms)
    .map(({ written }) => written)
    .join(" ");
}

/** The results that clearly belong to the prompt, best first; most prompts have none. */
export function relevantOf(
  prompt: readonly Term[],
  results: readonly SearchResult[],
  rarity: Rarity,
): Relevant[] {
  const terms = prompt.map((term) => ({ ...term, weight: term.weight * rarity(term.stem) }));
  const wanted = Math.min(weigh(terms), coveredWeight);
  return results
    .flatMap((result): Relevant[] => {
      const { head, facts } = wordsOf(result, result.files);
      const inHead = terms.filter(({ stem }) => head.has(stem));
      const matched = terms.filter(({ stem }) => head.has(stem) || facts.has(stem));
      const weight = weigh(matched);
      const real = matched.filter(isReal);
      const enough =
        weight >= minWeight &&
        weight / wanted >= minCoverage &&
        (real.length >= 2 || real.some((term) => term.weight >= 2)) &&
        inHead.some(isReal);
      if (!enough) return [];
      return [{ result, fact: bestFact(result.facts, matched), weight: weight + weigh(inHead) }];
    })
    .sort((a, b) => b.weight - a.weight || b.result.score - a.result.score);
}

function bestFact(facts: readonly string[], matched: readonly Term[]): string | undefined {
  let best: string | undefined;
  let most = 0;
  for (const fact of facts) {
    const inFact = stemsOf(fact);
    const weight = weigh(matched.filter(({ stem }) => inFact.has(stem)));
    if (weight > most) [best, most] = [fact, weight];
  }
  return best;
}

const isReal = ({ weight }: Term): boolean => weight >= realWeight;

const weigh = (terms: readonly Term[]): number =>
  terms.reduce((sum, { weight }) => sum + weight, 0);
