// Claude Code's payloads in, its hook output out.

import { describe, expect, test } from "bun:test";
import { adapter } from "../../src/clients/claude-code/index.ts";
import { clientNamed, clients } from "../../src/clients/index.ts";
import { parseClaudeCode } from "../../src/clients/normal/payload.ts";
import { MemoirError } from "../../src/sdk/errors.ts";
import { type ClientEvent, type ClientEventName, contextLimit } from "../../src/sdk/events.ts";
import { clientEventNames } from "../../src/sdk/hooks.ts";

const delivery = { id: "5b2c7f0e-0000-4000-8000-000000000001", time: 1_790_000_000_000 };
const common = {
  session_id: "s-1",
  transcript_path: "/home/u/.claude/projects/-p/s-1.jsonl",
  cwd: "/p",
};
const tool = { tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: "toolu_1" };
const expectedBase = {
  id: delivery.id,
  client: "claude-code",
  session: "s-1",
  time: delivery.time,
  cwd: "/p",
  transcriptPath: common.transcript_path,
};
const ownKey = (event: string) => `claude-code:s-1:${event}:${delivery.id}`;
const toolKey = (event: string) => `claude-code:s-1:${event}:toolu_1`;

function parse(payload: Record<string, unknown>): ClientEvent {
  return parseClaudeCode({ ...common, ...payload }, delivery);
}

interface Case {
  payload: Record<string, unknown>;
  event: Record<string, unknown>;
}

const cases: Record<ClientEventName, Case> = {
  SessionStart: {
    payload: { source: "resume", model: "opus", context_tokens: 12 },
    event: { source: "resume", model: "opus", extra: { context_tokens: 12 } },
  },
  UserPromptSubmit: {
    payload: { prompt: "fix it", prompt_id: "p1", permission_mode: "default" },
    event: {
      prompt: "fix it",
      promptId: "p1",
      key: "claude-code:s-1:UserPromptSubmit:p1:e60265c5",
      extra: { permission_mode: "default" },
    },
  },
  PreToolUse: {
    payload: tool,
    event: {
      toolName: "Bash",
      toolInput: { command: "ls" },
      toolUseId: "toolu_1",
      key: toolKey("PreToolUse"),
    },
  },
  PostToolUse: {
    payload: { ...tool, tool_response: { stdout: "a" }, duration_ms: 5, mcp_server: "m" },
    event: {
      toolName: "Bash",
      toolInput: { command: "ls" },
      toolUseId: "toolu_1",
      toolResponse: { stdout: "a" },
      durationMs: 5,
      key: toolKey("PostToolUse"),
      extra: { mcp_server: "m" },
    },
  },
  PostToolUseFailure: {
    payload: { ...tool, error: "exit 1", is_interrupt: true, duration_ms: 5 },
    event: {
      toolName: "Bash",
      toolInput: { command: "ls" },
      toolUseId: "toolu_1",
      error: "exit 1",
      isInterrupt: true,
      durationMs: 5,
      key: toolKey("PostToolUseFailure"),
    },
  },
  PostToolBatch: {
    payload: { tool_calls: [{ ...tool, tool_response: "seen" }] },
    event: {
      toolCalls: [
        {
          toolName: "Bash",
          toolInput: { command: "ls" },
          toolUseId: "toolu_1",
          toolResponse: "seen",
        },
      ],
      key: toolKey("PostToolBatch"),
    },
  },
  Stop: {
    payload: { stop_hook_active: true, last_assistant_message: "done", background_tasks: [] },
    event: { stopHookActive: true, lastAssistantMessage: "done", extra: { background_tasks: [] } },
  },
  SubagentStart: {
    payload: { agent_id: "a1", agent_type: "Explore" },
    event: { agent: { id: "a1", type: "Explore" } },
  },
  SubagentStop: {
    payload: {
      agent_id: "a1",
      agent_type: "",
      last_assistant_message: "found",
      agent_transcript_path: "/t/agent-a1.jsonl",
    },
    // The client's own summarizing is an agent without a type.
    event: {
      agent: { id: "a1", type: "" },
      lastAssistantMessage: "found",
      agentTranscriptPath: "/t/agent-a1.jsonl",
    },
  },
  SessionEnd: { payload: { reason: "clear" }, event: { reason: "clear" } },
  PreCompact: {
    payload: { trigger: "auto", custom_instructions: "" },
    event: { trigger: "auto", extra: { custom_instructions: "" } },
  },
  PostCompact: {
    payload: { trigger: "manual", compact_summary: "short" },
    event: { trigger: "manual", compactSummary: "short" },
  },
  Other: {
    payload: { hook_event_name: "TaskCreated", task: { id: 1 } },
    event: {
      clientEvent: "TaskCreated",
      extra: { task: { id: 1 } },
      key: ownKey("TaskCreated"),
    },
  },
};

