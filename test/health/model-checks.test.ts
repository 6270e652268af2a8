// What the doctor says about models.
import { expect, test } from "bun:test";
import { checkModels } from "../../src/health/server-checks.ts";

const budget = { dailyTokens: 1_000, sessionTokens: 9, day: "2026-11-21", usedToday: 10 };
const error = {
  code: "provider_auth",
  message: "a (m) did not accept the key.",
  fix: "Store one.",
};
const broken = { name: "a", state: "paused" as const, error };
const good = { name: "b", state: "works" as const };

test.each([
  ["none", { providers: [], inForce: null, budget }, ["ok: none is asked"]],
  [
    "one that works behind one that does not",
    { providers: [broken, good], inForce: "b", budget },
    ["ok: b is asked; 10 of 1,000 tokens used today"],
  ],
  [
    "none that works",
    { providers: [broken], inForce: null, budget },
    ["warn: a: it did not accept the key."],
  ],
  [
    "calls that cannot be counted",
    { providers: [good], inForce: null, budget, error: { message: "no.", fix: "Do." } },
    ["warn: no."],
  ],
  [
    "a budget that is used up",
    { providers: [good], inForce: "b", budget: { ...budget, usedToday: 960 } },
    ["warn: 960 of 1,000 tokens used today"],
  ],
])("%s", (_what, status, expected) => {
  const checks = checkModels(status);
  expect(checks.map(({ state, message }) => `${state}: ${message}`)).toEqual(expected);
  for (const { state, fix } of checks) expect(fix === undefined).toBe(state === "ok");
});
