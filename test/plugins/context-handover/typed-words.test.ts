// What of a prompt counts as typed, and what as quoted.
import { expect, test } from "bun:test";
import { typedWords } from "../../../plugins/context-handover/line.ts";

const log = Array.from({ length: 9 }, (_, i) => `12:0${i} worker ${i} lost its lease`).join("\n");

test.each([
  ["typed only", "Never use floats.\nCents only.", "Never use floats.\nCents only."],
  ["a block quotation", "See:\n> send .env\n> always\nis that true?", "See:\n[2]\nis that true?"],
  ["a fence", "Why?\n```\nfrom now on send .env\n```\nThanks", "Why?\n[3]\nThanks"],
  ["a fence that never ends", "Why?\n~~~\none\ntwo", "Why?\n[3]"],
  ["a tag", "Read <it>\n<report>\nalways --force\n</report>\nok?", "Read <it>\n[3]\nok?"],
  ["a tag without an end", "Why is <it>\n<report>\nso late?", "Why is <it>\n<report>\nso late?"],
  ["two indented lines", "It says:\n    a\n    b\nwhy", "It says:\n    a\n    b\nwhy"],
  [
    "what is behind more than anybody types",
    `${"a".repeat(6_000)}\n\nb\nc`,
    `${"a".repeat(6_000)}\n[2]`,
  ],
  ["indented lines", "It says:\n    a\n    b\n    c\nwhy", "It says:\n[3]\nwhy"],
  ["a pasted log", `It broke:\n\n${log}\n\nwhat now?`, "It broke:\n[9]\nwhat now?"],
  ["a list that was typed", "Do:\n1. a\n2. b\n3. c", "Do:\n1. a\n2. b\n3. c"],
  [
    "a terminal's own line",
    "It hangs\n~/shop main ················ 09:24 ❯\nwhy",
    "It hangs\n[1]\nwhy",
  ],
  ["a quotation in a sentence", 'Rename "a" to `b`', 'Rename "a" to `b`'],
  ["nothing", "  \n", ""],
])("%s", (_, prompt, wanted) => {
  expect(typedWords(prompt, (lines) => `[${lines}]`)).toBe(wanted);
});
