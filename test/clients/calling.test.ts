// Who is calling, whatever command was run; and one event that comes by two commands.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { chooseClient, clients } from "../../src/clients/index.ts";
import { silentLog } from "../../src/home/log.ts";
import { createRuntime, type Runtime } from "../../src/runtime/runtime.ts";
import { clientVariables, variablesHeader } from "../../src/server/endpoint.ts";
import { createServer, type Server } from "../../src/server/server.ts";
import { temporaryHome } from "../cli/hook/run-hook.ts";
import { appOptions } from "../server/app-options.ts";

const claude = { transcript_path: "/home/u/.claude/projects/-p/s.jsonl", cwd: "/p" };
const qwen = {
  transcript_path: "/home/u/.qwen/projects/-p/chats/s.jsonl",
  timestamp: "2026-11-22T10:00:00.000Z",
};
const unmarked = { session_id: "s", cwd: "/p" };

test.each([
  ["claude-code", claude, [], "claude-code"],
  ["claude-code", qwen, [], "qwen"],
  // Started in another agent's shell.
  ["claude-code", claude, ["QWEN_PROJECT_DIR"], "claude-code"],
  ["claude-code", unmarked, ["QWEN_PROJECT_DIR"], "qwen"],
  ["claude-code", unmarked, [], "claude-code"],
  ["droid", unmarked, ["QWEN_PROJECT_DIR"], "droid"],
  // The name that was given decides.
  ["qwen", claude, [], "qwen"],
  ["emacs", unmarked, [], undefined],
  ["emacs", qwen, [], undefined],
  ["claude-code", { ...unmarked, timestamp: "2026-11-22T10:00:00.000Z" }, [], "unknown"],
  [
    "claude-code",
    { ...unmarked, timestamp: "2026-11-22T10:00:00.000Z" },
    ["COPILOT_CLI"],
    "copilot",
  ],
  ["claude-code", { ...unmarked, transcript_path: null, model: "gpt-6.1-sol" }, [], "codex"],
  ["claude-code", "no object", [], "claude-code"],
  ["claude-code", null, [], "claude-code"],
  ["claude-code", { transcript_path: 7 }, [], "claude-code"],
])("by the command of %s: %j with %j is %s", (road, payload, variables, client) => {
  expect(chooseClient(road, payload, new Set(variables))?.name).toBe(client);
});

test("the hook command tells of every variable that tells a client", () => {
  const named = [...clients.values()].flatMap(({ variable }) => variable ?? []);
  expect(clientVariables).toEqual(expect.arrayContaining(named));
});

let home = "";
let runtime: Runtime;
let server: Server;
beforeAll(async () => {
  home = await temporaryHome();
  runtime = await createRuntime({ home, log: silentLog, env: { HOME: home } });
  server = createServer({ ...appOptions(), runtime, token: "t" });
});
afterAll(async () => {
  await runtime.stop();
  await rm(home, { recursive: true, force: true });
});

const post = (road: string, payload: object, headers: Record<string, string> = {}) =>
  server.fetch(
    new Request(`http://localhost/hook/${road}`, {
      method: "POST",
      body: JSON.stringify(payload),
      headers,
    }),
  );
async function captured(): Promise<number> {
  const { journal } = await runtime.status();
  if ("error" in journal) throw new Error(journal.error);
  const counts = Object.entries(journal.counters).filter(([name]) => name.startsWith("event:"));
  return counts.reduce((sum, [, count]) => sum + count, 0);
}

test("one event by the client's own command and by Claude Code's counts once, under its own name", async () => {
  const common = { ...qwen, session_id: "two-roads", cwd: home };
  const prompt = {
    ...common,
    hook_event_name: "UserPromptSubmit",
    prompt: "Why is the total wrong?",
    prompt_id: "p########0",
  };
  const used = {
    ...{ ...common, hook_event_name: "PostToolUse", tool_name: "read_file" },
    ...{ tool_input: { file_path: "/p/a.js" }, tool_use_id: "toolu_1", tool_call_id: "call_1" },
    tool_response: { llmContent: "a", returnDisplay: "" },
  };
  for (const payload of [prompt, used])
    for (const road of ["claude-code", "qwen"]) expect((await post(road, payload)).ok).toBe(true);
  expect(await captured()).toBe(2);
  expect(await runtime.drain({ timeoutMs: 60_000, flush: true })).toBe(true);
  const found = (await runtime.hooks.first("storage.prompts", { limit: 9 }))?.result ?? [];
  expect(found.map(({ client, text }) => [client, text])).toEqual([
    ["qwen", "Why is the total wrong?"],
  ]);
});

