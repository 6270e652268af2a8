// What a filter lets pass.
import { expect, test } from "bun:test";
import { compileFilter } from "../../../src/runtime/hooks/subscription.ts";
import type { HookFilter } from "../../../src/sdk/handlers.ts";
import { promptEvent, toolEvent } from "../../support/hooks.ts";

const project = { id: "github.com/acme/shop", name: "shop", root: "/shop" };
const session = { id: "s1", client: "claude-code", project };
const batch = {
  key: "k",
  session,
  toolUses: [{ id: "t", name: "Edit", input: {}, time: 0, cwd: "/" }],
  waiting: false,
};

test.each<[string, HookFilter, unknown, boolean]>([
  ["tool by name", { tool: ["Bash"] }, toolEvent(), true],
  ["another tool", { tool: ["Edit"] }, toolEvent(), false],
  ["tool by beginning", { tool: ["mcp__*"] }, toolEvent({ toolName: "mcp__db__query" }), true],
  [
    "a beginning is no substring",
    { tool: ["mcp__*"] },
    toolEvent({ toolName: "x_mcp__db" }),
    false,
  ],
  ["an input without the field", { tool: ["Bash"] }, promptEvent(), false],
  ["an empty list", { tool: [] }, toolEvent(), false],
  [
    "a batch of calls",
    { tool: ["Read"] },
    { toolCalls: [{ toolName: "Bash" }, { toolName: "Read" }] },
    true,
  ],
  ["work by tool", { tool: ["Edit"] }, batch, true],
  ["an extraction by tool", { tool: ["Edit"] }, { batch, result: { observations: [] } }, true],
  ["event", { event: ["PostToolUse"] }, toolEvent(), true],
  ["another event", { event: ["Stop"] }, toolEvent(), false],
  ["client", { client: ["claude-code"] }, toolEvent(), true],
  ["client of work", { client: ["claude-code"] }, batch, true],
  ["project by id", { project: ["github.com/acme/shop"] }, toolEvent({ project }), true],
  ["project by name", { project: ["shop"] }, toolEvent({ project }), true],
  ["project of work", { project: ["shop"] }, batch, true],
  ["project as text", { project: ["shop"] }, { project: "shop", text: "" }, true],
  ["project not known yet", { project: ["shop"] }, toolEvent(), false],
  ["all fields must match", { tool: ["Bash"], client: ["other"] }, toolEvent(), false],
])("%s", (_, filter, input, passes) => {
  expect(compileFilter(filter)?.(input)).toBe(passes);
});

test("no filter is no test", () => {
  expect(compileFilter(undefined)).toBeUndefined();
  expect(compileFilter({})).toBeUndefined();
});
