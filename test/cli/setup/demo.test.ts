// When the demo says that the main job was done.
import { expect, test } from "bun:test";
import { contextOf, isMemory, middle, round } from "../../../src/cli/setup/demo.ts";

const whole = { observations: ["o1"], summary: {}, results: ["o1"], context: "Where things stand" };

test("a session that left all of it behind did the main job", () => {
  expect(isMemory(whole)).toBe(true);
});

test.each<[string, Partial<typeof whole>]>([
  ["no observation", { observations: [] }],
  ["no summary", { summary: undefined as never }],
  ["nothing that a search finds", { results: [] }],
  ["nothing that the next session is given", { context: "" }],
])("with %s the demo fails", (_, part) => {
  expect(isMemory({ ...whole, ...part })).toBe(false);
});

test.each([
  [[], 0],
  [[7], 7],
  [[30, 2, 100], 30],
  [[100, 9, 30, 2], 30],
])("of %p the median is %d", (values, median) => {
  expect(middle(values)).toBe(median);
});

test.each([
  [1.26, 1.3],
  [0.04, 0],
  [99.95, 100],
])("%d ms are told as %d", (ms, told) => {
  expect(round(ms)).toBe(told);
});

test.each([
  ["", ""],
  ["{}", ""],
  ['{"hookSpecificOutput":{}}', ""],
  ['{"hookSpecificOutput":{"additionalContext":"Where things stand"}}', "Where things stand"],
])("a hook that printed %p told %p", (output, context) => {
  expect(contextOf(output)).toBe(context);
});
