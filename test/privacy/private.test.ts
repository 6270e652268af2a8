// Private content goes whatever its tags look like; where they do not match, more goes rather than less.
import { describe, expect, test } from "bun:test";
import { hasPrivate, stripPrivate, stripPrivateDeep } from "../../src/privacy/marker.ts";

const table: Array<[name: string, text: string, kept: string]> = [
  ["plain", "a <private>S</private> b", "a  b"],
  ["any case", "a <Private>S</PRIVATE> b", "a  b"],
  ["attributes", 'a <private reason="x" until=3>S</private> b', "a  b"],
  ["attribute with a bracket", 'a <private why="1 > 0">S</private> b', "a  b"],
  ["white space in the tags", "a < private >S</ private > b", "a  b"],
  ["several lines", "a\n<private>\nS\nS\n</private>\nb", "a\n\nb"],
  ["two pairs", "<private>S</private>a<private>S</private>b", "ab"],
  ["nested", "a <private>S<private>S</private>S</private> b", "a  b"],
  ["nested and unclosed", "a <private>S<private>S</private>S", "a "],
  ["unclosed", "a <private>S and all the rest\nS", "a "],
  ["mistyped close", "a <private>S<private/>S", "a "],
  ["torn opening tag", "a <private", "a "],
  ["torn opening tag with text", "a <private S is my S", "a "],
  ["torn closing tag", "a <private>S</private", "a "],
  ["stray close", "S S</private> b", " b"],
  ["stray close after a pair", "S<private>S</private>S</private> b", " b"],
  ["open with words, closed", "S <private note>S</private> b", " b"],
  ["html in html", "a &amp;lt;private&amp;gt;S&amp;lt;/private&amp;gt; b", "a  b"],
  ["html", "a &lt;private&gt;S&lt;/private&gt; b", "a  b"],
  ["html numbers", "a &#60;private&#62;S&#x3C;/private&#x3E; b", "a  b"],
  ["json unicode", String.raw`a \u003cprivate\u003eS\u003c/private\u003e b`, "a  b"],
  ["json in json", String.raw`a \\u003Cprivate\\u003ES\\u003C/private\\u003E b`, "a \\\\ b"],
  ["json slash", String.raw`a <private>S<\/private> b`, "a  b"],
  ["json newline after the name", String.raw`a <private\n>S</private> b`, "a  b"],
  ["url", "a %3Cprivate%3ES%3C%2Fprivate%3E b", "a  b"],
  ["full width", "a ＜private＞S＜/private＞ b", "a  b"],
  ["soft hyphens and no width", "a <pri\u00advate>S</priv\u200bate> b", "a  b"],
  ["mixed forms", "a <private>S&lt;/private&gt; b", "a  b"],
];

describe("stripPrivate", () => {
  for (const [name, text, kept] of table) {
    test(name, () => {
      const result = stripPrivate(text);
      expect(result).not.toContain("S");
      expect(result.replaceAll("\\", "")).toBe(kept.replaceAll("\\", ""));
      expect(hasPrivate(text)).toBe(true);
    });
  }
  const untouched = [
    "private readonly name: string; // a private field",
    "ssh -i <private key> host",
    "<privateKey>x</privateKey> and <private-network>",
    "List<Private> items".replace("Private", "PrivateItem"),
    "if (a <private_count) {}",
    "",
  ];
  for (const text of untouched) {
    test(`leaves ${JSON.stringify(text)}`, () => {
      expect(stripPrivate(text)).toBe(text);
      expect(hasPrivate(text)).toBe(false);
    });
  }
});

test("a pair that spans the lines of a patch takes the lines between", () => {
  const patch = { lines: [" a", "+<private>", "+XX", "-XX", "+</private>", " b"], start: 3 };
  const result = stripPrivateDeep({ structuredPatch: [patch], keep: { deep: ["x", "y"] } });
  expect(result).toEqual({
    structuredPatch: [{ lines: [" a", "+", " b"], start: 3 }],
    keep: { deep: ["x", "y"] },
  });
});

test("what holds nothing private keeps its identity", () => {
  const value = { a: ["x", { b: "private" }], c: null, d: 1 };
  expect(stripPrivateDeep(value)).toBe(value);
});

test("keys, and values below any sane depth, do not escape", () => {
  expect(stripPrivateDeep({ "a<private>S</private>": 1 })).toEqual({ a: 1 });
  let deep: unknown = "<private>S</private>";
  for (let i = 0; i < 5000; i++) deep = [deep];
  const shallow = JSON.stringify(stripPrivateDeep(deep));
  expect(shallow).toContain("nested too deep");
  expect(shallow.length).toBeLessThan(1000);
});

test("long hostile strings take linear time", () => {
  for (const piece of [
    "<private",
    "<private ",
    "<private>",
    "</private>",
    "\\u003c",
    "&lt;",
    "<    ",
    "<\\\\\\\\",
  ]) {
    stripPrivate(`${piece.repeat(1_000_000 / piece.length)} private`);
  }
});

describe("a passage over several texts of a value", () => {
  const block = (text: string) => ({ type: "text", text });

  test("takes the blocks between, and leaves what they are", () => {
    const blocks = [
      block("a <private>S"),
      block("S"),
      { ...block("S"), more: ["S"] },
      block("S</private> b"),
    ];
    expect(stripPrivateDeep(blocks)).toEqual([
      block("a "),
      block(""),
      { ...block(""), more: [""] },
      block(" b"),
    ]);
  });

  test("goes on from field to field, also in disguise", () => {
    expect(
      stripPrivateDeep({ a: "x ＜private＞S", b: { c: "S" }, d: "S</private> y", e: "z" }),
    ).toEqual({
      a: "x ",
      b: { c: "" },
      d: " y",
      e: "z",
    });
  });

  test("ends with its own text where nothing later closes it", () => {
    expect(stripPrivateDeep({ a: "x <private>S", b: "kept" })).toEqual({ a: "x ", b: "kept" });
    expect(stripPrivateDeep({ a: "kept", b: "S</private> y" })).toEqual({ a: "kept", b: " y" });
  });

  test("whose tag is torn between two blocks takes the second, and what is behind it up to its end", () => {
    const torn = [block("a <pri"), block("vate> S"), block("S"), block("S </private> b")];
    expect(stripPrivateDeep(torn)).toEqual(["a <pri", "", "", " b"].map(block));
    expect(stripPrivateDeep([block("a ＜pri"), block("vate>S</private> b"), block("c")])).toEqual(
      ["a ＜pri", "", "c"].map(block),
    );
    const end = [block("a <private>S"), block("S</priv"), block("ate> b")];
    expect(stripPrivateDeep(end)).toEqual(["a ", "", "ate> b"].map(block));
    const plain = [block("if (a <"), block("b) private > x"), block("<p"), block("rint>")];
    expect(stripPrivateDeep(plain)).toEqual(plain);
  });

  test("that was closed takes nothing behind it, also where a later tag closes what none opened", () => {
    const stray = { a: "a <private>S</private>", b: "kept", c: "S</private> y" };
    expect(stripPrivateDeep(stray)).toEqual({ a: "a ", b: "kept", c: " y" });
    const blocks = [
      block("a <private>S</private> b"),
      block("kept"),
      block("c <private>S</private>"),
    ];
    expect(stripPrivateDeep(blocks)).toEqual([block("a  b"), block("kept"), block("c ")]);
  });
});
