// Foreign text in a prompt: what is taken out, what is escaped, what comes back.
import { expect, test } from "bun:test";
import {
  cleanForModel,
  escapeMarkup,
  excerpt,
  forModel,
  unescapeMarkup,
} from "../../src/strategy/model-text.ts";

test.each<[string, string]>([
  ["\u001b[31mred\u001b[0m", "red"],
  ["a\r\nb\rc", "a\nb\nc"],
  ["tab\tand\nline", "tab\tand\nline"],
  ["nul\0 zero\u200bwidth turned\u202e line\u2028", "nul zerowidth turned line"],
  ["half \ud800", "half \ufffd"],
])("%p is shown to a model as %p", (text, shown) => {
  expect(cleanForModel(text)).toBe(shown);
});

test.each<[string, string]>([
  ["<b>", "&lt;b>"],
  ["a && b & c &", "a && b & c &"],
  ["&lt; &#60; &#x3c; &LT;", "&amp;lt; &amp;#60; &amp;#x3c; &amp;LT;"],
  ["R&D; x&y", "R&amp;D; x&y"],
])("%p is escaped as %p", (text, escaped) => {
  expect(escapeMarkup(text)).toBe(escaped);
});

test.each<[string, string]>([
  ["&lt;b&gt; &amp; &quot;&apos;&nbsp;|", "<b> & \"' |"],
  ["&LT; &Amp;", "< &"],
  ["&amp;lt;", "&lt;"],
  ["&#60;&#x3C;&#X3c;", "<<<"],
  ["&#9;|&#10;|&#32;", "\t|\n| "],
  ["&#8; &#11; &#13; &#31; &#0;", "&#8; &#11; &#13; &#31; &#0;"],
  ["&#55295;&#57344;", "\ud7ff\ue000"],
  ["&#55296; &#57343; &#xdc00;", "&#55296; &#57343; &#xdc00;"],
  ["&#1114111;", "\u{10ffff}"],
  ["&#1114112; &#12345678;", "&#1114112; &#12345678;"],
  ["&unknown; &copy; & &;", "&unknown; &copy; & &;"],
])("%p is read as %p", (text, read) => {
  expect(unescapeMarkup(text)).toBe(read);
});

test("what is too long keeps two thirds of its beginning and a third of its end, and says how much is missing", () => {
  const text = `${"a".repeat(700)}${"b".repeat(300)}`;
  const shown = excerpt(text, 400);
  expect(shown).toMatch(/^a+\n\[… 600 characters left out …\]\nb+$/);
  expect(shown).toHaveLength(400);
  const [first = "", last = ""] = shown.split(/\n\[.*\]\n/);
  expect(first.length - 2 * last.length).toBeLessThanOrEqual(2);
  expect(excerpt(text, 1_000)).toBe(text);
  expect(excerpt(text, 60)).toBe("a".repeat(60));
});

const log = (at: number) =>
  `2026-11-20 12:00:${at} INFO [worker-${at % 7}] request ${at * 37} served in ${at % 13} ms`;
const code = (at: number) => `    const value${at} = await load("item-${at}", { depth: ${at} });`;

test.each<[string, (at: number) => string, string, string[]]>([
  ["a log", log, "Never touch the migrations folder.", []],
  ["a log, in German", log, "Bitte die Tabelle users nicht anfassen.", []],
  ["code, in Japanese", code, "テーブルを変更しないでください。", []],
  ["code, without a full stop", code, "keep the public interface as it is", []],
  ["a name that the work is about", log, "src/db/schema.ts: v3", ["schema.ts"]],
])("what a person wrote between pasted lines is shown: %s", (_, line, constraint, names) => {
  const pasted = Array.from({ length: 400 }, (_, at) => line(at)).join("\n");
  const text = `It fails with this:\n${pasted}\n${constraint}\n${pasted}\nRun the tests after that.`;
  for (const limit of [2_000, 12_000]) {
    const shown = excerpt(text, limit, new Set(names));
    expect(shown).toStartWith("It fails with this:\n");
    expect(shown).toContain(` characters left out …]\n${constraint}\n`);
    expect(shown).toEndWith("\nRun the tests after that.");
    expect(shown.length).toBeLessThanOrEqual(limit);
    expect(shown.length).toBeGreaterThan(limit * 0.9);
  }
});

test("escaping takes no more room than there is", () => {
  for (const limit of [30, 100, 1_000])
    expect(forModel("<".repeat(5_000), limit).length).toBeLessThanOrEqual(limit);
  expect(forModel("<".repeat(5_000), 1_000).length).toBeGreaterThan(900);
});

test("of a giant text both ends are read", () => {
  const shown = forModel(`begin ${"\u200bx".repeat(800_000)} end`, 400);
  expect(shown).toStartWith("begin xxx");
  expect(shown).toEndWith("xxx end");
  expect(shown).toContain("characters left out");
});

test("an excerpt keeps to its limit and holds no half of a character, wherever it is cut", () => {
  const text = "🙂".repeat(400);
  for (let limit = 40; limit < 400; limit++) {
    const shown = excerpt(text, limit);
    expect([limit, shown.isWellFormed(), shown.length <= limit]).toEqual([limit, true, true]);
  }
});

test("what is escaped for the model reads as it was once it is decoded", () => {
  for (const text of ["a && b", "x < y", "&lt;b&gt;", "&amp;lt;", "&#60;", "&", "R&D; x", "a&b;c"])
    expect(unescapeMarkup(forModel(text, 1_000))).toBe(text);
});
