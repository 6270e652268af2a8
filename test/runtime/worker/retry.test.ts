// When a piece is tried again as a whole, after how long, and that retries do not march in step.
import { expect, test } from "bun:test";
import { canWait, defaultRetryDelaysMs, retryAt } from "../../../src/runtime/worker/piece.ts";
import { MemoirError } from "../../../src/sdk/errors.ts";

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

test("each attempt waits longer, the last one parks", () => {
  const waits = [1, 2, 3, 4, 5, 6].map((attempt) => retryAt(attempt, 0, defaultRetryDelaysMs, 0.5));
  expect(waits).toEqual([1_000, 5_000, 30_000, 120_000, 600_000, null]);
});

test("the delay varies by a fifth either way", () => {
  expect(retryAt(1, 100, [1_000], 0)).toBe(900);
  expect(retryAt(1, 100, [1_000], 0.999)).toBe(1_300);
});
