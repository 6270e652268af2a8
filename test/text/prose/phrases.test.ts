// Lists of phrases: where a phrase is found, and how it may end.
import { expect, test } from "bun:test";
import { bare, phrases, phrasesOf } from "../../../src/text/prose/phrases.ts";

test.each<[list: string, where: "anywhere" | "start", text: string, isFound: boolean]>([
  ["never use | always", "anywhere", "You should NEVER  use it", true],
  ["never use | always", "anywhere", "never\nuse", true],
  ["never use | always", "anywhere", "always", true],
  ["never use", "anywhere", "never used", false],
  ["never use", "anywhere", "whenever use", false],
  ["nie", "anywhere", "Über nie", true],
  ["nie", "anywhere", "Genie", false],
  ["nie", "anywhere", "niemals", false],
  ["prefer*", "anywhere", "preferably", true],
  ["prefer*", "anywhere", "we preferred it", true],
  ["c++ (new)", "anywhere", "a c++ (new) file", true],
  ["a.b", "anywhere", "a-b", false],
  ["next$", "anywhere", "What comes next", true],
  ["next$", "anywhere", "What comes next :  ", true],
  ["next$", "anywhere", "接下来 next：", true],
  ["next$", "anywhere", "next to it", false],
  ["以后", "anywhere", "我们以后都用", true],
  ["use", "start", "use it", true],
  ["use", "start", "I use it", false],
  ["use", "start", "user", false],
  ["must | use", "start", "Use it", true],
])("%p %s: %p: %p", (list, where, text, isFound) => {
  expect(phrases(list, where).test(text)).toBe(isFound);
});

test("a list gives its phrases, and each as it would stand in a text", () => {
  expect(phrasesOf(" never use| prefer* |next$ ")).toEqual(["never use", "prefer*", "next$"]);
  expect(phrasesOf("prefer* | next$ | a*b").map(bare)).toEqual(["prefer", "next", "a*b"]);
});
