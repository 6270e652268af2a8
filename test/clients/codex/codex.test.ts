// Codex's payloads and transcripts in the normal form, and what it is answered.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sessionsIn } from "../../../src/backfill/plan.ts";
import { adapter as codexAdapter } from "../../../src/clients/codex/index.ts";
import { chooseClient } from "../../../src/clients/index.ts";
import type { ClientEvent } from "../../../src/sdk/events.ts";
import { recordOf } from "../../../src/text/text.ts";
import { expectGolden } from "../../support/golden.ts";
import { inFolder } from "../../support/in-folder.ts";
import { clientSuite, transcriptEvents } from "../suite.ts";

const folder = import.meta.dirname;
const schemasPath = join(
  folder,
  "../../../../shared/data/other-clients/codex/_schemas-0.169.0.json",
);

clientSuite({ client: "codex", folder, recorded: "codex" });

const common = { session_id: "s1", cwd: "/shop", transcript_path: null };

function eventOf(name: string, fields: object = {}): ClientEvent {
  const payload = { ...common, hook_event_name: name, turn_id: "t1", ...fields };
  const event = codexAdapter.parse(payload, { id: "delivery-1", time: 1 });
  if (!event) throw new Error("no event");
  return event;
}

const used = { tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: "call_1" };
/** Every event that Codex tells of, and what its answer may hold. */
const events: ReadonlyArray<[string, object]> = [
  ["SessionStart", { source: "startup" }],
  ["UserPromptSubmit", { prompt: "Go." }],
  ["PreToolUse", used],
  ["PermissionRequest", used],
  ["PostToolUse", { ...used, tool_response: "a" }],
  ["PreCompact", { trigger: "auto" }],
  ["PostCompact", { trigger: "auto" }],
  ["SubagentStart", { agent_id: "a1" }],
  ["SubagentStop", { agent_id: "a1" }],
  ["Stop", {}],
  ["Interrupt", {}],
  ["SessionEnd", { reason: "other" }],
];
const full = { context: "known", systemMessage: "hi", updatedToolOutput: { stdout: "" } };

describe("answers", () => {
  test("each event gets what Codex takes for it, and nothing beside", () => {
    const answers = events.map(([name, fields]) => [
      name,
      codexAdapter.render(eventOf(name, fields), full),
    ]);
    const context = (hookEventName: string) => ({
      systemMessage: "hi",
      hookSpecificOutput: { hookEventName, additionalContext: "known" },
    });
    const taking = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse"];
    const told = [...taking, "SubagentStart"].map((name) => [name, context(name)]);
    const message = { systemMessage: "hi" };
    expect(Object.fromEntries(answers.filter(([, answer]) => answer))).toEqual({
      ...Object.fromEntries(told),
      ...{ Stop: message, SubagentStop: message },
    });
  });

  test.skipIf(!existsSync(schemasPath))("they keep to Codex's own schemas", () => {
    const schemas: Array<{ title: string; properties: object; definitions?: object }> = JSON.parse(
      readFileSync(schemasPath, "utf8"),
    );
    for (const [name, fields] of events) {
      const answer = codexAdapter.render(eventOf(name, fields), full) ?? {};
      const title = `${name.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase()}.command.output`;
      const schema = schemas.find((one) => one.title === title);
      const known = Object.keys(schema?.properties ?? {});
      for (const key of Object.keys(answer))
        expect([name, known]).toEqual([name, expect.arrayContaining([key])]);
      const own = Object.entries(schema?.definitions ?? {}).find(([key]) =>
        key.includes("HookSpecificOutput"),
      );
      const inner = Object.keys(own?.[1].properties ?? {});
      for (const key of Object.keys((answer.hookSpecificOutput as object | undefined) ?? {}))
        expect([name, inner]).toEqual([name, expect.arrayContaining([key])]);
    }
  });

  test("a tool that the transcript says failed is answered under the name of its hook", () => {
    const failed = {
      ...eventOf("PostToolUse", { ...used, tool_response: "" }),
      error: "Exit code 1",
    };
    const event = { ...failed, name: "PostToolUseFailure", isInterrupt: false } as ClientEvent;
    expect(codexAdapter.render(event, { context: "known" })).toEqual({
      hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "known" },
    });
  });

  test("a session that goes on has its context still; a compaction took it away", () => {
    const answer = (source: string) =>
      codexAdapter.render(eventOf("SessionStart", { source }), { context: "known" });
    expect(["resume", "fork"].map(answer)).toEqual([undefined, undefined]);
    for (const source of ["startup", "clear", "compact"]) expect(answer(source)).toBeDefined();
  });

  test("context is what 2,500 tokens hold, counted in bytes, and never half a character", () => {
    const answer = codexAdapter.render(eventOf("UserPromptSubmit", { prompt: "Go." }), {
      context: "é€𝄞".repeat(3_000),
    });
    const { additionalContext } = recordOf(answer?.hookSpecificOutput);
    const given = String(additionalContext);
    expect(Buffer.byteLength(given)).toBeWithin(9_990, 10_001);
    expect(given.isWellFormed()).toBe(true);
  });

  test("nothing to say is nothing to print", () => {
    for (const [name, fields] of events)
      expect(codexAdapter.render(eventOf(name, fields), { context: " \n" })).toBeUndefined();
  });
});

