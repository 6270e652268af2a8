// Prompts against a memory: which observations are told, and for which prompts nothing is.
import { describe, expect, test } from "bun:test";
import { relevantOf, telling } from "../../../plugins/context-relevant/relevance.ts";
import { stemOf, termsOf } from "../../../plugins/context-relevant/terms.ts";
import { observation, searchResult } from "../../support/records.ts";

const memory = [
  observation("login"),
  observation("cart", {
    type: "feature",
    title: "Cart totals include taxes",
    subtitle: "totalOf() adds the tax of each line before it rounds.",
    facts: ["src/cart.ts rounds half to even, so that cents add up to the invoice."],
    filesModified: ["src/cart.ts"],
  }),
  observation("cents", {
    type: "decision",
    title: "Money is kept in cents",
    subtitle: "Amounts are integers; only src/format.ts turns them into text.",
    facts: ["The user decided that amounts are integers in cents everywhere."],
    filesModified: ["src/format.ts"],
  }),
  observation("cache", {
    type: "bugfix",
    title: "Product cache kept stale prices",
    subtitle: "ProductCache ignored the revision header after a deploy.",
    facts: ["ProductCache.get() now compares the revision header with its own."],
    filesModified: ["src/catalog/product-cache.ts"],
  }),
  observation("ci", {
    type: "discovery",
    title: "CI runs tests on Node only",
    subtitle: "The workflow has no job for Bun, so Bun failures stay unseen.",
    facts: ["The workflow in .github/workflows/ci.yml has a single job on Node 22."],
    filesModified: [],
    filesRead: [".github/workflows/ci.yml"],
  }),
  observation("tests", {
    type: "bugfix",
    title: "Fix failing test in build",
    subtitle: "The test file had an error and the build failed.",
    facts: ["The failing test was fixed and the build passes with all tests."],
    filesModified: ["test/build.test.ts"],
  }),
  observation("ja", {
    type: "discovery",
    title: "認証トークンの更新",
    subtitle: "更新処理はログイン画面にある。",
    facts: [],
    filesModified: [],
  }),
].map((one, i) => searchResult(one, 10 - i));

const table: Array<[prompt: string, told: string[]]> = [
  // Clearly about something remembered.
  ["The token refresh is looping again after a 401", ["login"]],
  ["why does refreshing an expired token loop?", ["login"]],
  ["open src/auth/refresh.ts and explain the interceptor", ["login"]],
  ["the cart totals are wrong when taxes apply", ["cart"]],
  ["should amounts be floats or integers in cents?", ["cents"]],
  ["product prices are stale after we deploy", ["cache"]],
  ["what does ProductCache do with the revision header", ["cache"]],
  ["look into product-cache.ts", ["cache"]],
  ["add a Bun job to the CI workflow", ["ci"]],
  ["認証トークンの更新が壊れた", ["ja"]],
  // Says nothing by itself.
  ["continue", []],
  ["fix it", []],
  ["yes, go ahead", []],
  ["run the tests", []],
  ["run the tests and fix the failing ones", []],
  ["the build failed, fix the error", []],
  ["commit and push", []],
  ["write a test for this function", []],
  ["thanks!", []],
  ["ok", []],
  ["refactor this file please", []],
  ["explain the code", []],
  ["[private]", []],
  ["", []],
  ["🎉🎉🎉", []],
  ["1 2 3 4", []],
  // Shares a word or two with the memory and is about something else.
  ["rename the header of the settings page", []],
  ["add a dark theme to the dashboard", []],
  ["the header logo is too large on mobile", []],
  ["deploy the marketing site to the new domain", []],
  ["write documentation for the onboarding flow of new employees in the handbook", []],
  ["make the integers in the chart legend align right", []],
  ["update the node version in the dockerfile", []],
  ["log a warning when the disk is nearly full", []],
  // Two words of many, one real word among everyday ones, words of a side remark, two syllables.
  [
    "draft a tax letter with totals for each region, warehouse, supplier, contract and currency",
    [],
  ],
  ["add a line to the cart file to include the src in the log", []],
  ["send the invoice half an hour later", []],
  ["更新する画面", []],
];

describe("relevance", () => {
  for (const [prompt, told] of table) {
    test(`${told.length === 0 ? "nothing" : told.join()} for: ${prompt}`, () => {
      const terms = telling(prompt);
      const ids = terms ? relevantOf(terms, memory, () => 1).map(({ result }) => result.id) : [];
      expect(ids).toEqual(told);
    });
  }
  test("the fact that fits best is chosen", () => {
    const terms = telling("cents must add up to the invoice in the cart") ?? [];
    expect(relevantOf(terms, memory, () => 1)[0]?.fact).toContain("rounds half to even");
  });
});

describe("terms", () => {
  test("inflections share a stem", () => {
    for (const family of [
      ["refresh", "refreshes", "refreshing", "refreshed"],
      ["cache", "caches", "cached", "caching"],
      ["validate", "validation", "validator", "validating"],
      ["token", "tokens"],
      ["loop", "looping", "loops"],
      ["stop", "stopped", "stopping"],
    ]) {
      expect(new Set(family.map(stemOf)).size).toBe(1);
    }
  });
  test("names of code weigh more and bring their parts", () => {
    const terms = termsOf("call refreshToken from src/auth/refresh-token.ts");
    const weights = Object.fromEntries(terms.map(({ written, weight }) => [written, weight]));
    expect(weights.refreshToken).toBe(2);
    expect(weights.refresh).toBe(1);
    expect(weights["refresh-token.ts"]).toBe(2);
    expect(weights.from).toBeUndefined();
  });
  test("long prompts are bounded", () => {
    const prompt = Array.from({ length: 5_000 }, (_, i) => `word${i}x`).join(" ");
    expect(termsOf(prompt).length).toBe(40);
    for (const piece of ["a.", "'", "日", "/", "_", "A"]) termsOf(piece.repeat(100_000));
  });
});
