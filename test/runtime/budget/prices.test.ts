// What a call costs.
import { expect, test } from "bun:test";
import { estimateCost, type Price } from "../../../src/runtime/budget/prices.ts";

const million = { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite: 0 };
const small = { input: 50_000, output: 10_000, cacheRead: 20_000, cacheWrite: 10_000 };

test.each<
  [
    string,
    string,
    Parameters<typeof estimateCost>[1],
    Record<string, Partial<Price>>,
    number | null,
  ]
>([
  ["a listed model", "claude-haiku-4-5-20251001", million, {}, 1],
  ["behind a gateway's name", "anthropic/claude-haiku-4.5", million, {}, 1],
  ["the longest name that fits", "gemini-2.5-flash-lite", million, {}, 0.1],
  ["every kind of token", "claude-haiku-5-5", small, {}, 0.005 + 0.005 + 0.0002 + 0.00125],
  ["a long prompt of a model that charges more for it", "claude-haiku-5-5", million, {}, 0.5],
  ["a model nobody knows", "llama-9", million, {}, null],
  ["a price of the user's own", "llama-9", million, { llama: { input: 3 } }, 3],
  ["part of a price changed", "claude-haiku-4-5", million, { "claude-haiku": { output: 9 } }, 1],
])("%s", (_what, model, usage, overrides, cost) => {
  const found = estimateCost(model, usage, overrides);
  if (cost === null) expect(found).toBeNull();
  else expect(found).toBeCloseTo(cost, 10);
});
