// Which tool uses are left out, and why, by config.
import { describe, expect, test } from "bun:test";
import plugin from "../../../plugins/capture-skip-tools/index.ts";
import type { ClientEvent } from "../../../src/sdk/events.ts";
import { clientEvent, toolEvent } from "../../support/client-events.ts";
import { openRoom } from "../../support/plugin-room.ts";

const bash = (command: string) =>
  toolEvent("t1", { toolName: "Bash", toolInput: { command }, toolResponse: { stdout: "" } });
const use = (toolName: string) => toolEvent("t1", { toolName });

const table: Array<[name: string, event: ClientEvent, config: object, reason: string | undefined]> =
  [
    ["a look at the todo list", use("TodoRead"), {}, "skip list: TodoRead"],
    ["a todo update, which says what is open", use("TodoWrite"), {}, undefined],
    ["a task made", use("TaskCreate"), {}, undefined],
    ["before it ran", clientEvent("PreToolUse", { toolName: "Skill" }), {}, "skip list: Skill"],
    [
      "when it failed",
      clientEvent("PostToolUseFailure", { toolName: "ToolSearch" }),
      {},
      "skip list: ToolSearch",
    ],
    ["a read", use("Read"), {}, undefined],
    ["a question whose answer decides something", use("AskUserQuestion"), {}, undefined],
    ["an unknown tool", use("mcp__db__query"), {}, undefined],
    ["our own tool", use("mcp__memoir__search"), {}, "own command"],
    ["our own tool from a plugin", use("mcp__plugin_memoir_memoir__search"), {}, "own command"],
    [
      "our own tool, kept by config",
      use("mcp__memoir__search"),
      { keep: ["mcp__memoir__*"] },
      "own command",
    ],
    ["our own command", bash("memoir search x"), {}, "own command"],
    ["another command", bash("bun test"), {}, undefined],
    ["a list of its own", use("TodoRead"), { skip: ["Read"] }, undefined],
    ["a list of its own, named", use("Read"), { skip: ["Read"] }, "skip list: Read"],
    ["one more", use("Read"), { alsoSkip: ["Re*"] }, "skip list: Read"],
    ["one more, list still there", use("TodoRead"), { alsoSkip: ["Re*"] }, "skip list: TodoRead"],
    [
      "one more beside a list of its own",
      use("Grep"),
      { skip: ["Read"], alsoSkip: ["Grep"] },
      "skip list: Grep",
    ],
    ["kept", use("TodoRead"), { keep: ["Todo*"] }, undefined],
    ["nothing but *", use("Read"), { alsoSkip: ["*"] }, "skip list: Read"],
    ["a prompt", clientEvent("UserPromptSubmit"), { alsoSkip: ["*"] }, undefined],
    ["odd input", toolEvent("t1", { toolName: "Bash", toolInput: null }), {}, undefined],
    [
      "odd command",
      toolEvent("t1", { toolName: "Bash", toolInput: { command: 7 } }),
      {},
      undefined,
    ],
  ];

describe("capture-skip-tools", () => {
  for (const [name, event, config, reason] of table) {
    test(name, async () => {
      const { hooks } = await openRoom(plugin, { config });
      const { value, failed } = await hooks.reduce("capture", event);
      expect(failed).toEqual([]);
      expect(value).toEqual(reason === undefined ? event : { drop: reason });
    });
  }
  test("unknown options are refused", async () => {
    await expect(openRoom(plugin, { config: { skips: [] } })).rejects.toThrow();
    await expect(openRoom(plugin, { config: { skip: [""] } })).rejects.toThrow();
  });
});
