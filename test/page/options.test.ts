// Options as a form: which field a schema gets, what stands in it, and what of what was typed is sent.
import { describe, expect, test } from "bun:test";
import { changed, fieldsOf, textOf } from "../../src/page/views/settings/plugin.tsx";

const schema = {
  properties: {
    retries: { type: "integer", default: 2, description: "How often." },
    share: { type: "number" },
    mode: { type: "string", enum: ["quick", "thorough"], default: "quick" },
    verbose: { type: "boolean", default: false },
    address: { type: "string" },
    tags: { type: "array", items: { type: "string" }, default: ["a", "b"] },
    kinds: { type: "array", items: { type: "string", enum: ["x"] } },
    over: { type: "object" },
  },
};
const fields = fieldsOf(schema);
const byName = new Map(fields.map((field) => [field.name, field]));

test.each([
  ["retries", "number", "2"],
  ["share", "number", ""],
  ["mode", "choice", "quick"],
  ["verbose", "choice", "false"],
  ["address", "text", ""],
  ["tags", "list", "a\nb"],
  ["kinds", "json", ""],
  ["over", "json", ""],
])("%s is a %s", (name, kind, standard) => {
  expect(byName.get(name)).toMatchObject({ kind, standard });
});

test("a schema without options has no field", () => {
  expect(fieldsOf({})).toEqual([]);
});

test.each([
  ["number", 0.5, "0.5"],
  ["choice", true, "true"],
  ["list", ["x", "y"], "x\ny"],
  ["json", { a: 1 }, '{\n  "a": 1\n}'],
  ["json", "not as it should be", '"not as it should be"'],
  ["text", undefined, ""],
] as const)("a %s of %j reads %j", (kind, value, text) => {
  expect(textOf({ kind }, value)).toBe(text);
});

describe("what was typed", () => {
  const now = { retries: "3", address: "", tags: "a", verbose: "true" };
  test.each([
    ["nothing", {}, {}, []],
    ["what stood there", { retries: "3" }, {}, []],
    ["a number", { retries: "4" }, { retries: 4 }, []],
    ["no number, for the server to refuse", { retries: "many" }, { retries: "many" }, []],
    ["nothing any more, which takes it back", { retries: " " }, {}, ["retries"]],
    ["yes and no", { verbose: "false" }, { verbose: false }, []],
    ["lines", { tags: "a\n\n b \n" }, { tags: ["a", "b"] }, []],
    ["JSON", { over: '{"Bash": 10}' }, { over: { Bash: 10 } }, []],
    ["broken JSON, for the server to refuse", { over: "{" }, { over: "{" }, []],
    ["a text that is no option", { other: "x" }, {}, []],
  ])("is %s", (_what, typed, set, unset) => {
    expect(changed(fields, now, typed as Record<string, string>)).toEqual({ set, unset });
  });
});
