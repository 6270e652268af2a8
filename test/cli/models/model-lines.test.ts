// Models in words: how providers fare, what is left, what calls took.
import { expect, test } from "bun:test";
import { modelLines, money, usageLines, withoutName } from "../../../src/cli/models/model-lines.ts";

const budget = { dailyTokens: 1_000_000, sessionTokens: 9, day: "2026-11-21", usedToday: 43_210 };
const minute = 60_000;

test("status says which provider is in force, and why", () => {
  const error = { code: "provider_auth", message: "a (m) did not accept the key.", fix: "f" };
  expect(
    modelLines(
      {
        inForce: "b",
        budget,
        providers: [
          { name: "a", state: "paused", at: 0, pausedUntil: 11 * minute, error },
          { name: "b", state: "works", at: 8 * minute, model: "m" },
          { name: "c", state: "untried" },
        ],
      },
      10 * minute,
    ),
  ).toEqual([
    "a: paused for 60 s; it did not accept the key.",
    "b: m, answered 2m ago, in force, those before it fail",
    "c: not asked yet",
    "43,210 of 1,000,000 tokens used today",
  ]);
  expect(modelLines({ inForce: null, budget, providers: [] }, 0)).toEqual([
    "none asked (`memoir provider list`)",
  ]);
});

test.each([
  [0, 0, "$0.0000"],
  [0.00001, 0, "<$0.0001"],
  [0.1234, 0, "$0.1234"],
  [12.345, 0, "$12.35"],
  [0.5, 2, "at least $0.5000"],
  [0, 2, "unknown"],
])("%d dollars, %d unpriced: %s", (cost, unpriced, text) => {
  expect(money({ cost, unpriced })).toBe(text);
});

test("usage is shown by day, project, model and purpose", () => {
  const sum = {
    calls: 2,
    failed: 1,
    input: 1_000,
    output: 20,
    cacheRead: 7,
    cacheWrite: 5,
    tokens: 1_032,
    cost: 0.5,
    unpriced: 0,
  };
  const row = (key: string) => [{ key, ...sum }];
  const report = {
    total: sum,
    byDay: row("2026-11-21"),
    byProject: row("acme/shop"),
    byModel: row(""),
    byPurpose: row("observe"),
  };
  const text = usageLines(report).join("\n");
  expect(text).toStartWith("  2 calls, 1,032 tokens, $0.5000 (estimated from list prices)");
  for (const word of ["By day", "acme/shop", "(none)", "observe", "1,000"])
    expect(text).toContain(word);
  expect(usageLines({ ...report, total: { ...sum, calls: 0 } })).toEqual(["  none"]);
});

test("a name that stands there already is not repeated", () => {
  expect(withoutName("anthropic (m) did not answer.", "anthropic")).toBe("it did not answer.");
  expect(withoutName("No key is stored.", "anthropic")).toBe("No key is stored.");
});
