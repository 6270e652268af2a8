// What of a prompt was asked, with everything that the client and other programs put around it gone, each time it stands there.
import { expect, test } from "bun:test";
import { denied, isReversed } from "../../../src/text/prose/phrases.ts";
import {
  askedOf,
  headingOf,
  meaningOf,
  overlap,
  titleOf,
  typedOf,
} from "../../../src/text/prose/plain.ts";

test.each<[string, string]>([
  ["Fix the cart", "Fix the cart"],
  ["[Image #1] Fix [Image #2] it", "Fix   it"],
  ["[Pasted text #1 +20 lines] Why?", "Why?"],
  ["[see below] Why?", "[see below] Why?"],
  ["/review Fix it", "Fix it"],
  ["/src/cart.ts is wrong", "/src/cart.ts is wrong"],
  ["plan: Fix it", "Fix it"],
  ["plan: fix it", "plan: fix it"],
  ["<command-name>/a</command-name>x<command-name>/b</command-name>y", "x y"],
  ["<command-args>one</command-args> two", "one  two"],
  ["<system-reminder>not typed</system-reminder>Fix it", "Fix it"],
  ["Caveat: The messages below were generated", ""],
  ["[Request interrupted by user]", ""],
  ["  <task-notification>x", ""],
  ["Stop hook feedback: no", ""],
  ["SubagentStop hook feedback: no", ""],
  ["The Stop hook feedback: no", "The Stop hook feedback: no"],
  ["<bash-stdout>x</bash-stdout>", ""],
  ["", ""],
])("of %j was asked %j", (prompt, asked) => {
  expect(askedOf(prompt)).toBe(asked);
});

test.each<[string, string]>([
  ["[Image #1] Fix it", "[Image #1] Fix it"],
  ["<command-args>one</command-args> and <command-args>two</command-args>", "one and two"],
  ["/review <b>it</b>", " <b>it</b>"],
  ["[Request interrupted by user]", ""],
])("of %j was typed %j", (prompt, typed) => {
  expect(typedOf(prompt)).toBe(typed);
});

test("of a very long prompt the beginning is read", () => {
  expect(askedOf(`${"word ".repeat(4_000)}LAST`)).not.toContain("LAST");
  expect(askedOf(`${"word ".repeat(3_999)}LAST`)).toContain("LAST");
});

test("a document is named by its first line without marks, a title is one line, cut between words", () => {
  expect(headingOf("\n# **The** plan:\nmore")).toBe("The plan");
  expect(headingOf("### A\n# B")).toBe("A");
  expect(headingOf("")).toBe("");
  expect(headingOf(`# ${"word ".repeat(60)}`).length).toBeLessThanOrEqual(160);
  expect(titleOf("Fix\n the   cart...")).toBe("Fix the cart");
  expect(titleOf("直す。")).toBe("直す");
  const cut = titleOf("word ".repeat(40));
  expect([cut.length <= 90, cut.endsWith("word…")]).toEqual([true, true]);
});

test("what a text means are its words, and pairs of letters of each run without spaces", () => {
  expect([...meaningOf("The Cart of cart.ts, and /src/!")]).toEqual(["cart", "cart.ts", "src"]);
  expect([...meaningOf("修正する and 確認 x")].sort()).toEqual(
    ["する", "修正", "正す", "確認"].sort(),
  );
  expect([...meaningOf("直 it")]).toEqual(["直"]);
  expect([overlap("cart total", "total of the cart"), overlap("cart total", "cart")]).toEqual([
    1, 1,
  ]);
  expect([overlap("cart total", "cart price"), overlap("", "cart")]).toEqual([0.5, 0]);
});

test.each<[string, string, boolean]>([
  ["Never push to main", "Always push to main", true],
  ["Never push to main", "Do not push to main", false],
  ["Always push to main", "Push to main", false],
  ["Never push to main", "Always test before a release", false],
  ["Never push tags", "Push commits always", false],
  ["Never push to main without asking", "Always push to main", false],
  ["We count prices in cents, not floats", "Count prices in floats and cents", false],
])("%j turns %j round: %p", (newer, older, expected) => {
  expect(isReversed(newer, older)).toBe(expected);
  expect(isReversed(older, newer)).toBe(expected);
});

test("a denial is one in any case and language, unless it is turned round again", () => {
  for (const text of [
    "NEVER do it",
    "don’t do it",
    "Nie so",
    "Ne pousse pas",
    "Не трогай",
    "しないで",
  ])
    expect([text, denied(text)]).toEqual([text, true]);
  for (const text of [
    "Do it",
    "a notable nothing",
    "Never without asking",
    "We all count them, not these",
  ])
    expect([text, denied(text)]).toEqual([text, false]);
});
