import { expect, test } from "bun:test";
import { isOwnTool } from "../../src/sdk/tool-names.ts";
import { wantsTool } from "../../src/strategy/clearing.ts";
import { clearedInput, isClearedInput } from "../../src/transcript/rewrite-index.ts";

test("a cleared input says in one line how the whole comes back, in a shell without memoir in its PATH too", () => {
  const cleared = clearedInput("toolu_1", "x".repeat(4_000), "~/.memoir/bin/memoir");
  expect(cleared).toEqual({
    _cleared: true,
    message: "[Input removed to save ~1000 tokens; ~/.memoir/bin/memoir recall toolu_1]",
  });
  expect(isClearedInput(cleared)).toBe(true);
  expect(isClearedInput({ message: cleared.message })).toBe(false);
});

test("tools are chosen by name and by beginning; memoir's own never lose anything", () => {
  const wants = wantsTool({ tools: ["Write", "mcp__*"], spareTools: ["mcp__plan__*"] });
  expect(["Write", "WriteAll", "mcp__shop__list", "mcp__plan__add"].map(wants)).toEqual([
    true,
    false,
    true,
    false,
  ]);
  const own = ["mcp__memoir__recall", "mcp__plugin_memoir_memoir__recall"];
  expect(own.map(isOwnTool)).toEqual([true, true]);
  expect(own.map(wants)).toEqual([false, false]);
  expect(["mcp__memoirs__list", "mcp__my_memoir__list"].map(isOwnTool)).toEqual([false, false]);
});
