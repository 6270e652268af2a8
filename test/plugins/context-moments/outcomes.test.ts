// What became of what was told, and when a kind falls silent.
import { expect, test } from "bun:test";
import { createOutcomes, type Hint } from "../../../plugins/context-moments/index.ts";

const dayMs = 24 * 60 * 60_000;
const told = (part: Partial<Hint> = {}): Hint => ({
  ...{ kind: "failure", project: "shop", session: "s1", time: 1_000, ids: ["t12"] },
  ...{ commands: ["bun test cart"], files: ["src/cart.ts"], lookedUp: false, actedOn: false },
  ...part,
});

test.each([
  ["its id is asked for", { asked: "memoir show t12" }, "lookedUp"],
  ["its id is asked for among others", { asked: '{"ids":["o1","t12"]}' }, "lookedUp"],
  ["another id is asked for", { asked: "memoir show t123" }, undefined],
  ["its command passes", { command: "cd x && bun test cart 2>&1" }, "actedOn"],
  ["another command passes", { command: "bun test login" }, undefined],
  ["its file is changed", { file: "src/cart.ts" }, "actedOn"],
  ["another file is changed", { file: "src/login.ts" }, undefined],
] as const)("%s", (_, use, how) => {
  const outcomes = createOutcomes([told()]);
  expect(outcomes.used({ session: "other", ...use })).toEqual([]);
  expect(outcomes.used({ session: "s1", ...use })).toEqual(how ? [{ kind: "failure", how }] : []);
  expect(outcomes.used({ session: "s1", ...use })).toEqual([]);
});

test.each([
  ["few were told", 29, 0, 0, false],
  ["nobody used any", 30, 0, 0, true],
  ["two of thirty were used", 30, 2, 0, true],
  ["three of thirty were used", 30, 3, 0, false],
  ["a week has passed", 30, 0, 8, false],
] as const)("silence where %s", (_, many, used, days, silent) => {
  const all = Array.from({ length: many }, (_one, at) => told({ actedOn: at < used }));
  const outcomes = createOutcomes(all);
  const now = 1_000 + days * dayMs;
  expect(outcomes.isSilent("shop", "failure", now)).toBe(silent);
  expect(outcomes.isSilent("shop", "file", now)).toBe(false);
  expect(outcomes.isSilent("blog", "failure", now)).toBe(false);
});
