// What stands between two tags goes, in doubt more than less; and where a thing found in another reading stands in the text itself.
import { describe, expect, test } from "bun:test";
import {
  backslashes,
  disguises,
  htmlEntities,
  lineLeads,
  percents,
  viewOf,
} from "../../src/privacy/marker.ts";

describe("another reading", () => {
  test.each([
    ["backslashes", backslashes, 'a\\"b\\nc\\u0041\\x42\\/\\t', 'a"b\ncAB/\t'],
    ["percent signs", percents, "a%3Db%20c%zz%", "a=b c%zz%"],
    [
      "entities",
      htmlEntities,
      "a&quot;b&#34;&#x22;&amp;&lt;&gt;&apos;&nbsp;&none;",
      'a"b""&<>\' &none;',
    ],
    ["disguises", disguises, "ａ\u200bｂ﹤﹥！", "ab<>!"],
    ["a quotation", lineLeads, "> a:\n>   b\nc > d", "a:\n  b\nc > d"],
    ["what grep found", lineLeads, "src/a.ts:1:x: 1\nsrc/a.ts-2-y", "x: 1\ny"],
    ["what grep found, numbered", lineLeads, "     1→12:a\n     2→13-b", "a\n     2→13-b"],
  ] as const)("of %s", (_, escapes, text, view) => {
    expect(viewOf(text, escapes)?.text).toBe(view);
  });

  test("is none of a text without escapes", () => {
    for (const escapes of [backslashes, percents, htmlEntities, disguises, lineLeads])
      expect(viewOf("plain text, 100 & more <x>", escapes)).toBeUndefined();
  });

  test("leads back to the place of each character, of an escape to its beginning or its end", () => {
    const text = "ab%3Dcd%20%41e";
    const view = viewOf(text, percents);
    expect(view?.text).toBe("ab=cd Ae");
    const places = [...(view?.text ?? "")].map((_, at) => view?.source(at));
    expect(places.filter((_, at) => !"= A".includes(view?.text[at] ?? ""))).toEqual([
      0, 1, 5, 6, 13,
    ]);
    expect(text.slice(view?.source(3), view?.source(5))).toBe("cd");
    expect(view?.source(8)).toBe(text.length);
  });
});
