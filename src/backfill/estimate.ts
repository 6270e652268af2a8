// What a model would be asked about planned sessions: an estimate, with its formula in one place.
import type { PlannedSession } from "./plan.ts";

/** Estimated tokens. */
export interface TokenEstimate {
  input: number;
  output: number;
}

const charactersPerToken = 4;
/** Of each prompt: what stays the same in every request, and what is asked of the summary. */
const perPrompt = { input: 2_500, output: 500 };
/** Of each tool use: the observation it may lead to. */
const outputPerToolUse = 60;

/**
 * Input: four characters a token of what a model would be shown of each tool use, and 2,500 for each prompt. Output: 60
 * for each tool use and 500 for each prompt. An estimate; strategies that batch more need less.
 */
export function estimateModelTokens(sessions: readonly PlannedSession[]): TokenEstimate {
  const sum = { input: 0, output: 0 };
  for (const { prompts, toolUses, characters } of sessions) {
    sum.input += Math.ceil(characters / charactersPerToken) + prompts * perPrompt.input;
    sum.output += toolUses * outputPerToolUse + prompts * perPrompt.output;
  }
  return sum;
}
