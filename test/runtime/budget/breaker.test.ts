// A provider that does not work is passed over, and tried again.
import { expect, test } from "bun:test";
import { createBreaker } from "../../../src/runtime/budget/breaker.ts";
import { type ErrorCode, MemoirError } from "../../../src/sdk/errors.ts";

const error = (code: ErrorCode, retryAfterMs?: number) =>
  new MemoirError(code, `it said ${code}.`, retryAfterMs === undefined ? {} : { retryAfterMs });

function world() {
  let time = 1_000_000;
  const breaker = createBreaker(() => time);
  return {
    breaker,
    pass: (ms: number) => {
      time += ms;
    },
  };
}

test("three passing faults in a row begin a pause, which grows with each further one", () => {
  const { breaker, pass } = world();
  for (const _ of [1, 2]) {
    expect(breaker.failed("p", error("provider_timeout", 0))).toBe(false);
    expect(breaker.paused("p")).toBeUndefined();
  }
  breaker.failed("p", error("provider_overloaded", 0));
  expect(breaker.paused("p")).toMatchObject({ code: "provider_paused", retryAfterMs: undefined });
  expect(breaker.paused("p")?.message).toContain("another 60 s: it said provider_overloaded.");
  expect(breaker.paused("other")).toBeUndefined();
  pass(60_000);
  expect(breaker.paused("p")).toBeUndefined();
  breaker.failed("p", error("provider_timeout", 0));
  pass(119_000);
  expect(breaker.paused("p")).toBeDefined();
  pass(1_000);
  expect(breaker.paused("p")).toBeUndefined();
});

test("an answer forgives everything before it", () => {
  const { breaker } = world();
  for (const _ of [1, 2]) breaker.failed("p", error("provider_timeout", 0));
  breaker.worked("p", "m");
  for (const _ of [1, 2]) breaker.failed("p", error("provider_timeout", 0));
  expect(breaker.paused("p")).toBeUndefined();
  expect(breaker.state("p")).toMatchObject({ state: "failing" });
  breaker.worked("p", "m");
  expect(breaker.state("p")).toEqual({ name: "p", state: "works", at: 1_000_000, model: "m" });
});

test.each([
  "provider_key",
  "provider_auth",
  "provider_permission",
  "provider_model",
  "provider_quota",
  "provider_missing",
] as const)("%s begins a pause at once, and is told as lasting", (code) => {
  const { breaker } = world();
  expect(breaker.failed("p", error(code))).toBe(true);
  expect(breaker.paused("p")).toMatchObject({ retryAfterMs: undefined });
  breaker.reset();
  expect(breaker.paused("p")).toBeUndefined();
});

test.each(["provider_request", "provider_context", "provider_too_large", "provider_cut"] as const)(
  "%s is the request's fault",
  (code) => {
    const { breaker } = world();
    for (const _ of [1, 2, 3, 4]) expect(breaker.failed("p", error(code))).toBe(false);
    expect(breaker.paused("p")).toBeUndefined();
    expect(breaker.state("p")).toEqual({ name: "p", state: "untried" });
  },
);

test("a provider that says when to come back is not asked sooner, and work may wait for it", () => {
  const { breaker, pass } = world();
  breaker.failed("p", error("provider_rate", 30_000));
  expect(breaker.paused("p")).toMatchObject({ retryAfterMs: 30_000 });
  pass(20_000);
  expect(breaker.paused("p")).toMatchObject({ retryAfterMs: 10_000 });
  pass(10_000);
  expect(breaker.paused("p")).toBeUndefined();
});

test("nobody waits for an hour", () => {
  const { breaker, pass } = world();
  breaker.failed("p", error("provider_rate", 3_600_000));
  expect(breaker.paused("p")).toMatchObject({ retryAfterMs: undefined });
  pass(3_599_000);
  expect(breaker.paused("p")).toBeDefined();
});
