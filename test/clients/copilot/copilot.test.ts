// GitHub Copilot CLI's payloads and transcripts in the normal form, by either spelling, and its answers.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { lookAtProject } from "../../../src/clients/copilot/index.ts";
import { adapterNamed, chooseClient } from "../../../src/clients/index.ts";
import { createDuplicates } from "../../../src/runtime/journal/seen-before.ts";
import type { ClientEvent } from "../../../src/sdk/events.ts";
import { inFolder } from "../../support/in-folder.ts";
import { clientSuite, transcriptEvents } from "../suite.ts";

const folder = import.meta.dirname;
clientSuite({ client: "copilot", folder, recorded: "copilot" });

const adapter = await adapterNamed("copilot");
const time = Date.parse("2026-11-22T12:00:00.000Z");
const session = "aaaaaaaa-2222-4333-8444-555555555555";

function parsed(payload: object, id: string): ClientEvent {
  const event = adapter.parse(payload, { id, time });
  if (!event || event instanceof Promise) throw new Error("no event");
  return event;
}

/** As Claude Code's hooks of a project have it, and as Copilot's own. */
const pairs: ReadonlyArray<[name: string, claude: object, own: object]> = [
  ["SessionStart", { source: "new", initial_prompt: "Go" }, { source: "new", initialPrompt: "Go" }],
  ["UserPromptSubmit", { prompt: "Go" }, { prompt: "Go" }],
  [
    "PreToolUse",
    { tool_name: "Bash", tool_input: { command: "ls" } },
    { toolName: "bash", toolArgs: { command: "ls" } },
  ],
  [
    "PostToolUse",
    {
      ...{ tool_name: "Read", tool_input: { path: "/p/a" } },
      tool_result: { result_type: "success", text_result_for_llm: "a" },
    },
    {
      ...{ toolName: "view", toolArgs: { path: "/p/a" } },
      toolResult: { resultType: "success", textResultForLlm: "a" },
    },
  ],
  [
    "PostToolUseFailure",
    { tool_name: "Edit", tool_input: "*** Begin Patch\n*** End Patch", error: "no" },
    { toolName: "apply_patch", toolArgs: '"*** Begin Patch\\n*** End Patch"', error: "no" },
  ],
  [
    "Stop",
    { transcript_path: `/x/session-state/${session}/events.jsonl`, stop_reason: "end_turn" },
    { transcriptPath: `/x/session-state/${session}/events.jsonl`, stopReason: "end_turn" },
  ],
  ["SessionEnd", { reason: "complete" }, { reason: "complete" }],
];

describe("one event by two roads", () => {
  for (const [name, claude, own] of pairs)
    test(name, () => {
      const shared = { cwd: "/p" };
      const first = {
        ...{ hook_event_name: name, session_id: session, ...shared },
        ...{ timestamp: new Date(time).toISOString(), ...claude },
      };
      const second = { sessionId: session, ...shared, timestamp: time, ...own };
      for (const payload of [first, second])
        expect(chooseClient("claude-code", payload, new Set(["COPILOT_CLI"]))?.name).toBe(
          "copilot",
        );
      const [one, other] = [parsed(first, "delivery-1"), parsed(second, "delivery-2")];
      expect(one.name).toBe(name as ClientEvent["name"]);
      expect(other.key).toBe(one.key);
      const roads = createDuplicates(() => time);
      expect([roads.isSecond(one), roads.isSecond(other)]).toEqual([false, true]);
    });
});

test("the same command again is another tool use", () => {
  const ran = (at: number) => ({
    ...{ sessionId: session, cwd: "/p", timestamp: at, toolName: "bash" },
    ...{ toolArgs: { command: "npm test" }, toolResult: { textResultForLlm: "ok" } },
  });
  expect(parsed(ran(time + 1), "d2").key).not.toBe(parsed(ran(time), "d1").key);
});

describe("answers", () => {
  const used = (more: object) =>
    parsed({ sessionId: session, cwd: "/p", timestamp: time, ...more }, "d");
  const command = { toolName: "bash", toolArgs: { command: "ls" } };

  test("are flat: it passes over Claude Code's form", () => {
    const prompt = used({ prompt: "Go" });
    expect(adapter.render(prompt, { context: "known", systemMessage: "hi" })).toEqual({
      additionalContext: "known",
    });
    expect(adapter.render(prompt, { systemMessage: "hi" })).toBeUndefined();
  });

  test("tell a compacted session again what it was told at its start, with its next prompt, once", () => {
    const of = (sessionId: string, more: object) =>
      parsed({ sessionId, cwd: "/p", timestamp: time, ...more }, "d");
    const compaction = { trigger: "auto", customInstructions: "" };
    adapter.render(of("c1", { source: "new" }), { context: "start" });
    expect(adapter.render(of("c1", { prompt: "Go" }), { context: "a" })).toEqual({
      additionalContext: "a",
    });
    const agent = { agentId: "a1", parentAgentId: "c1", agentType: "explore" };
    expect(adapter.render(of("a1", { ...compaction, ...agent }), {})).toBeUndefined();
    expect(adapter.render(of("c1", { prompt: "Go" }), {})).toBeUndefined();
    expect(adapter.render(of("c1", compaction), { context: "never" })).toBeUndefined();
    expect(adapter.render(of("c1", { prompt: "And?" }), { context: "b" })).toEqual({
      additionalContext: "start\n\nb",
    });
    expect(adapter.render(of("c1", { prompt: "And?" }), {})).toBeUndefined();
    // Of a session whose beginning nobody remembers there is nothing to say.
    adapter.render(of("c2", compaction), {});
    expect(adapter.render(of("c2", { prompt: "Go" }), {})).toBeUndefined();
  });

  test("put another result in a tool's place, as a text", () => {
    const ran = used({ ...command, toolResult: { textResultForLlm: "a\nb" } });
    const stdout = "a …";
    expect(adapter.render(ran, { updatedToolOutput: { stdout, stderr: "" } })).toEqual({
      modifiedResult: {
        textResultForLlm: "a …\n<completed with exit code 0>",
        resultType: "success",
      },
    });
    const read = used({
      ...{ toolName: "view", toolArgs: { path: "/p/a" } },
      toolResult: { textResultForLlm: "a\nb" },
    });
    const file = { filePath: "/p/a", content: "a …" };
    expect(adapter.render(read, { updatedToolOutput: { type: "text", file } })).toEqual({
      modifiedResult: { textResultForLlm: "a …", resultType: "success" },
    });
    expect(adapter.render(read, { updatedToolOutput: { what: "is this" } })).toBeUndefined();
  });

  test("are none where it takes none", () => {
    expect(adapter.render(used({ stopReason: "end_turn" }), { context: "known" })).toBeUndefined();
    const failed = used({ ...command, error: "no" });
    expect(adapter.render(failed, { context: "known", updatedToolOutput: "x" })).toEqual({
      additionalContext: "known",
    });
  });
});