/** One session of two clients that run Claude Code's hooks: what each hook is told, and how it reads its answer. */
const guests = [
  {
    client: "copilot",
    told: (session: string, event: string, fields: object) => ({
      ...{ hook_event_name: event, session_id: session, cwd: home },
      ...{ timestamp: "2026-11-22T10:00:00.000Z", ...fields },
    }),
    events: [
      ["UserPromptSubmit", { prompt: "Where is the rounding done?" }],
      [
        "PostToolUse",
        {
          ...{ tool_name: "Read", tool_input: { path: "/p/round.js" } },
          tool_result: { result_type: "success", text_result_for_llm: "Math.round(total)" },
        },
      ],
    ],
    start: ["SessionStart", { source: "new", initial_prompt: "Go" }],
    answer: "additionalContext",
  },
  {
    client: "cursor",
    told: (session: string, event: string, fields: object) => ({
      ...{ hook_event_name: event, conversation_id: session, generation_id: "g1", cwd: "" },
      ...{ cursor_version: "2026.07.23", workspace_roots: [home], ...fields },
    }),
    events: [
      ["beforeSubmitPrompt", { prompt: "Where is the discount taken?", attachments: [] }],
      [
        "postToolUse",
        {
          ...{ tool_name: "Read", tool_input: { path: "/p/discount.js" }, tool_use_id: "t1" },
          tool_output: '{"contents":"total * 0.9"}',
        },
      ],
    ],
    start: ["sessionStart", { composer_mode: "agent" }],
    answer: "additional_context",
  },
] as const;

test.each(guests)(
  "by Claude Code's command and its own, an event of $client is one, and is answered in its form",
  async ({ client, told, events, start, answer }) => {
    const before = await captured();
    const setting = { [variablesHeader]: clients.get(client)?.variable ?? "" };
    for (const [event, fields] of events)
      for (const road of ["claude-code", client]) {
        const response = await post(road, told(`by-road-${client}`, event, fields), setting);
        expect([event, road, response.ok]).toEqual([event, road, true]);
      }
    expect((await captured()) - before).toBe(events.length);
    expect(await runtime.drain({ timeoutMs: 60_000, flush: true })).toBe(true);
    const session = `by-road-${client}`;
    const sessions = (await runtime.hooks.first("storage.sessions", { limit: 99 }))?.result ?? [];
    const named = sessions.filter(({ id }) => id === session);
    expect(named.map((session) => session.client)).toEqual([client]);
    // A pinned record is in every context, however little else a session is worth.
    const turns = (await runtime.hooks.first("storage.turns", { session, limit: 1 }))?.result ?? [];
    for (const { id } of turns) await runtime.hooks.first("storage.amend", { id, pinned: true });
    const begun = await post("claude-code", told(`next-of-${client}`, start[0], start[1]), setting);
    expect(begun.status).toBe(200);
    expect(Object.keys((await begun.json()) as object)).toEqual([answer]);
  },
);

test("what is no event of a client's is answered with nothing and kept nowhere", async () => {
  const before = await captured();
  const empty = { ...qwen, session_id: "s", cwd: home, hook_event_name: "UserPromptSubmit" };
  const response = await post("claude-code", { ...empty, prompt: " " });
  expect([response.status, await captured()]).toEqual([204, before]);
});

test("the environment of the hook decides where the payload does not", async () => {
  const start = { session_id: "by-env", cwd: home, hook_event_name: "SessionStart" };
  const sent = { [variablesHeader]: "DROID_PROJECT_DIR OTHER" };
  expect((await post("claude-code", start, sent)).ok).toBe(true);
  const prompt = { ...start, hook_event_name: "UserPromptSubmit", prompt: "Look at the tax." };
  expect((await post("claude-code", prompt, sent)).ok).toBe(true);
  expect(await runtime.drain({ timeoutMs: 60_000, flush: true })).toBe(true);
  const sessions = (await runtime.hooks.first("storage.sessions", { limit: 9 }))?.result ?? [];
  expect(sessions.map(({ id, client }) => [id, client])).toContainEqual(["by-env", "droid"]);
});

/** One session as two clients tell it that run Claude Code's hooks: Grok Build, and one that memoir does not know. */
const strangers = [
  {
    client: "grok",
    common: { hookEventName: "x", sessionId: "of-grok", timestamp: "2026-11-23T18:27:13.8+00:00" },
    transcript: { transcript_path: "/home/u/.grok/sessions/%2Fp/of-grok/updates.jsonl" },
  },
  {
    client: "unknown",
    common: { timestamp: "2026-11-23T18:27:13.8+00:00" },
    transcript: { transcript_path: "/home/u/.other/session.jsonl", timestamp: undefined },
  },
] as const;

test.each(strangers)(
  "a session of $client that runs Claude Code's hooks is one session, whatever an event shows",
  async ({ client, common, transcript }) => {
    const session = { session_id: `of-${client}`, cwd: home, ...common };
    const prompt = { ...session, hook_event_name: "UserPromptSubmit", prompt: "Where is the tax?" };
    const ran = {
      ...{ ...session, ...transcript, hook_event_name: "PostToolUse", tool_use_id: "call_1" },
      ...{ tool_name: "Bash", tool_input: { command: "ls" }, tool_response: { stdout: "a" } },
    };
    const stop = { ...session, ...transcript, hook_event_name: "Stop", reason: "end_turn" };
    for (const payload of [prompt, ran, stop])
      expect((await post("claude-code", payload)).ok).toBe(true);
    expect(await runtime.drain({ timeoutMs: 60_000, flush: true })).toBe(true);
    const sessions = (await runtime.hooks.first("storage.sessions", { limit: 99 }))?.result ?? [];
    const named = sessions.filter(({ id }) => id === `of-${client}`);
    expect(named.map((one) => one.client)).toEqual([client]);
  },
);
