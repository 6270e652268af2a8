// The transcript reader: split messages, results matched to uses, sidechains in both layouts, malformed lines.
import { describe, expect, test } from "bun:test";
import { eventsOf, sessionFrom } from "./transcript-events.ts";

const line = (entry: object) => JSON.stringify(entry);
const at = (second: number) => new Date(1_700_000_000_000 + second * 1_000).toISOString();
const user = (content: unknown, second: number, rest: object = {}) =>
  line({
    type: "user",
    cwd: "/shop",
    timestamp: at(second),
    message: { role: "user", content },
    ...rest,
  });
const assistant = (content: unknown[], second: number, rest: object = {}) =>
  line({
    type: "assistant",
    cwd: "/shop",
    timestamp: at(second),
    message: { id: "m1", content },
    ...rest,
  });
const result = (id: string, second: number, toolUseResult: unknown, rest: object = {}) =>
  user([{ type: "tool_result", tool_use_id: id, content: "shown", ...rest }], second, {
    toolUseResult,
  });

const main = [
  "not json",
  line({ type: "progress" }),
  user("add a retry", 1),
  assistant([{ type: "text", text: "First words." }], 2),
  assistant([{ type: "tool_use", id: "t1", name: "Bash", input: { command: "ls" } }], 3),
  result("t1", 4, { stdout: "a" }),
  assistant([{ type: "tool_use", id: "t2", name: "Bash", input: { command: "x" } }], 5),
  result("t2", 6, "Error: Exit code 1", { is_error: true }),
  assistant(
    [{ type: "tool_use", id: "t3", name: "Bash", input: { command: "never finished" } }],
    7,
  ),
  assistant([{ type: "tool_use", id: "s1", name: "Grep", input: {} }], 8, {
    isSidechain: true,
    agentId: "inner",
  }),
  result("s1", 9, { filenames: [] }),
  assistant([{ type: "text", text: "Agent's last words." }], 9, {
    isSidechain: true,
    agentId: "inner",
  }),
  assistant([{ type: "text", text: "Done." }], 10),
  user("<command-name>/exit</command-name>", 11),
  user("note", 12, { isMeta: true }),
  user([{ type: "text", text: "and now test it" }], 13),
  '{"torn',
].join("\n");
const agent = [
  user("go", 3, { isSidechain: true }),
  assistant([{ type: "tool_use", id: "f1", name: "Read", input: {} }], 4),
  result("f1", 5, {}),
  assistant([{ type: "text", text: "Outer report." }], 6),
].join("\n");
const session = sessionFrom([
  { name: "s/abc.jsonl", text: main },
  { name: "s/abc/subagents/agent-outer.jsonl", text: agent },
]);

describe("a recorded session", () => {
  test("is split into the prompts of the user", () => {
    expect(session.prompts.map((prompt) => prompt.text)).toEqual([
      "add a retry",
      "and now test it",
    ]);
    expect(session.malformed).toBe(2);
    expect(session.cwd).toBe("/shop");
  });

  test("matches results to uses and leaves unfinished ones out", () => {
    const [first] = session.prompts;
    expect(first?.toolUses.map((use) => [use.id, use.agent?.id, use.error])).toEqual([
      ["t1", undefined, undefined],
      ["f1", "outer", undefined],
      ["t2", undefined, "Exit code 1"],
      ["s1", "inner", undefined],
    ]);
    expect(first?.lastAssistantMessage).toBe("Done.");
    expect(first?.agentMessages).toEqual([
      { agent: { id: "inner" }, text: "Agent's last words." },
      { agent: { id: "outer" }, text: "Outer report." },
    ]);
  });

  test("comes as events in the order of the hooks", () => {
    const events = [...eventsOf(session)];
    expect(events.map((event) => event.name)).toEqual([
      "UserPromptSubmit",
      "PostToolUse",
      "PostToolUse",
      "PostToolUseFailure",
      "PostToolUse",
      "SubagentStop",
      "SubagentStop",
      "Stop",
      "UserPromptSubmit",
      "Stop",
      "SessionEnd",
    ]);
    expect(new Set(events.map((event) => event.key)).size).toBe(events.length);
  });
});