test("a turn's id shows Codex where it keeps no transcript; the same prompt by two roads is one", () => {
  const payload = { ...common, hook_event_name: "Stop", turn_id: "t1" };
  expect(chooseClient("claude-code", payload, new Set())?.name).toBe("codex");
  const key = (id: string, prompt: string) =>
    codexAdapter.parse({ ...payload, hook_event_name: "UserPromptSubmit", prompt }, { id, time: 1 })
      ?.key;
  expect(key("one", "Go.")).toBe(key("other", "Go.\n"));
  expect(key("one", "Go.")).not.toBe(key("one", "Stop."));
});

test("a session as events: a patch of four files, one that failed, a command that went on", async () => {
  const path = join(folder, "fixtures/session.jsonl");
  const told = await transcriptEvents(codexAdapter, [readFileSync(path)], path);
  await expectGolden(join(folder, "normal/session.txt"), `${JSON.stringify(told, undefined, 1)}\n`);
});

test("code mode: what a script ran are the uses, with how each ended; the script itself is none", async () => {
  const path = join(folder, "fixtures/code-mode.jsonl");
  const told = await transcriptEvents(codexAdapter, [readFileSync(path)], path);
  const uses = told.flatMap((event) => ("toolName" in event ? [event] : []));
  expect(uses.filter(({ toolName }) => /^(?:exec|wait)$/.test(toolName))).toEqual([]);
  expect(uses.map(({ toolUseId }) => toolUseId)).toEqual([
    ...new Set(uses.map(({ toolUseId }) => toolUseId)),
  ]);
  const failed = uses.flatMap((event) =>
    event.name === "PostToolUseFailure" ? [event.error.split("\n")[0]] : [],
  );
  expect(failed.slice(0, 2)).toEqual(["Exit code 5", "Exit code 6"]);
  await expectGolden(
    join(folder, "normal/code-mode.txt"),
    `${JSON.stringify(told, undefined, 1)}\n`,
  );
});

test("a subagent's file is no session of its own", () =>
  inFolder(async (home) => {
    const head = {
      id: "x",
      cwd: "/shop",
      thread_source: "subagent",
      base_instructions: "y".repeat(20_000),
    };
    const meta = (source: string) =>
      JSON.stringify({ type: "session_meta", payload: { ...head, thread_source: source } });
    await mkdir(join(home, "sessions/2026"), { recursive: true });
    const time = "2026-11-22T12-00-00";
    for (const [name, source] of [
      ["mine", "user"],
      ["sub", "subagent"],
    ] as const)
      await writeFile(
        join(home, `sessions/2026/rollout-${time}-${name}.jsonl`),
        `${meta(source)}\n`,
      );
    await writeFile(join(home, `sessions/2026/rollout-${time}-empty.jsonl`), "");
    const found = await sessionsIn(join(home, "sessions"), "codex");
    expect(found.map((one) => one.session).sort()).toEqual(["empty", "mine"]);
  }));

test("older sessions: calls of a shell, results with an exit code in JSON, prompts by themselves", async () => {
  const lines = [
    ["session_meta", { id: "s1", cwd: "/shop" }],
    [
      "response_item",
      {
        type: "message",
        role: "user",
        content: [{ type: "input_text", text: "<environment_context>" }],
      },
    ],
    ["event_msg", { type: "user_message", message: "Run the tests" }],
    [
      "response_item",
      {
        type: "function_call",
        name: "shell",
        call_id: "c1",
        arguments: '{"command":["bash","-lc","npm test"]}',
      },
    ],
    [
      "response_item",
      {
        type: "function_call_output",
        call_id: "c1",
        output: '{"output":"1 failing\\n","metadata":{"exit_code":1}}',
      },
    ],
    [
      "response_item",
      {
        type: "function_call",
        name: "shell",
        call_id: "c2",
        arguments: '{"command":["git","status"]}',
      },
    ],
    [
      "response_item",
      {
        type: "function_call_output",
        call_id: "c2",
        output: "Exit code: 0\nWall time: 0.1 seconds\nOutput:\nExit code: 5\n",
      },
    ],
  ].map(([type, payload]) => JSON.stringify({ timestamp: "2026-01-01T00:00:00Z", type, payload }));
  const events = await transcriptEvents(
    codexAdapter,
    [Buffer.from(`${lines.join("\n")}\n`)],
    "old",
  );
  expect(events).toMatchObject([
    { name: "SessionStart" },
    { name: "UserPromptSubmit", prompt: "Run the tests" },
    { toolInput: { command: "npm test" }, error: "Exit code 1\n1 failing\n" },
    { toolInput: { command: "git status" }, toolResponse: { stdout: "Exit code: 5\n" } },
    { name: "Stop" },
    { name: "SessionEnd" },
  ]);
});
