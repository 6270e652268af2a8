// Of which tools anything may leave: none that is spared, never memoir's own.
import { expect, test } from "bun:test";
import * as v from "valibot";
import { clearingOptions, wantsTool } from "../../src/strategy/clearing.ts";

test.each<[string, string[], string, boolean]>([
  ["one that is spared", ["Edit"], "Edit", false],
  ["any other", ["Edit"], "Bash", true],
  ["memoir's own", [], "mcp__memoir__get", false],
])("%s", (_, spareTools, tool, wanted) => {
  expect(wantsTool({ spareTools })(tool)).toBe(wanted);
});

test("unless config says otherwise all lose large inputs but plans", () => {
  const config = v.parse(v.object(clearingOptions), {});
  expect(config.spareTools.toSorted()).toEqual([
    ...["AskUserQuestion", "ExitPlanMode", "TaskCreate", "TaskUpdate", "TodoWrite"],
  ]);
});
