// Models in words: how providers fare, what is left, what calls took.
import { expect, test } from "bun:test";
import { modelLines, money, providerWord, usageLines } from "../../../src/cli/models/provider.ts";
import { withoutName } from "../../../src/health/server-checks.ts";

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
    "b: m, answered 2m ago, in use, those before it fail",
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
  expect(withoutName("It asked anthropic (m) twice.", "anthropic")).toBe(
    "It asked anthropic (m) twice.",
  );
  expect(withoutName("anthropic2 failed.", "anthropic")).toBe("anthropic2 failed.");
  expect(withoutName("a is (not) there.", "a")).toBe("it is (not) there.");
});

test.each<[state: Parameters<typeof providerWord>[0], word: string]>([
  [{ name: "a", state: "untried" }, "not asked yet"],
  [{ name: "a", state: "works", at: 0 }, "answered 10m ago"],
  [{ name: "a", state: "works" }, "answered just now"],
  [{ name: "a", state: "failing", at: 8 * minute }, "failed 2m ago"],
  [{ name: "a", state: "failing" }, "failed just now"],
  [{ name: "a", state: "paused", pausedUntil: 10 * minute + 1_001 }, "paused for 2 s"],
  [{ name: "a", state: "paused", pausedUntil: 10 * minute }, "paused for 1 s"],
  [{ name: "a", state: "paused" }, "paused for 1 s"],
])("%j is said as %s", (state, word) => {
  expect(providerWord(state, 10 * minute)).toBe(word);
});

test("where nobody may be asked the reason takes the place of the budget; the first in force needs no more words", () => {
  const error = { code: "budget_spent", message: "The day is spent.", fix: "f" } as const;
  const status = {
    inForce: "a",
    budget: { ...budget, usedToday: 0 },
    providers: [{ name: "a", state: "works" as const, at: 0, model: "m" }],
  };
  const line = "a: m, answered just now, in force";
  expect(modelLines({ ...status, error }, 0)).toEqual([line, "none asked: The day is spent."]);
  expect(modelLines(status, 0)).toEqual([line, "0 of 1,000,000 tokens used today"]);
});

test("of a long table the first rows are shown, and how many more there are", () => {
  const sum = {
    ...{ calls: 1, failed: 0, input: 1, output: 2, cacheRead: 3, cacheWrite: 4, tokens: 10 },
    ...{ cost: 0, unpriced: 0 },
  };
  const rows = ["a", "b", "c"].map((key) => ({ key, ...sum }));
  const report = { total: sum, byDay: rows, byProject: rows.slice(1), byModel: [], byPurpose: [] };
  expect(usageLines(report, undefined, 2).slice(0, 10)).toEqual([
    "  1 call, 10 tokens, $0.0000 (estimated from list prices)",
    "",
    "By day  calls  failed  input  output  cache read  cache write  cost",
    "a       1      0       1      2       3           4            $0.0000",
    "b       1      0       1      2       3           4            $0.0000",
    "and 1 more",
    "",
    "By project  calls  failed  input  output  cache read  cache write  cost",
    "b           1      0       1      2       3           4            $0.0000",
    "c           1      0       1      2       3           4            $0.0000",
  ]);
});
