// Shares what a batch's model calls took out over its observations, to the token.
import type { NewObservation } from "../../sdk/model.ts";

/** By the length of what was written; parts add up to `tokens`. Without a known total everybody keeps what they say. */
export function withObserverTokens(
  observations: readonly NewObservation[],
  tokens: number | null | undefined,
): NewObservation[] {
  if (tokens === null || tokens === undefined) return [...observations];
  const parts = shareOut(Math.max(0, Math.round(tokens)), observations.map(length));
  return observations.map((observation, at) => ({
    ...observation,
    observerTokens: parts[at] ?? 0,
  }));
}

function length({ title, subtitle, narrative, facts }: NewObservation): number {
  return title.length + subtitle.length + narrative.length + facts.join("").length;
}

/**
 * `total` (a whole number ≥ 0) shared out by weight, by largest remainder: parts are whole, differ from their exact
 * share by less than one, and add up to `total`. Weights that are all 0 count as equal. No weights, no parts.
 */
export function shareOut(total: number, weights: readonly number[]): number[] {
  const positive = weights.map((weight) => Math.max(0, weight));
  const sum = positive.reduce((all, weight) => all + weight, 0);
  const exact = positive.map((weight) =>
    sum === 0 ? total / weights.length : (total * weight) / sum,
  );
  const parts = exact.map(Math.floor);
  let rest = total - parts.reduce((all, part) => all + part, 0);
  const byRemainder = exact
    .map((share, at) => ({ at, remainder: share - Math.floor(share) }))
    .sort((a, b) => b.remainder - a.remainder || a.at - b.at);
  for (const { at } of byRemainder) {
    if (rest-- <= 0) break;
    parts[at] = (parts[at] ?? 0) + 1;
  }
  return parts;
}
