// What the agent spent on its tool uses, and so on what was learned from them: the one place where that is worked out.

import type { TokenUsage } from "../../sdk/work.ts";
import { weighTokens } from "../../text/tokens.ts";

/** A tool use's message: its usage, and all tool uses it made, in order. */
export interface MessageOfToolUse {
  usage?: TokenUsage;
  messageToolUses: readonly string[];
}

/**
 * Tokens of each tool use: its message's `weighTokens` (input, output and cache writes in full, cache reads at a
 * tenth, rounded), shared out evenly over all tool uses of that message; what does not divide goes to the first ones,
 * one token each. The shares of a message sum up to it exactly. Tool uses without known usage are left out.
 */
export function toolUseTokens(found: ReadonlyMap<string, MessageOfToolUse>): Map<string, number> {
  const tokens = new Map<string, number>();
  for (const [id, { usage, messageToolUses }] of found) {
    const at = messageToolUses.indexOf(id);
    if (usage && at >= 0) tokens.set(id, share(weighTokens(usage), messageToolUses.length, at));
  }
  return tokens;
}

/**
 * The same observations with `discoveryTokens`: each tool use's tokens are shared out evenly over the observations that
 * name it, so that their sum is exactly that of the tool uses named. Of an observation some of whose tool uses are
 * not known, the known ones count (a lower bound); null when none is. What a strategy filled in itself stays.
 */
export function withDiscoveryTokens<
  Observed extends { toolUseIds: readonly string[]; discoveryTokens: number | null },
>(observations: readonly Observed[], tokens: ReadonlyMap<string, number>): Observed[] {
  const namedBy = new Map<string, number[]>();
  for (const [index, { toolUseIds }] of observations.entries())
    for (const id of new Set(toolUseIds)) namedBy.set(id, [...(namedBy.get(id) ?? []), index]);
  return observations.map((observation, index) => {
    if (observation.discoveryTokens !== null) return observation;
    let sum: number | null = null;
    for (const id of new Set(observation.toolUseIds)) {
      const spent = tokens.get(id);
      const names = namedBy.get(id) ?? [];
      if (spent !== undefined) sum = (sum ?? 0) + share(spent, names.length, names.indexOf(index));
    }
    return { ...observation, discoveryTokens: sum };
  });
}

/** The part of `whole` that falls to number `at` of `parts`. */
function share(whole: number, parts: number, at: number): number {
  return Math.floor(whole / parts) + (at < whole % parts ? 1 : 0);
}
