// Counting tokens: an estimate that needs no tokenizer, and one figure for what a request took.
import type { TokenUsage } from "../sdk/work.ts";

/** Estimated tokens of a text: 4 characters a token for Latin text, 1 for CJK. An estimate, ±20 % on prose and code. */
export function estimateTokens(text: string): number {
  let wide = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= 0x2e80) wide++;
  return Math.ceil((text.length - wide) / 4 + wide);
}

/**
 * One figure for a request's usage: input, output and cache writes count in full, cache reads at a tenth (as they are
 * priced against input). A whole number.
 */
export function weighTokens({ input, output, cacheRead, cacheWrite }: TokenUsage): number {
  return Math.round(input + output + cacheWrite + cacheRead / 10);
}
