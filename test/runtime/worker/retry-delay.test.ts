// The retry policy, and that retries do not march in step.
import { expect, test } from "bun:test";
import { defaultRetryDelaysMs, retryAt } from "../../../src/runtime/worker/retry-delay.ts";

test("each attempt waits longer, the last one parks", () => {
  const waits = [1, 2, 3, 4, 5, 6].map((attempt) => retryAt(attempt, 0, defaultRetryDelaysMs, 0.5));
  expect(waits).toEqual([1_000, 5_000, 30_000, 120_000, 600_000, null]);
});

test("the delay varies by a fifth either way", () => {
  expect(retryAt(1, 100, [1_000], 0)).toBe(900);
  expect(retryAt(1, 100, [1_000], 0.999)).toBe(1_300);
});
