// Of which tools anything may leave: those that are named, none that is spared, never memoir's own.

import { expect, test } from "bun:test";
import * as v from "valibot";
import { clearingOptions, wantsTool } from "../../src/strategy/tool-data.ts";

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