describe("parsing", () => {
  for (const name of clientEventNames) {
    test(name, () => {
      const { payload, event } = cases[name];
      expect(parse({ hook_event_name: name, ...payload })).toEqual({
        ...expectedBase,
        key: ownKey(name),
        name,
        ...event,
      } as ClientEvent);
    });
  }

  test("two prompts of one prompt id stay two, one prompt delivered twice is one", () => {
    const key = (prompt: string, id: string) =>
      parseClaudeCode(
        { ...common, hook_event_name: "UserPromptSubmit", prompt_id: "p1", prompt },
        { ...delivery, id },
      ).key;
    expect(key("a", "delivery-1")).toBe(key("a", "delivery-2"));
    expect(key("a", "delivery-1")).not.toBe(key("b", "delivery-1"));
  });

  test("an optional field of the wrong type does not cost the event", () => {
    const event = parse({
      hook_event_name: "PostToolUse",
      ...tool,
      duration_ms: "fast",
      agent_id: 7,
    });
    expect(event).not.toHaveProperty("durationMs");
    expect(event).not.toHaveProperty("agent");
  });

  test("a tool result of 10 MB is bounded", () => {
    const event = parse({
      hook_event_name: "PostToolUse",
      ...tool,
      tool_response: { stdout: "x".repeat(10_000_000) },
    });
    expect(JSON.stringify(event).length).toBeLessThan(70_000);
  });

  const junk: Array<[string, unknown, string]> = [
    ["null", null, "the payload is not as expected (Object)"],
    ["a list", [], "session_id"],
    ["a string", "hello", "the payload is not as expected (Object)"],
    ["a number", 4, "the payload is not as expected (Object)"],
    ["no fields", {}, "`session_id`"],
    ["an empty session", { ...common, session_id: "", hook_event_name: "Stop" }, "`session_id`"],
    ["no event name", common, "`hook_event_name`"],
    ["no cwd", { session_id: "s", hook_event_name: "Stop" }, "`cwd`"],
    ["no prompt", { ...common, hook_event_name: "UserPromptSubmit" }, "`prompt`"],
    [
      "a prompt that is no text",
      { ...common, hook_event_name: "UserPromptSubmit", prompt: {} },
      "`prompt`",
    ],
    [
      "no tool use id",
      { ...common, hook_event_name: "PostToolUse", tool_name: "Bash" },
      "`tool_use_id`",
    ],
    ["no error", { ...common, hook_event_name: "PostToolUseFailure", ...tool }, "`error`"],
    ["no batch", { ...common, hook_event_name: "PostToolBatch" }, "`tool_calls`"],
    [
      "half a batch",
      { ...common, hook_event_name: "PostToolBatch", tool_calls: [{ tool_name: "Bash" }] },
      "`tool_calls.0.tool_use_id`",
    ],
  ];
  for (const [what, payload, field] of junk) {
    test(`${what} is refused, naming the field`, () => {
      try {
        parseClaudeCode(payload, delivery);
        expect.unreachable();
      } catch (error) {
        expect(error).toBeInstanceOf(MemoirError);
        expect((error as MemoirError).code).toBe("payload_invalid");
        expect((error as MemoirError).message).toContain(field);
      }
    });
  }

  test("the refusal never quotes the payload", () => {
    const secret = "hunter2-hunter2";
    expect(() => parse({ hook_event_name: "UserPromptSubmit", prompt: [secret] })).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining(secret) }),
    );
  });
});

describe("rendering", () => {
  const event = (name: ClientEventName, more: Record<string, unknown> = {}) =>
    parse({ hook_event_name: name, ...cases[name].payload, ...more });
  const silent: ClientEventName[] = ["SessionEnd", "PreCompact", "PostCompact", "Other"];

  for (const name of clientEventNames) {
    test(`${name} ${silent.includes(name) ? "never prints" : "carries context"}`, () => {
      const output = adapter.render(event(name), { context: "known" });
      expect(output).toEqual(
        silent.includes(name)
          ? undefined
          : { hookSpecificOutput: { hookEventName: name, additionalContext: "known" } },
      );
    });
  }

  test("nothing to say is no output", () => {
    for (const reply of [{}, { context: "" }, { context: " \n " }]) {
      expect(adapter.render(event("SessionStart"), reply)).toBeUndefined();
    }
  });

  test("a replaced tool output goes into the field of its kind of tool", () => {
    const reply = { updatedToolOutput: { stdout: "short" } };
    expect(adapter.render(event("PostToolUse"), reply)).toEqual({
      hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: { stdout: "short" } },
    });
    expect(adapter.render(event("PostToolUse", { tool_name: "mcp__x__y" }), reply)).toHaveProperty(
      "hookSpecificOutput.updatedMCPToolOutput",
    );
    expect(adapter.render(event("PostToolUseFailure"), reply)).toBeUndefined();
  });

  test("a message for the person stands beside the event's own fields", () => {
    expect(adapter.render(event("Stop"), { systemMessage: "hi" })).toEqual({
      systemMessage: "hi",
    });
  });

  test("a message for the person fits the client's limit as context does", () => {
    const { systemMessage } = adapter.render(event("Stop"), {
      systemMessage: `first\n${"x".repeat(contextLimit)}`,
    }) as { systemMessage: string };
    expect(systemMessage).toBe("first");
  });

  const context = (text: string): string => {
    const output = adapter.render(event("SessionStart"), { context: text }) ?? {};
    return (output.hookSpecificOutput as { additionalContext: string }).additionalContext;
  };

  test("context fits the client's limit, cut at a line end", () => {
    const line = `${"word ".repeat(19)}end`;
    const cut = context(`${line}\n`.repeat(200));
    expect(cut.length).toBeLessThanOrEqual(contextLimit);
    expect(cut.length).toBeGreaterThan(contextLimit - 100);
    expect(cut.endsWith("end")).toBe(true);
    expect(context("x".repeat(contextLimit))).toHaveLength(contextLimit);
  });

  test("no half surrogate pair leaves", () => {
    expect(context(`x${"🦊".repeat(6_000)}`).isWellFormed()).toBe(true);
    expect(context("lost \ud83e half").isWellFormed()).toBe(true);
  });
});

test("the table knows every client by its name", () => {
  for (const [name, adapter] of clients) expect(adapter.name).toBe(name);
  expect(() => clientNamed("emacs")).toThrow(expect.objectContaining({ code: "client_unknown" }));
  expect(() => clientNamed("__proto__")).toThrow(MemoirError);
});
