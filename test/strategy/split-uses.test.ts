// How many tool uses go into one request.
import { describe, expect, test } from "bun:test";
import type { ToolUse } from "../../src/sdk/work.ts";
import { splitUses } from "../../src/strategy/model-strategy.ts";

describe("requests", () => {
  const split = (lengths: number[], toolUses: number, characters: number) =>
    splitUses(
      lengths.map((length) => ({ use: { id: `${length}` } as ToolUse, text: "x".repeat(length) })),
      { toolUses, characters },
    ).map((group) => group.map(({ id }) => Number(id)));

  test.each<[string, number[], number, number, number[][]]>([
    ["hold so many tool uses", [1, 2, 3], 2, 99, [[1, 2], [3]]],
    ["hold just so many characters", [4, 6, 1], 9, 10, [[4, 6], [1]]],
    ["count the characters of their own", [9, 2, 8, 1], 9, 10, [[9], [2, 8], [1]]],
    ["have one that is too large alone", [1, 99, 2], 9, 10, [[1], [99], [2]]],
  ])("%s", (_, lengths, uses, characters, expected) => {
    expect(split(lengths, uses, characters)).toEqual(expected);
  });
});
