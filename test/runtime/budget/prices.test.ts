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
  ["an alias of the newest of its family", "haiku", small, {}, 0.01145],
  ["another alias", "opus", million, {}, 4],
  ["a model nobody knows", "llama-9", million, {}, null],
  ["a price of the user's own", "llama-9", million, { llama: { input: 3 } }, 3],
  ["part of a price changed", "claude-haiku-4-5", million, { "claude-haiku": { output: 9 } }, 1],
])("%s", (_what, model, usage, overrides, cost) => {
  const found = estimateCost(model, usage, overrides);
  if (cost === null) expect(found).toBeNull();
  else expect(found).toBeCloseTo(cost, 10);
});

test.each([
  ["claude-haiku-5-5", [0.1, 0.5, 0.01, 0.125]],
  ["claude-haiku-4-5", [1, 5, 0.1, 1.25]],
  ["claude-sonnet-5-5", [2, 10, 0.2, 2.5]],
  ["claude-sonnet-4", [3, 15, 0.3, 3.75]],
  ["claude-opus-5-5", [4, 20, 0.4, 5]],
  ["claude-opus-4", [5, 25, 0.5, 6.25]],
  ["claude-fable-5-1", [10, 50, 1, 12.5]],
  ["gpt-4.1-mini", [0.4, 1.6, 0.1, 0.5]],
  ["gpt-4.1-nano", [0.1, 0.4, 0.025, 0.125]],
  ["gpt-4o-mini", [0.15, 0.6, 0.075, 0.1875]],
  ["gpt-5-mini", [0.25, 2, 0.025, 0.3125]],
  ["gpt-5-nano", [0.05, 0.4, 0.005, 0.0625]],
  ["gemini-2.5-flash", [0.3, 2.5, 0.03, 0.375]],
  ["gemini-2.5-flash-lite", [0.1, 0.4, 0.01, 0.125]],
] as const)(
  "a thousand tokens of %s cost by input, output, cache read and write",
  (model, dollars) => {
    const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    const kinds = ["input", "output", "cacheRead", "cacheWrite"] as const;
    for (const [at, kind] of kinds.entries())
      expect(estimateCost(model, { ...none, [kind]: 1_000 })).toBeCloseTo(
        (dollars[at] ?? 0) / 1_000,
        9,
      );
  },
);
