// Changes inside one line of a transcript: what is changed, and that nothing else is.
import { describe, expect, test } from "bun:test";
import { blocksOf, editLine, exactObject, plainUse } from "../../src/transcript/splice.ts";

const use = { type: "tool_use", id: "t1", name: "Write", input: { content: "old" } };
const entry = {
  ...{ parentUuid: "p", type: "assistant", toolUseResult: { stdout: "secret" } },
  message: { content: [use, { type: "text", text: "a secret, a secret" }] },
};
const line = JSON.stringify(entry);

test.each<[string, boolean]>([
  ['{"a":1}', true],
  ['{"a": 1}', false],
  ['{"a":1,"a":1}', false],
  ['{"a":1.0}', false],
  ['{"a":12345678901234567890}', false],
  ['{"a":"\\u0041"}', false],
  ["[1]", false],
  ["null", false],
  ["{torn", false],
])("%p can be written again exactly: %p", (text, exact) => {
  expect(exactObject(text) !== undefined).toBe(exact);
});

describe("a line is edited", () => {
  const edited = (edit: Parameters<typeof editLine>[1], text = line) => {
    const made = editLine(text, edit);
    return made === undefined ? undefined : JSON.parse(made);
  };

  test("by new inputs, another parent, without its result, and nowhere else", () => {
    const inputs = new Map([["t1", { content: "new" }]]);
    expect(edited({ inputs })).toEqual({
      ...entry,
      message: { content: [{ ...use, input: { content: "new" } }, entry.message.content[1]] },
    });
    expect(edited({ parent: "q" })).toEqual({ ...entry, parentUuid: "q" });
    const { toolUseResult: _, ...rest } = entry;
    expect(edited({ dropResult: true })).toEqual(rest);
  });

  test("where a text stands that was taken out elsewhere, as often as it does and taken literally", () => {
    const scrub = [
      { text: "secret", instead: "$& gone" },
      { text: "nowhere", instead: "x" },
    ];
    expect(edited({ scrub })).toEqual({
      ...entry,
      toolUseResult: { stdout: "$& gone" },
      message: { content: [use, { type: "text", text: "a $& gone, a $& gone" }] },
    });
    expect(edited({ scrub }, '{"secret":["secret",5,null]}')).toEqual({
      secret: ["$& gone", 5, null],
    });
  });

  test("or left alone, where nothing changes or it could not be written again", () => {
    expect(editLine(line, {})).toBeUndefined();
    expect(editLine(line, { parent: "p" })).toBeUndefined();
    expect(editLine(line, { scrub: [{ text: "nowhere", instead: "x" }] })).toBeUndefined();
    expect(editLine(line, { inputs: new Map([["t2", {}]]) })).toBeUndefined();
    expect(editLine(`${line} `, { parent: "q" })).toBeUndefined();
  });
});

test("a tool use is found by its id, unless it is signed or has no input", () => {
  const of = (...content: unknown[]) => plainUse({ message: { content } }, "t1");
  expect(of(null, "text", use)).toEqual({ block: use, input: use.input });
  expect(of({ ...use, id: "t2" })).toBeUndefined();
  expect(of({ ...use, type: "text" })).toBeUndefined();
  expect(of({ ...use, Signature: "x" })).toBeUndefined();
  expect(of({ ...use, encrypted_input: "x" })).toBeUndefined();
  expect(of({ ...use, input: "text" })).toBeUndefined();
  expect([blocksOf({}), blocksOf({ message: { content: "text" } })]).toEqual([[], []]);
});
