// Which prompts are about something, by which words, and whether these stand in a text.
import { describe, expect, test } from "bun:test";
import { tellsOf, wordsIn, wordsOf } from "../../../plugins/context-relevant/relevance.ts";

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
    ["次に進んでください"],
    ["hmm, not sure. let me think about it"],
    ["sí, perfecto, adelante"],
    [""],
  ])("nothing: %s", (prompt) => {
    expect(wordsOf(prompt)).toBeUndefined();
  });
  test.each([
    ["why does the token refresh loop?", ["token", "refresh", "loop"]],
    ["rename readFile()", ["rename", "readfile"]],
    ["look at src/auth.ts", ["look", "srcauthts"]],
    ["Warum rundet der Rechner falsch?", ["rundet", "rechner", "falsch"]],
    ["look at the cart's total price", ["look", "cart", "total", "price"]],
    ["修复登录", ["修复", "复登", "登录"]],
    [
      "開発サーバーのポートは",
      ["開発", "発サ", "サー", "ーバ", "バー", "ーの", "ポー", "ート", "トは"],
    ],
  ])("something: %s", (prompt, wanted) => {
    expect(told(prompt)).toEqual(wanted);
  });
  test("its beginning, where it is long", () => {
    expect(told(`token refresh loop ${"more ".repeat(50_000)}last`)).not.toContain("last");
  });
});

test.each([
  ["tests were loading", "the test loads", ["test", "loads"]],
  ["see readFile() in src/a.ts", "readFile src/a.ts a.tsx", ["readfile", "srcats"]],
  ["the latest payloads", "test loads", []],
  ["robots are fine", "robots.txt", []],
  ["デフォルトポート3000に修正", "ポート修正済", ["ポー", "ート", "修正"]],
])("%s has of «%s»: %p", (text, prompt, wanted) => {
  const words = wordsOf(`${prompt} some.name`) ?? [];
  expect(words.filter(wordsIn(text)).map(({ bare }) => bare)).toEqual(wanted);
});

test("a name inside another counts half", () => {
  const [readFile] = wordsOf("where is readFile?") ?? [];
  const tells = tellsOf(readFile ? [{ ...readFile, weight: 3 }] : []);
  expect([...tells("readFile()").values()]).toEqual([1]);
  expect([...tells("readFileSync, or fs.readFile").values()]).toEqual([1]);
  expect([...tells("readFileSync").values()]).toEqual([0.5]);
});

test("a text is weighed by the words it has, the heaviest as 1", () => {
  const words = [
    { bare: "token", isName: false, weight: 2 },
    { bare: "cache", isName: false, weight: 4 },
    { bare: "loop", isName: false, weight: 3 },
  ];
  expect(tellsOf(words)("Tokens and caches")).toEqual(
    new Map([
      ["token", 0.5],
      ["cache", 1],
    ]),
  );
});
