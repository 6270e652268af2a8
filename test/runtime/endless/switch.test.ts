// Where strategies are switched on, who is loaded, and who stays untouched.
import { expect, test } from "bun:test";
import { chosenFor, isHeldOut, strategyOrder } from "../../../src/runtime/endless/switch.ts";

const none = { everywhere: [], projects: {}, sessions: {}, holdOut: 0 };

test.each<[string, object, string, string | undefined, object]>([
  ["nothing set: off", {}, "s", "p", { scope: "everywhere", strategies: [] }],
  [
    "everywhere",
    { everywhere: ["live"] },
    "s",
    undefined,
    { scope: "everywhere", strategies: ["live"] },
  ],
  [
    "the project counts before everywhere",
    { everywhere: ["live"], projects: { p: ["transcript"] } },
    "s",
    "p",
    { scope: "project", strategies: ["transcript"] },
  ],
  [
    "an empty list is off",
    { everywhere: ["live"], projects: { p: [] } },
    "s",
    "p",
    { scope: "project", strategies: [] },
  ],
  [
    "the session counts before its project",
    { projects: { p: ["live"] }, sessions: { s: [] } },
    "s",
    "p",
    { scope: "session", strategies: [] },
  ],
  [
    "another project's entry does not count",
    { projects: { p: ["live"] } },
    "s",
    "q",
    { scope: "everywhere", strategies: [] },
  ],
  [
    "a project named like a property of every object is none",
    {},
    "s",
    "constructor",
    { scope: "everywhere", strategies: [] },
  ],
])("%s", (_, set, session, project, chosen) => {
  expect(chosenFor({ ...none, ...set }, session, project)).toEqual(chosen as never);
});

test.each<[string, string[] | undefined, object, string[]]>([
  ["nobody wanted", undefined, {}, ["off"]],
  ["an explicit off", ["off"], {}, ["off"]],
  [
    "every scope counts, built-in order first",
    undefined,
    { everywhere: ["mine", "gateway"], projects: { p: ["live"] }, sessions: { s: ["transcript"] } },
    ["live", "transcript", "gateway", "mine"],
  ],
  [
    "the slot gives the order, the named follow",
    ["transcript", "live"],
    { everywhere: ["mine", "live"] },
    ["transcript", "live", "mine"],
  ],
  ["off gives way to who is named", ["off"], { everywhere: ["live"] }, ["live"]],
  ["the built-in ones", ["mine", "..."], {}, ["mine", "live", "transcript", "gateway"]],
])("%s", (_, slot, set, order) => {
  expect(strategyOrder(slot, { ...none, ...set })).toEqual(order);
});

test("the hold-out share is what config says, and a session stays on its side", () => {
  const ids = Array.from({ length: 20_000 }, (_, at) =>
    at % 2 === 0 ? `session-${at}` : `0b9c7c1e-3f6d-4a8e-9d52-${String(at).padStart(12, "0")}`,
  );
  for (const share of [0.05, 0.2, 0.5]) {
    const held = ids.filter((id) => isHeldOut(id, share)).length / ids.length;
    expect(Math.abs(held - share)).toBeLessThan(0.015);
  }
  const small = new Set(ids.filter((id) => isHeldOut(id, 0.1)));
  expect(ids.filter((id) => small.has(id) && !isHeldOut(id, 0.3))).toEqual([]);
  expect(ids.some((id) => isHeldOut(id, 0))).toBe(false);
  expect(ids.every((id) => isHeldOut(id, 1))).toBe(true);
  // Written down, so that a change of the hash is noticed: sessions would change sides.
  expect(isHeldOut("3f2a91c0-6a1e-4b6e-8a44-0c1d2e3f4a5b", 0.9)).toBe(false);
  expect(isHeldOut("session-1", 0.2)).toBe(true);
});
