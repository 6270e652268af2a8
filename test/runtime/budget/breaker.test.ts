// How a provider is told to fare, and the figures of each pause to the millisecond.
import { expect, test } from "bun:test";
import { createBreaker, longestRetryAfterMs } from "../../../src/runtime/budget/breaker.ts";
import { type ErrorCode, MemoirError } from "../../../src/sdk/errors.ts";

function room() {
  const clock = { now: 1_000 };
  const breaker = createBreaker(() => clock.now);
  const fail = (code: ErrorCode, more = {}) =>
    breaker.failed("one", new MemoirError(code, "It broke.", { fix: "Mend it.", ...more }));
  return { clock, breaker, fail };
}
const minute = 60_000;

test("a provider is untried, works, fails and is paused, with its model, its moment and its error", () => {
  const { clock, breaker, fail } = room();
  expect(breaker.state("one")).toEqual({ name: "one", state: "untried" });
  breaker.worked("one", "m-1");
  expect(breaker.state("one")).toEqual({ name: "one", state: "works", at: 1_000, model: "m-1" });
  clock.now = 2_000;
  fail("provider_timeout");
  const error = { code: "provider_timeout", message: "It broke.", fix: "Mend it." };
  expect(breaker.state("one")).toEqual({
    ...{ name: "one", state: "failing" },
    at: 2_000,
    model: "m-1",
    error,
  });
  fail("provider_timeout");
  expect(breaker.paused("one")).toBeUndefined();
  fail("provider_timeout");
  expect(breaker.state("one")).toMatchObject({ state: "paused", pausedUntil: 2_000 + minute });
  clock.now += minute;
  expect(breaker.state("one")).toMatchObject({ state: "failing" });
  expect(breaker.state("one")).not.toHaveProperty("pausedUntil");
  breaker.worked("one", "m-2");
  expect(breaker.state("one")).toEqual({
    name: "one",
    state: "works",
    at: clock.now,
    model: "m-2",
  });
  breaker.reset();
  expect(breaker.state("one").state).toBe("untried");
});

test("why one is not asked says for how long, why and what to do, and is over to the millisecond", () => {
  const { clock, breaker, fail } = room();
  expect(breaker.paused("one")).toBeUndefined();
  expect(fail("provider_auth")).toBe(true);
  expect(breaker.paused("one")).toMatchObject({
    ...{ code: "provider_paused", fix: "Mend it." },
    message: "one is not asked for another 600 s: It broke.",
  });
  expect(breaker.paused("one")?.retryAfterMs).toBeUndefined();
  clock.now += 10 * minute - 1;
  expect(breaker.paused("one")?.message).toBe("one is not asked for another 1 s: It broke.");
  clock.now += 1;
  expect(breaker.paused("one")).toBeUndefined();
  expect(breaker.paused("another")).toBeUndefined();
});

test("each pause is twice as long as the one before, a quarter of an hour at most", () => {
  const { clock, breaker, fail } = room();
  const lengths: number[] = [];
  fail("provider_overloaded");
  fail("provider_overloaded");
  for (let time = 0; time < 6; time++) {
    expect(fail("provider_overloaded")).toBe(false);
    const until = breaker.state("one").pausedUntil ?? 0;
    lengths.push((until - clock.now) / minute);
    clock.now = until;
  }
  expect(lengths).toEqual([1, 2, 4, 8, 15, 15]);
});

test("only a rate limit says when to come back; work waits two minutes for it, no longer", () => {
  for (const [retryAfterMs, waits] of [
    [longestRetryAfterMs, true],
    [longestRetryAfterMs + 1, false],
  ] as const) {
    const { clock, breaker, fail } = room();
    fail("provider_rate", { retryAfterMs });
    expect(breaker.state("one").pausedUntil).toBe(clock.now + retryAfterMs);
    expect(breaker.paused("one")?.retryAfterMs).toBe(waits ? retryAfterMs : undefined);
    breaker.worked("one", "m");
    expect(breaker.paused("one")).toBeUndefined();
  }
  const { breaker, fail } = room();
  fail("provider_overloaded", { retryAfterMs: 5_000 });
  fail("provider_rate");
  expect(breaker.paused("one")).toBeUndefined();
  fail("provider_rate", { retryAfterMs: 0 });
  expect(breaker.paused("one")?.message).toContain("another 60 s");
});

test.each<[ErrorCode, "lasting" | "passing" | "the request's"]>([
  ["provider_key", "lasting"],
  ["provider_auth", "lasting"],
  ["provider_permission", "lasting"],
  ["provider_model", "lasting"],
  ["provider_quota", "lasting"],
  ["provider_missing", "lasting"],
  ["provider_timeout", "passing"],
  ["plugin_failed", "passing"],
  ["provider_request", "the request's"],
  ["provider_context", "the request's"],
  ["provider_too_large", "the request's"],
  ["provider_cut", "the request's"],
])("%s is a fault that is %s", (code, kind) => {
  const { breaker, fail } = room();
  const isLasting = kind === "lasting";
  const states = [1, 2, 3].map(() => [fail(code), breaker.state("one").state]);
  const state = ({ lasting: "paused", passing: "failing", "the request's": "untried" } as const)[
    kind
  ];
  expect(states[0]).toEqual([isLasting, state]);
  expect(states[2]).toEqual([isLasting, kind === "passing" ? "paused" : state]);
});

test("an answer forgives everything before it", () => {
  const { breaker, fail } = room();
  for (const code of ["provider_timeout", "provider_timeout"] as const) fail(code);
  breaker.worked("one", "m");
  for (const code of ["provider_timeout", "provider_timeout"] as const) fail(code);
  expect(breaker.paused("one")).toBeUndefined();
});
