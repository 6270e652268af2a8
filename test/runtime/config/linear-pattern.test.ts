// Expressions of the user's: what a linear engine can run, and nothing else.
import { expect, test } from "bun:test";
import { parseConfig } from "../../../src/runtime/config/parse.ts";

const rulesOf = (rules: unknown) =>
  parseConfig("config.json", JSON.stringify({ privacy: { redact: { rules } } }));

test.each(["EMP-\\d{5}", "(a+)+$", "(?i)acme", "\\\\1", "[^x]?", "(?:a|b)(?<name>c)"])(
  "%s is taken",
  (pattern) => {
    expect(rulesOf({ own: pattern }).problems).toEqual([]);
  },
);

test.each(["(", "a(?=b)", "(?<!a)b", "(a)\\1", "(?<n>a)\\k<n>", "[z-a]"])(
  "%s is refused",
  (pattern) => {
    expect(rulesOf({ own: pattern }).problems).toHaveLength(1);
  },
);

test("a rule that is wrong is named in words, left out, and text is withheld until it is right", () => {
  const { problems, config, captureUnclear } = rulesOf({ good: "x", bad: "(?=x)" });
  expect(problems.map(({ path }) => path)).toEqual(["privacy.redact.rules.bad"]);
  expect(problems[0]?.message).toContain("without look-around");
  expect(captureUnclear).toBe(true);
  expect(config.privacy.redact.rules).toEqual({ good: "x" });
});

test("rules that are right are in force", () => {
  const { problems, captureUnclear } = rulesOf({ staff: "EMP-\\d{5}" });
  expect([problems, captureUnclear]).toEqual([[], false]);
});
