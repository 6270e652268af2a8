// When a piece waits for a model, and what its observations are said to have taken.
import { expect, test } from "bun:test";
import { canWait } from "../../../src/runtime/worker/can-wait.ts";
import { withObserverTokens } from "../../../src/runtime/worker/observer-tokens.ts";
import { MemoirError } from "../../../src/sdk/errors.ts";
import type { NewObservation } from "../../../src/sdk/model.ts";

const soon = new MemoirError("provider_rate", "slow down", { retryAfterMs: 5_000 });
test.each<[string, { attempt: number; waiting: boolean }, unknown, boolean]>([
  ["the first attempt", { attempt: 1, waiting: false }, soon, true],
  ["the second", { attempt: 2, waiting: false }, soon, true],
  ["not the third", { attempt: 3, waiting: false }, soon, false],
  ["not when somebody waits", { attempt: 1, waiting: true }, soon, false],
  [
    "not for an hour",
    { attempt: 1, waiting: false },
    new MemoirError("provider_rate", "later", { retryAfterMs: 3_600_000 }),
    false,
  ],
  [
    "not for a wrong key",
    { attempt: 1, waiting: false },
    new MemoirError("provider_auth", "no"),
    false,
  ],
  ["not for a bug", { attempt: 1, waiting: false }, new Error("bug"), false],
])("%s", (_what, work, error, expected) => {
  expect(canWait(work, error)).toBe(expected);
});

const observation = (narrative: string, observerTokens: number | null = null) =>
  ({ title: "", subtitle: "", facts: [], narrative, observerTokens }) as unknown as NewObservation;
const tokensOf = (list: NewObservation[]) => list.map(({ observerTokens }) => observerTokens);

test("tokens are shared out by length, and add up", () => {
  const list = [observation("12345"), observation("1"), observation("")];
  expect(tokensOf(withObserverTokens(list, 100))).toEqual([83, 17, 0]);
  expect(tokensOf(withObserverTokens([observation("", 5)], undefined))).toEqual([5]);
  expect(withObserverTokens([], 100)).toEqual([]);
});
