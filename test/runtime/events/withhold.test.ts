// Nothing anybody wrote survives withholding.
import { expect, test } from "bun:test";
import { withholdText } from "../../../src/runtime/events/redact-event.ts";
import type { ClientEvent, EventBase } from "../../../src/sdk/events.ts";
import { clientEventNames } from "../../../src/sdk/hooks.ts";

const secret = "the-secret-text";
const base: EventBase = {
  id: "e1",
  key: "k1",
  client: "claude-code",
  session: "s1",
  time: 1,
  cwd: "/shop",
  project: { id: "p", name: "p", root: "/shop" },
  transcriptPath: "/t.jsonl",
  promptId: "prompt-1",
  agent: { id: "a1", type: "explorer" },
  extra: { note: secret },
};
const tool = { toolName: "Bash", toolInput: { command: secret }, toolUseId: "t1" };

const events: Record<ClientEvent["name"], ClientEvent> = {
  SessionStart: { ...base, name: "SessionStart", source: "startup" },
  UserPromptSubmit: { ...base, name: "UserPromptSubmit", prompt: secret },
  PreToolUse: { ...base, ...tool, name: "PreToolUse" },
  PostToolUse: { ...base, ...tool, name: "PostToolUse", toolResponse: [secret], durationMs: 3 },
  PostToolUseFailure: {
    ...base,
    ...tool,
    name: "PostToolUseFailure",
    error: secret,
    isInterrupt: false,
  },
  PostToolBatch: { ...base, name: "PostToolBatch", toolCalls: [{ ...tool, toolResponse: secret }] },
  Stop: { ...base, name: "Stop", stopHookActive: false, lastAssistantMessage: secret },
  SubagentStart: { ...base, name: "SubagentStart" },
  SubagentStop: { ...base, name: "SubagentStop", lastAssistantMessage: secret },
  SessionEnd: { ...base, name: "SessionEnd", reason: "other" },
  PreCompact: { ...base, name: "PreCompact", trigger: "auto" },
  PostCompact: { ...base, name: "PostCompact", trigger: "auto", compactSummary: secret },
  Other: { ...base, name: "Other", clientEvent: "Notification" },
};

test.each(clientEventNames.map((name) => [name]))("%s keeps its frame only", (name) => {
  const event = events[name];
  const withheld = withholdText(event);
  expect(JSON.stringify(withheld)).not.toContain(secret);
  const { extra: _extra, ...frame } = base;
  expect(withheld).toMatchObject({ ...frame, name, withheld: true });
  expect(JSON.stringify(event)).toContain(secret);
});

test("tool uses can still be told apart", () => {
  expect(withholdText(events.PostToolUse)).toMatchObject({
    toolName: "Bash",
    toolUseId: "t1",
    durationMs: 3,
  });
  expect(withholdText(events.PostToolBatch)).toMatchObject({
    toolCalls: [{ toolName: "Bash", toolUseId: "t1" }],
  });
});

test("what a tool was given and gave goes, also where it is a number or a switch", () => {
  const given = { toolInput: true, toolResponse: 4711 };
  expect(withholdText({ ...events.PostToolUse, ...given } as ClientEvent)).toMatchObject({
    ...{ toolInput: {}, toolResponse: {}, durationMs: 3 },
  });
  const toolCalls = [{ ...tool, ...given }];
  expect(withholdText({ ...events.PostToolBatch, toolCalls } as ClientEvent)).toMatchObject({
    toolCalls: [{ toolInput: {}, toolResponse: {} }],
  });
});

test("a field that nobody named is taken out, also where the event's type has it by now", () => {
  const withheld = withholdText(Object.assign({ note: secret }, events.PostToolUse));
  expect(JSON.stringify(withheld)).not.toContain(secret);
  expect(Object.keys(withheld)).not.toContain("note");
  const batch = { ...events.PostToolBatch } as Extract<ClientEvent, { name: "PostToolBatch" }>;
  const calls = batch.toolCalls.map((call) => ({ ...call, note: secret }));
  expect(JSON.stringify(withholdText({ ...batch, toolCalls: calls }))).not.toContain(secret);
  // What has not the form it should have is dropped; withholding never throws.
  const odd = Object.assign({}, events.PostToolBatch, { toolCalls: secret });
  expect(JSON.stringify(withholdText(odd))).not.toContain(secret);
});
