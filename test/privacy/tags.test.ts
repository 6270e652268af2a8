// What stands between two tags goes, in doubt more than less; and where a thing found in another reading stands in the text itself.
import { describe, expect, test } from "bun:test";
import {
  backslashes,
  compileTag,
  disguises,
  hasTag,
  htmlEntities,
  lineLeads,
  percents,
  stripTagged,
  unpaired,
  viewOf,
} from "../../src/privacy/marker.ts";

const loose = compileTag("memo", { strict: false });
const strict = compileTag("private", { strict: true });

test.each<[string, string]>([
  ["a<memo>x</memo>b", "ab"],
  ["a<memo>x</memo>b<memo>y</memo>c", "abc"],
  ["a<memo>x<memo>y</memo>z</memo>b", "ab"],
  ["a<memo>x", "a"],
  ["x</memo>b", "b"],
  ["a<memo>x</memo>y</memo>b", "b"],
  ["a<memo>x</memo>b<memo>y", "ab"],
  ["a<memo id=1>x</memo >b", "ab"],
  ["a<memo\n>x</memo\n>b", "ab"],
  ["a<memo/>x</memo>b", "ab"],
  ["a< memo>x< / memo>b", "ab"],
  ["a<MEMO>x</Memo>b", "ab"],
  ["a<memos>x</memos>b", "a<memos>x</memos>b"],
  ["a<memo-x>b", "a<memo-x>b"],
  ["a memo b", "a memo b"],
  ["a&lt;memo&gt;x&lt;/memo&gt;b", "ab"],
  ["a&#60;memo&#62;x&#x3c;&#47;memo&#x3e;b", "ab"],
  ["a\\u003cmemo\\u003ex\\u003c\\u002fmemo\\u003eb", "ab"],
  ["a\\x3cmemo\\x3ex\\x3c\\/memo\\x3eb", "ab"],
  ["a%3Cmemo%3Ex%3C%2Fmemo%3Eb", "ab"],
  ["a＜memo＞x＜/memo＞b", "ab"],
  ["a<me\u200bmo>x</me\u00admo>b", "ab"],
  ["a\u200b<memo>x</memo>\u200bb", "a\u200bb"],
  [`a<memo ${"x".repeat(299)}>y</memo>b`, "ab"],
  ["a<memo", "a"],
  ["", ""],
])("of %j is left %j", (text, left) => {
  expect(stripTagged(text, loose)).toBe(left);
  expect(hasTag(text, loose)).toBe(left !== text);
});

test.each<[string, string]>([
  ["a<private>x</private>b", "ab"],
  ["a<private reason=x>y</private>b", "ab"],
  ["a<private/>x</private>b", "ab"],
  ["a <private key> b", "a <private key> b"],
  ["a <private field = 1> b", "a "],
  ["if (a <private && b > c)", "if (a <private && b > c)"],
  ["a<private.x>b", "a<private.x>b"],
  ["a<private", "a"],
  ["a<private\nx", "a"],
])("a name that is an everyday word needs the form of a tag: of %j is left %j", (text, left) => {
  expect(stripTagged(text, strict)).toBe(left);
});

test.each<[string, number, number]>([
  ["", 0, 0],
  ["memo", 0, 0],
  ["<memo>x</memo>", 0, 0],
  ["<memo>x", 0, 1],
  ["<memo><memo>x</memo>", 0, 1],
  ["x</memo>", 1, 0],
  ["x</memo></memo><memo>", 2, 1],
  ["<memo></memo></memo>", 1, 0],
  ["＜memo＞", 0, 1],
])("of the tags in %j %d are not opened and %d not closed", (text, unopened, unclosed) => {
  expect(unpaired(text, loose)).toEqual({ unopened, unclosed });
});

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
