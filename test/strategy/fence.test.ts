// The word that foreign text cannot know.
import { expect, test } from "bun:test";
import { createFence } from "../../src/strategy/model-text.ts";

test("a fence's word stands in none of the texts, and has eight digits", () => {
  const words = [1, 2];
  const fence = createFence(() => words.shift() ?? 3, ["holds data-00000001"]);
  expect(fence.around("text")).toBe("<data-00000002>\ntext\n</data-00000002>");
});
