// Whose each line of a prompt is: the user's own (o), perhaps theirs (u), or foreign (f).
import { expect, test } from "bun:test";
import { outputLine } from "../../../src/text/prose/attributed.ts";
import { apart, lineMarks } from "../../../src/text/prose/own-words.ts";

const marks = (...lines: string[]) =>
  lineMarks(lines)
    .map((mark) => mark[0])
    .join("");
const long = "Word after word of a text that somebody wrote at some length, ".repeat(9);
const lines = (count: number) =>
  Array.from({ length: count }, (_, at) => `A sentence of line ${at}.`);

test.each<[string, string[], string]>([
  ["what is typed is the user's", ["Fix the cart.", "", "It counts twice."], "ooo"],
  ["what was set apart is foreign", ["Fix it.", apart, "Thanks."], "ofo"],
  ["an empty prompt has no line of anybody else", [""], "o"],
  [
    "from the first line of output on a paragraph is foreign, the next is not",
    ["It says", "error: no such table", "and more of it.", "", "Why is that?"],
    "offoo",
  ],
  ["a row of a table is output", ["See", "| a | b |", "", "Why?"], "ofoo"],
  ["an image in a sentence is none", ["[Image #1] Fix this, please."], "o"],
  [
    "as many lines as the client put in are foreign",
    ["See [Pasted text #1 +2 lines]", "one.", "two.", "Fix it."],
    "offo",
  ],
  ["more lines than there are, too", ["[Pasted text #1 +9 lines]", "one."], "of"],
  [
    "a heading begins a document; without own words before it the rest may be the user's",
    ["# The plan", "Write it.", "Ship it."],
    "fuu",
  ],
  ["behind own words it is foreign to the end", ["Do this.", "", "## Plan", "Write it."], "ooff"],
  [
    "two labels in a row are the head of a message",
    ["See this.", "", "From: Ada", "Subject: Cart", "", "It is broken."],
    "ooffff",
  ],
  ["one label alone is none", ["Note: fix the cart.", "It counts twice."], "oo"],
  ["what was said at a time is a talk", ["Bob Miller 10:32 AM", "It is broken."], "ff"],
  ["a time in a sentence is none", ["The job of 10:32 failed again.", "Why?"], "oo"],
  [
    "three lines of no sentence in a row are a document's",
    ["Look at this.", "", "Cart total", "Mail footer", "Login page"],
    "oofff",
  ],
  ["alone they may be the user's", ["Cart total", "Mail footer", "Login page"], "uuu"],
  ["two are not enough", ["Look.", "", "Cart total", "Mail footer"], "oooo"],
  [
    "in the middle of a paragraph they are none",
    ["Look.", "Cart total", "Mail footer", "Login page"],
    "oooo",
  ],
  [
    "right behind what was set apart they are",
    ["Look.", apart, "Cart total", "Mail footer", "Login page"],
    "offff",
  ],
  [
    "what is announced is foreign",
    ["Here is what he wrote:", "", "Fix the cart.", "Soon."],
    "ooff",
  ],
  [
    "its last paragraph may be the user's, where it is of one line",
    ["He wrote:", "", "Fix the cart.", "", "Do that."],
    "offfu",
  ],
  ["but not of two", ["He wrote:", "", "Fix the cart.", "", "Do that.", "Soon."], "offfff"],
  ["a list that is announced may be the user's", ["Do this:", "- one", "- two"], "ouu"],
  ["an item announces nothing", ["- the cart:", "Fix it."], "oo"],
  ["nothing is announced at the end", ["Fix the cart:", ""], "oo"],
  ["seven lines in one paragraph were pasted", lines(7), "fffffff"],
  ["six may be typed", lines(6), "oooooo"],
  [
    "items of a list are not counted",
    Array.from({ length: 7 }, (_, at) => `- Fix part ${at}.`),
    "ooooooo",
  ],
  ["a very long line was pasted", [long + long + long], "f"],
  [
    "of a prompt with something pasted the rest is unsure",
    ["Fix it.", "", ...lines(7), "", "Thanks."],
    "uufffffffuu",
  ],
  [
    "what stands between two pastes is foreign too",
    [...lines(7), "", "Between.", "", ...lines(7)],
    "fffffff.f.fffffff",
  ],
])("%s", (_, given, expected) => {
  expect(marks(...given).replace(/./g, (mark, at: number) => (given[at] === "" ? "." : mark))).toBe(
    [...expected].map((mark, at) => (given[at] === "" ? "." : mark)).join(""),
  );
});

test("in a long prompt four lines, or five hundred characters, are a paste", () => {
  const four = lines(4);
  const short = [...four, "", "Fix it."];
  expect(marks(...short)).toBe("oooooo");
  const many = ["One.", "", "Two.", "", "Three.", "", "Four.", "", "Five.", "", "Six.", ""];
  const list = Array.from({ length: 9 }, (_, at) => `- Fix part ${at}.`);
  expect(marks(...four, "", ...many.slice(0, 3), "", ...list)[0]).toBe("f");
  expect(marks(long.slice(0, 501), "", ...list, "", ...lines(3))[0]).toBe("f");
  expect(marks(long.slice(0, 300), "", ...list, "", ...lines(3))[0]).toBe("u");
});

test.each([
  ["+  const a = 1;", true],
  ["+ const a", true],
  ["-  const a = 1;", true],
  ["=> ok", true],
  ["@@ -1,2 +1,2 @@", true],
  ["diff --git a b", true],
  ["$ npm test", true],
  ["❯ npm test", true],
  [">>> print", true],
  ["{", true],
  ["  at checkout (src/cart.ts:3)", true],
  ["at noon we met (all of us)", false],
  ['File "x.py", line 3', true],
  ["2026-11-01 it broke", true],
  ["[10:32:01] done", true],
  ["Error: boom", true],
  ["[WARN] slow", true],
  ["errors are told twice", false],
  ["npm ERR! code", true],
  ["npm is slow", false],
  ["cart.ts:12 is wrong", true],
  ["cart.ts is wrong", false],
  ["12 | const a", true],
  ["// a comment", true],
  ["#!/bin/sh", true],
  ["Fix the cart", false],
  ["- fix the cart", false],
])("%s is output: %p", (line, expected) => {
  expect(outputLine.test(line)).toBe(expected);
});
