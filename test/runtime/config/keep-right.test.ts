// What is kept of a value that is partly wrong, by made-up schemas: what cannot do without a key goes with it.
import { expect, test } from "bun:test";
import * as v from "valibot";
import { keepRight } from "../../../src/runtime/config/parse.ts";
import { problemText } from "../../../src/runtime/config/problems.ts";

const rule = v.strictObject({
  kind: v.picklist(["word", "form"]),
  text: v.string(),
  weight: v.optional(v.number()),
});
const schema = v.strictObject({
  rules: v.optional(v.array(rule)),
  named: v.optional(v.record(v.string(), rule)),
  section: v.optional(v.strictObject({ to: v.string(), rules: v.optional(v.array(rule)) })),
  marks: v.optional(
    v.array(
      v.pipe(
        v.string(),
        v.check((text) => text.length > 1, "is short"),
        v.check((text) => text !== "x", "is x"),
      ),
    ),
  ),
});
const word = (text: string) => ({ kind: "word", text });

test.each<[string, unknown, object, string[]]>([
  [
    "a needed key that is wrong: its item goes",
    { rules: [word("a"), { kind: "wrod", text: "b" }, word("c")] },
    { rules: [word("a"), word("c")] },
    ['rules.1.kind: must be "word" or "form", but is "wrod"'],
  ],
  [
    "two needed keys of one item",
    { rules: [{ kind: 1, text: 2 }, word("b"), word("c")] },
    { rules: [word("b"), word("c")] },
    [
      'rules.0.kind: must be "word" or "form", but is 1',
      "rules.0.text: must be a string, but is 2",
    ],
  ],
  [
    "needed keys of two items",
    { rules: [{ kind: 1, text: "a" }, word("b"), { kind: "word", text: 3 }] },
    { rules: [word("b")] },
    [
      'rules.0.kind: must be "word" or "form", but is 1',
      "rules.2.text: must be a string, but is 3",
    ],
  ],
  [
    "a needed key that is not there",
    { rules: [{ kind: "word" }, word("b")] },
    { rules: [word("b")] },
    ["rules.0.text: is missing"],
  ],
  [
    "one of a record",
    { named: { one: { kind: "word", text: 1 }, two: word("b") } },
    { named: { two: word("b") } },
    ["named.one.text: must be a string, but is 1"],
  ],
  [
    "a section",
    { rules: [word("a")], section: { to: 3 } },
    { rules: [word("a")] },
    ["section.to: must be a string, but is 3"],
  ],
  [
    "one item that is wrong twice: the next stays",
    { marks: ["x", "yes"] },
    { marks: ["yes"] },
    ["marks.0: is short", "marks.0: is x"],
  ],
])("%s", (_, value, output, said) => {
  const before = structuredClone(value);
  const kept = keepRight(schema, value);
  expect(kept.output).toEqual(output);
  expect(kept.problems.map(problemText)).toEqual(said);
  expect(value).toEqual(before);
});

test("a schema that takes nothing at all is an error, and no loop", () => {
  expect(() => keepRight(v.strictObject({ to: v.string() }), { to: 1 })).toThrow();
});
