import { expect, test } from "bun:test";
import { anyWord, scoped, within } from "../../../src/records/search/expression.ts";
import { type Ranked, rankedTerms, score, termsIn } from "../../../src/records/search/score.ts";

const now = Date.UTC(2026, 10, 2);
const day = 86_400_000;
const terms = rankedTerms(
  [
    { variants: ["refresh", "refreshtoken"], hits: 10 },
    { variants: ["session"], hits: 900 },
  ],
  1000,
);

function scoreOf(part: Partial<Ranked>): number {
  const record: Ranked = {
    kind: "observation",
    text: { title: "Refresh the session" },
    createdAt: now,
    superseded: false,
    ...part,
  };
  return score(record, terms, undefined, now);
}

test("age costs little, being superseded half, repeating the question more than telling", () => {
  const best = scoreOf({});
  expect(scoreOf({ createdAt: now - day })).toBeLessThan(best);
  expect(scoreOf({ createdAt: now - 3000 * day })).toBeGreaterThan(best * 0.89);
  expect(scoreOf({ createdAt: now + day })).toBe(best);
  expect(scoreOf({ superseded: true })).toBe(best / 2);
  expect(scoreOf({ kind: "prompt" })).toBeLessThan(best);
});

test("a rare word counts more than a common one, and nothing counts nothing", () => {
  expect(scoreOf({ text: { title: "Refresh" } })).toBeGreaterThan(
    scoreOf({ text: { title: "Session" } }),
  );
  expect(scoreOf({ text: { title: "Neither" } })).toBe(0);
  expect(scoreOf({ text: {} })).toBe(0);
});

const scenarios: Array<[text: string, found: number[]]> = [
  ["", []],
  ["Refreshing sessions", [0, 1]],
  ["call refreshToken()", [0]],
  ["REFRESH_TOKEN", [0]],
  ["refreshtoken", [0]],
  ["a refreshment", [0]],
  ["irrefreshable obsession", []],
  ["reference, then refresh", [0]],
  ["séssion réfresh", [0, 1]],
];
for (const [text, found] of scenarios)
  test(`"${text}" has the terms ${found}`, () => expect(termsIn(text, terms)).toEqual(found));

test("no word is ever read as syntax", () => {
  expect(anyWord(['a" OR "b', "NOT"])).toBe('("a"" OR ""b" OR "NOT")');
  expect(scoped([["p1"], ["ksession", "kprompt"]], within(["title"], anyWord(["x"])))).toBe(
    '(scope : ("p1")) AND (scope : ("ksession" OR "kprompt")) AND ({title} : ("x"))',
  );
});
