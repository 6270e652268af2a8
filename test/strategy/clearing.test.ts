// Of which tools anything may leave: those that are named, none that is spared, never memoir's own.

import { expect, test } from "bun:test";
import * as v from "valibot";
import { clearingOptions, placeholder, wantsTool } from "../../src/strategy/clearing.ts";

test.each<[string, string[], string[], string, boolean]>([
  ["one that is named", ["Write", "Edit"], [], "Edit", true],
  ["one that is not named", ["Write"], [], "Bash", false],
  ["one that is spared", ["*"], ["Edit"], "Edit", false],
  ["any other", ["*"], ["Edit"], "Bash", true],
  ["memoir's own, though it is named", ["mcp__memoir__get"], [], "mcp__memoir__get", false],
])("%s", (_, tools, spareTools, tool, wanted) => {
  expect(wantsTool({ tools, spareTools })(tool)).toBe(wanted);
});

test("unless config says otherwise all lose large inputs but plans", () => {
  const config = v.parse(v.object(clearingOptions), {});
  expect(config.tools).toEqual(["*"]);
  expect(config.spareTools.toSorted()).toEqual([
    ...["AskUserQuestion", "ExitPlanMode", "TaskCreate", "TaskUpdate", "TodoWrite"],
  ]);
});

test("the line in a result's place names about its tokens, and how it is fetched", () => {
  expect(placeholder("t1", "x".repeat(401), "memoir")).toBe(
    "[Old result removed to save ~101 tokens; memoir recall t1]",
  );
});
