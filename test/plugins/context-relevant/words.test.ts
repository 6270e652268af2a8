// Which prompts are about something, by which words, and whether these stand in a text.
import { describe, expect, test } from "bun:test";
import { namesOf, talkIn, wordsIn, wordsOf } from "../../../plugins/context-relevant/relevance.ts";

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
    ["look at src/auth.ts", ["look", "authts"]],
    ["fix ENT-212 with --force and JSONLContent", ["fix", "ent212", "force", "jsonlcontent"]],
    ["run readFile/writeFile, see https://a.b/readMe", ["run", "readfile", "writefile", "see"]],
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
  ["see readFile() in src/auth.ts", "readFile src/auth.ts auth.tsx", ["readfile", "authts"]],
  ["the latest payloads", "test loads", []],
  ["robots are fine", "robots.txt", []],
  ["デフォルトポート3000に修正", "ポート修正済", ["ポー", "ート", "修正"]],
])("%s has of «%s»: %p", (text, prompt, wanted) => {
  const words = wordsOf(`${prompt} some.name`) ?? [];
  expect(words.filter(wordsIn(text)).map(({ bare }) => bare)).toEqual(wanted);
});

test("names are those that a prompt has most, outside of blocks of code", () => {
  const prompt =
    "Drop readFile.\n```\nparseAll()\n```\nUse `open_file`; open_file waits. Mail me: a@b.io";
  expect(namesOf(prompt)).toEqual(["open_file", "readfile"]);
});

test("a word in prompts of many sessions is how people ask here", () => {
  const prompts = Array.from({ length: 5 }, (_, at) => ({
    session: `s${at}`,
    text: at === 0 ? "double check the loop" : "can you double check it",
  }));
  const words = wordsOf("double check the loops of readFile") ?? [];
  const talk = words.filter(talkIn(prompts)).map(({ bare }) => bare);
  expect(talk).toEqual(["double", "check"]);
  expect(words.filter(talkIn(prompts.slice(1)))).toEqual([]);
});
