// Shares what a batch's model calls took out over its observations, to the token.
import type { NewObservation } from "../../sdk/model.ts";
import { shareOut } from "../../text/share.ts";

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
