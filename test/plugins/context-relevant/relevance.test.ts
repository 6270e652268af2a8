// Which prompts are about something, and which results belong to them.
import { describe, expect, test } from "bun:test";
import { relevantOf, wordsOf } from "../../../plugins/context-relevant/relevance.ts";
import type { SearchResult } from "../../../src/sdk/storage.ts";
import { observation, searchResult } from "../../support/records.ts";

const told = (prompt: string) => wordsOf(prompt)?.map(({ bare }) => bare);

describe("a prompt is about", () => {
  test.each([
    ["ok"],
    ["thanks!"],
    ["go on"],
    ["try again"],
    ["commit this please"],
    ["ja bitte"],
    ["merci beaucoup"],
    ["👍"],
    ["続けて".slice(0, 2)],
    [""],
  ])("nothing: %s", (prompt) => {
    expect(wordsOf(prompt)).toBeUndefined();
  });
  test.each([
    ["why does the token refresh loop?", ["token", "refresh", "loop"]],
    ["rename readFile()", ["rename", "readfile"]],
    ["look at src/auth.ts", ["look", "srcauthts"]],
    ["Warum rundet der Rechner falsch?", ["rundet", "rechner", "falsch"]],
    ["修复登录", ["修复", "复登", "登录"]],
  ])("something: %s", (prompt, wanted) => {
    expect(told(prompt)).toEqual(wanted);
  });
  test("its beginning, where it is long", () => {
    expect(told(`token refresh loop ${"more ".repeat(50_000)}last`)).not.toContain("last");
  });
});

/** A result of which these words were found, each with what it adds. */
function found(id: string, words: Record<string, number>, part: Partial<SearchResult> = {}) {
  const why = {
    words: Object.entries(words).map(([word, adds]) => ({ word, adds })),
    field: "said",
    session: 1,
    documentRank: 1,
  };
  return { ...searchResult(observation(id)), why, ...part };
}

function belong(prompt: string, ...results: SearchResult[]): string[] {
  return relevantOf(wordsOf(prompt) ?? [], results).map(({ result }) => result.id);
}

describe("a result belongs to a prompt", () => {
  const prompt = "why does the token refresh loop after logout";
  test.each<[string, string, SearchResult, boolean]>([
    ["with most of its words", prompt, found("a", { token: 4, refresh: 4, loop: 5 }), true],
    ["by stems", prompt, found("a", { refresh: 4, logou: 4, toke: 3 }), true],
    ["not with one word of many", prompt, found("a", { token: 4 }), false],
    [
      "not with two light words",
      "add pagination to the products endpoint",
      found("a", { add: 1, products: 5 }),
      false,
    ],
    [
      "with two of three",
      "compile telemetry windows",
      found("a", { windows: 6, compile: 4 }),
      true,
    ],
    [
      "with a name of code",
      "who else calls os.Getwd in those tools",
      found("a", { "os.getwd": 6, getwd: 5, os: 4 }),
      true,
    ],
    [
      "not with a part of a name",
      "can you add a robots.txt that blocks crawlers",
      found("a", { robots: 8 }),
      false,
    ],
    [
      "not by words that were taken for others",
      prompt,
      found(
        "a",
        { token: 4, refresh: 4, loop: 5 },
        { corrected: { token: "taken", refresh: "fresh" } },
      ),
      false,
    ],
    ["in scripts without spaces", "修复登录错误", found("a", { 修复: 3, 登录: 4, 错误: 4 }), true],
  ])("%s", (_, asked, result, wanted) => {
    expect(belong(asked, result)).toEqual(wanted ? ["a"] : []);
  });
  test("words that other results have weigh what they add there", () => {
    const light = found("a", { token: 4, refresh: 4, loop: 4 });
    expect(belong("token refresh loop cart price list", light)).toEqual(["a"]);
    const heavy = found("b", { cart: 9, price: 9, list: 9 });
    expect(belong("token refresh loop cart price list", light, heavy)).toEqual(["a", "b"]);
    const heavier = found("b", { cart: 30, price: 30, list: 30 });
    expect(belong("token refresh loop cart price list", light, heavier)).toEqual(["b"]);
  });
  test("nothing found, nothing told", () => {
    expect(belong(prompt)).toEqual([]);
    expect(belong(prompt, found("a", {}))).toEqual([]);
    const { why: _, ...unsaid } = found("a", { token: 4, refresh: 4, loop: 5 });
    expect(belong(prompt, unsaid)).toEqual([]);
  });
});
