// Facts as a model wrote them, brought to the rules: 50 to 150 characters, one statement, standing alone, seven at most.

import { startsDangling } from "../text/prose/dangling.ts";
import { overlap } from "../text/prose/meaning.ts";
import { cleanText, plainLine } from "../text/prose/plain.ts";
import { sentencesOf } from "../text/prose/sentences.ts";
import { baseName, cut } from "../text/text.ts";

/** Shortest and longest fact, in characters. */
export const factLength = { min: 50, max: 150 } as const;
/** An answer of one sentence is a fact from here on. */
const leastAlone = 15;
/** Most facts of an observation. */
export const mostFacts = 7;

/**
 * The facts that can be kept. A long one is cut at a pause; a short one gets the file it is about in front, or goes
 * together with the next short one. One that only points at something else ("It also …") is left out.
 */
export function repairFacts(facts: readonly string[], file: string | undefined): string[] {
  const kept: string[] = [];
  let short = "";
  const add = (fact: string) => {
    if (!kept.some((other) => overlap(other, fact) > 0.9)) kept.push(fact);
  };
  for (const raw of facts) {
    const fact = factLine(raw);
    if (fact === "" || startsDangling(fact)) continue;
    if (fact.length > factLength.max) add(shortened(fact));
    else if (fact.length >= factLength.min) add(fact);
    else {
      const named = file === undefined || fact.includes(baseName(file)) ? fact : `${file}: ${fact}`;
      const joined = short === "" ? fact : `${short}; ${fact}`;
      if (named.length >= factLength.min && named.length <= factLength.max) add(named);
      else if (joined.length >= factLength.min && joined.length <= factLength.max) {
        add(joined);
        short = "";
      } else short = joined.length < factLength.min ? joined : fact;
    }
  }
  return kept.slice(0, mostFacts);
}

/** Facts out of running prose: its sentences that stand alone. For answers that came as one sentence or a story only. */
export function factsFromProse(
  prose: string,
  file: string | undefined,
  least: number = leastAlone,
): string[] {
  const found = repairFacts(sentencesOf(prose), file);
  if (found.length > 0) return found;
  const whole = factLine(prose);
  // A short answer is all there is.
  return whole.length >= least && !startsDangling(whole) ? [shortened(whole)] : [];
}

function factLine(text: string): string {
  return plainLine(cleanText(text))
    .replace(/^(?:[-*•]|\d{1,2}[.)])\s+/, "")
    .replace(/[\s,;:]+$/, "")
    .toWellFormed();
}

function shortened(fact: string): string {
  return cut(fact, factLength.max);
}
