// What a call costs, estimated: list prices as known on 2026-11-21 (those that are not Claude's were not checked), which config can override.
import type { Usage } from "../../sdk/provider.ts";

/** US dollars per million tokens. */
export interface Price {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

/** A price by its input; a cache read is a tenth of it, a cache write a quarter more, as these providers charge. */
const price = (input: number, output: number, cacheRead = input / 10): Price => ({
  input,
  output,
  cacheRead,
  cacheWrite: input * 1.25,
});

/** By the beginning of the model's id; the longest that fits counts. Of a family the newest stands first. */
const listPrices: Readonly<Record<string, Price>> = {
  "claude-haiku-5-5": price(0.1, 0.5),
  "claude-haiku-4-5": price(1, 5),
  "claude-sonnet-5-5": price(2, 10),
  "claude-sonnet-4": price(3, 15),
  "claude-opus-5-5": price(4, 20),
  "claude-opus-4": price(5, 25),
  "claude-fable-5-1": price(10, 50),
  "gpt-4.1-mini": price(0.4, 1.6, 0.1),
  "gpt-4.1-nano": price(0.1, 0.4, 0.025),
  "gpt-4o-mini": price(0.15, 0.6, 0.075),
  "gpt-5-mini": price(0.25, 2),
  "gpt-5-nano": price(0.05, 0.4),
  "gemini-2.5-flash": price(0.3, 2.5),
  "gemini-2.5-flash-lite": price(0.1, 0.4),
};

/** Beyond this many prompt tokens a call of these models costs so many times as much. */
const longPrompts: Readonly<Record<string, { above: number; times: number }>> = {
  "claude-haiku-5-5": { above: 100_000, times: 5 },
};

/**
 * Dollars of one call (or of `calls` of equal size together), or null for a model whose price is not known. An alias
 * (`haiku`) has the price of its newest model. `overrides` come before the table.
 */
export function estimateCost(
  model: string,
  usage: Usage & { cacheWriteLong?: number },
  overrides: Readonly<Record<string, Partial<Price>>> = {},
  calls = 1,
): number | null {
  const name = model.slice(model.lastIndexOf("/") + 1);
  const own = longestPrefix(overrides, [model, name]);
  const listed =
    longestPrefix(listPrices, [name, name.replaceAll(".", "-")]) ??
    Object.keys(listPrices).find((id) => id.startsWith(`claude-${name}-`));
  const base = listed === undefined ? undefined : listPrices[listed];
  if (own === undefined && base === undefined) return null;
  const set = own === undefined ? {} : overrides[own];
  const { input, output, cacheRead, cacheWrite } = {
    ...(base ?? price(set?.input ?? 0, set?.output ?? 0)),
    ...set,
  };
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  const long = own === undefined && listed !== undefined ? longPrompts[listed] : undefined;
  const times = long && prompt / calls > long.above ? long.times : 1;
  const sum =
    usage.input * input +
    usage.output * output +
    usage.cacheRead * cacheRead +
    usage.cacheWrite * cacheWrite +
    // Kept for an hour a write costs twice the input, not a quarter more.
    (usage.cacheWriteLong ?? 0) * Math.max(0, 2 * input - cacheWrite);
  return (sum * times) / 1_000_000;
}

function longestPrefix(table: object, names: readonly string[]): string | undefined {
  return Object.keys(table)
    .filter((key) => names.some((name) => name.startsWith(key)))
    .sort((a, b) => b.length - a.length)[0];
}
