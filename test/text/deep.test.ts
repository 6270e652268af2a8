// Texts inside a value: which are mapped, under which key, and what keeps its identity.
import { expect, test } from "bun:test";
import { mapLeaves, tooDeep } from "../../src/text/text.ts";

type LeafMapping = Parameters<typeof mapLeaves>[1];

/** Which key each text is mapped under. */
function keysOf(value: unknown) {
  const seen: string[] = [];
  mapLeaves(value, {
    text: (text, key) => {
      if (key !== undefined) seen.push(`${key}=${text}`);
      return text;
    },
  });
  return seen;
}
const loud: LeafMapping = { text: (text) => text.toUpperCase() };

test.each<[string, unknown, string[]]>([
  ["the nearest name above", { a: { b: ["x", ["y"]] } }, ["b=x", "b=y"]],
  ["the name beside a value", [{ name: "TOKEN", value: "x" }], ["name=TOKEN", "TOKEN=x"]],
  ["the key beside a value", [{ key: "TOKEN", value: ["x"] }], ["key=TOKEN", "TOKEN=x"]],
  ["value where its name is no text", [{ name: 1, value: "x" }], ["value=x"]],
  [
    "its own where no value stands beside",
    [{ name: "TOKEN", other: "x" }],
    ["name=TOKEN", "other=x"],
  ],
])("a text's key is %s", (_, value, expected) => {
  expect(keysOf(value)).toEqual(expected);
});

test("an object of many fields has no label", () => {
  const seven = Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`f${i}`, ""]));
  expect(keysOf({ ...seven, name: "T", value: "x" })).toContain("T=x");
  expect(keysOf({ ...seven, more: "", name: "T", value: "x" })).toContain("value=x");
});

test("keys are mapped, `__proto__` stays one", () => {
  expect(mapLeaves({ a: "b" }, loud)).toEqual({ A: "B" });
  expect(mapLeaves({ a: 1 }, loud)).toEqual({ A: 1 });
  const odd = mapLeaves(JSON.parse('{"__proto__":"x"}'), {
    text: (text) => text.replace("x", "y"),
  });
  expect(Object.getOwnPropertyDescriptor(odd, "__proto__")?.value).toBe("y");
});

test("what does not change keeps its identity, beside what does", () => {
  const value = { SAME: ["A"], OTHER: ["a"] };
  const mapped = mapLeaves(value, loud) as typeof value;
  expect(mapped).toEqual({ SAME: ["A"], OTHER: ["A"] });
  expect(mapped.SAME).toBe(value.SAME);
  expect(mapLeaves(mapped, loud)).toBe(mapped);
});

test("numbers stay unless they are mapped, and so does all else", () => {
  const value = [1, true, null];
  expect(mapLeaves(value, loud)).toBe(value);
  expect(mapLeaves({ PIN: 1 }, { ...loud, number: (_, key) => `${key}` })).toEqual({ PIN: "PIN" });
});

test("a match that may go on spans a list of texts, and no other list", () => {
  const joined: LeafMapping = {
    text: (text) => text.replace(/a[\s\S]*b/, (found) => found.replace(/\w/g, "*")),
    spans: (text) => text.includes("a"),
  };
  expect(mapLeaves(["a1", "2b"], joined)).toEqual(["**", "**"]);
  expect(mapLeaves(["a1", 7, "2b"], joined)).toEqual(["a1", 7, "2b"]);
});

test("what lies two hundred deep is replaced, what lies above is not", () => {
  const nested = (depth: number): unknown => (depth === 0 ? "x" : [nested(depth - 1)]);
  expect(JSON.stringify(mapLeaves(nested(200), loud))).toContain('"X"');
  expect(JSON.stringify(mapLeaves(nested(201), loud))).toContain(tooDeep);
});