test("a patch of two files is two uses in its transcript, the first under the id of the hook's event", async () => {
  const patch =
    "*** Begin Patch\n*** Update File: /p/calc.js\n@@\n-a - b\n+a + b\n*** Add File: /p/two.js\n+two\n*** End Patch\n";
  const input = { sessionId: session, timestamp: time, cwd: "/p", toolName: "apply_patch" };
  const told = {
    ...input,
    toolArgs: patch,
    toolResult: { textResultForLlm: "Modified 1 file(s)" },
  };
  const request = { toolCallId: "call_1", name: "apply_patch", arguments: patch, type: "custom" };
  const fileEdits = [
    { path: "/p/calc.js", kind: "edit" },
    { path: "/p/two.js", kind: "create" },
  ];
  const lines: Array<[type: string, data: object]> = [
    ["session.start", { sessionId: session, context: { cwd: "/p", branch: "main" } }],
    ["user.message", { content: "Go", transformedContent: "<system_reminder>x</system_reminder>" }],
    ["assistant.message", { messageId: "m1", content: "", toolRequests: [request] }],
    ["hook.start", { hookType: "postToolUse", input: told }],
    [
      "tool.execution_complete",
      {
        ...{ toolCallId: "call_1", success: true, fileEdits },
        result: {
          content:
            'Modified 1 file(s)\n\nTool "apply_patch" succeeded. Additional guidance from postToolUse hooks:\nknown',
        },
      },
    ],
  ];
  const text = lines.map(([type, data], id) =>
    JSON.stringify({ type, data, id: `${id}`, timestamp: "2026-11-22T12:00:01.000Z" }),
  );
  const found = await transcriptEvents(adapter, [Buffer.from(`${text.join("\n")}\n`)], "patch");
  const event = parsed(told, "d");
  if (!("toolUseId" in event)) throw new Error("no tool use");
  expect(found).toMatchObject([
    { name: "SessionStart" },
    { name: "UserPromptSubmit", prompt: "Go" },
    { toolUseId: event.toolUseId, toolName: "Edit", toolInput: event.toolInput },
    { toolUseId: "call_1#2", toolName: "Write", toolInput: { file_path: "/p/two.js" } },
    { name: "Stop" },
    { name: "SessionEnd" },
  ]);
  expect(JSON.stringify(found)).not.toContain("guidance");
});

test("a project that turns off every hook is named", () =>
  inFolder(async (project) => {
    expect(await lookAtProject(project)).toEqual([]);
    const path = join(project, ".github/copilot/settings.json");
    await Bun.write(path, '{ "disableAllHooks": false }');
    expect(await lookAtProject(project)).toEqual([]);
    await Bun.write(path, '{ // none\n "disableAllHooks" : true }');
    expect(await lookAtProject(project)).toMatchObject([
      { state: "warn", message: expect.stringContaining(path) },
    ]);
  }));

const recording = join(folder, "../../../../shared/data/other-clients/copilot/_transcript.jsonl");

test.skipIf(!existsSync(recording))(
  "its recorded session has as many prompts, tool uses and failures as its own lines say",
  async () => {
    const text = readFileSync(recording);
    const lines = text
      .toString()
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    const ended = lines.filter(({ type }) => type === "tool.execution_complete");
    const failed = ended.filter(
      ({ data }) => data.success === false || (data.shellExecution?.exitCode ?? 0) !== 0,
    );
    const events = await transcriptEvents(adapter, [text], recording);
    const named = (name: string) => events.filter((event) => event.name === name).length;
    expect({
      prompts: named("UserPromptSubmit"),
      uses: named("PostToolUse") + named("PostToolUseFailure"),
      failed: named("PostToolUseFailure"),
    }).toEqual({
      prompts: lines.filter(({ type, agentId }) => type === "user.message" && !agentId).length,
      uses: ended.length,
      failed: failed.length,
    });
    expect(failed.length).toBeGreaterThan(0);
  },
);
