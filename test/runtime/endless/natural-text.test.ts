// What an agent reads of a kept value: a file with its line numbers, what a command printed, else readable JSON.
import { expect, test } from "bun:test";
import { naturalText } from "../../../src/runtime/endless/recall.ts";

const blocks = [
  { type: "text", text: "one" },
  { type: "image", id: 3 },
];

test.each<[string, unknown, string]>([
  ["a text", "plain", "plain"],
  ["what a command printed", { stdout: "out", stderr: "" }, "out"],
  ["its trouble alone", { stdout: "", stderr: "err" }, "err"],
  ["both", { stdout: "out\n", stderr: "err" }, "out\n[stderr]\nerr"],
  ["both, without a line's end between", { stdout: "out", stderr: "err" }, "out\n[stderr]\nerr"],
  ["content before names", { content: "text", filenames: ["a.ts"] }, "text"],
  ["names where the content is empty", { content: "", filenames: ["a.ts", "b.ts"] }, "a.ts\nb.ts"],
  ["what ran in the background", { task: { output: "done" } }, "done"],
  ["a result", { result: "found" }, "found"],
  ["blocks", blocks, `one\n${JSON.stringify(blocks[1], null, 2)}`],
  ["blocks inside", { content: blocks.slice(0, 1) }, "one"],
  ["any other list", [1, 2], "[\n  1,\n  2\n]"],
  ["names that are none", { filenames: [1] }, '{\n  "filenames": [\n    1\n  ]\n}'],
])("of a result %s", (_, value, text) => {
  expect(naturalText(value, "output")).toEqual({ text, firstLine: 1 });
});

test.each<[unknown, number]>([
  [7, 7],
  [0, 1],
  [-2, 1],
  [1.5, 1],
  ["7", 1],
  [undefined, 1],
])("a file that begins at line %p is numbered from %p", (startLine, firstLine) => {
  const value = { file: { content: "a\nb", startLine } };
  expect(naturalText(value, "output")).toEqual({ text: "a\nb", firstLine });
});

test.each<[string, unknown, string]>([
  ["fields by their names", { command: "ls", timeout: 5 }, "command: ls\ntimeout: 5"],
  ["a text of lines below its name", { content: "a\nb" }, "content:\na\nb"],
  ["a list", ["a"], '[\n  "a"\n]'],
  ["nothing", null, "null"],
  ["a file's fields, not its content", { file: { content: "a" } }, 'file: {\n  "content": "a"\n}'],
])("of an input %s", (_, value, text) => {
  expect(naturalText(value, "input").text).toBe(text);
});
