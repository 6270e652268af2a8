// What a client's hooks leave out and its transcript has: ids, the prompt, failed tools, the last words.
import { expect, test } from "bun:test";
import { appendFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createFillIn } from "../../src/backfill/fill-in.ts";
import { adapterNamed } from "../../src/clients/index.ts";
import type { ClientEvent } from "../../src/sdk/events.ts";
import { inFolder } from "../support/in-folder.ts";
import { keptLog } from "../support/kept-log.ts";

const session = "aaaaaaaa-2222-4333-8444-555555555555";
const noon = Date.parse("2026-11-22T12:00:00.000Z");
const at = (seconds: number) => new Date(noon + seconds * 1_000).toISOString();

/** One droid session: its file, grown by hand, and the hooks that it runs. */
async function room(home: string) {
  const folder = join(home, ".factory/sessions/-shop");
  const path = join(folder, `${session}.jsonl`);
  await mkdir(folder, { recursive: true });
  const line = (value: object) => appendFile(path, `${JSON.stringify(value)}\n`);
  const message = (role: string, seconds: number, content: unknown, more: object = {}) =>
    line({
      ...{ type: "message", id: `${role}-${seconds}`, timestamp: at(seconds) },
      message: { role, content, ...more },
    });
  await writeFile(path, "");
  await line({ type: "session_start", id: session, version: 2, cwd: "/shop" });
  const recovered: ClientEvent[] = [];
  const log = keptLog();
  const fillIn = createFillIn({
    runtime: {
      recover: async (events) => {
        recovered.push(...events);
        return events.map(() => "committed" as const);
      },
      workOn: () => {},
    },
    env: { HOME: home },
    log,
    // However busy the machine is.
    waitMs: 60_000,
  });
  const droid = await adapterNamed("droid");
  let count = 0;
  const hook = async (name: string, seconds: number, fields: object = {}) => {
    const payload = { session_id: session, transcript_path: path, cwd: "/shop", ...fields };
    const id = `delivery-${count++}`;
    const event = droid.parse(
      { ...payload, hook_event_name: name },
      { id, time: noon + seconds * 1_000 },
    );
    if (!event) throw new Error("no event");
    return fillIn(event);
  };
  const used = { tool_name: "Execute", tool_input: { command: "npm test" } };
  const use = (id: string, seconds: number) =>
    message("assistant", seconds, [
      { type: "tool_use", id, name: "Execute", input: { command: "npm test" } },
    ]);
  const result = (id: string, seconds: number, content: string, is_error = false) =>
    message("user", seconds, [{ type: "tool_result", tool_use_id: id, content, is_error }]);
  const names = () =>
    recovered.map((event) => [event.name, "toolUseId" in event ? event.toolUseId : ""]);
  return { path, line, message, hook, used, use, result, recovered, names, log };
}

test("a tool use gets the transcript's id, and a prompt that no hook told of is taken in before it", () =>
  inFolder(async (home) => {
    const { message, hook, used, use, result, recovered, names } = await room(home);
    await hook("SessionStart", 0, { source: "startup" });
    await message("user", 1, [{ type: "text", text: "Make the tests pass." }]);
    await use("call_1", 2);
    const before = await hook("PreToolUse", 2, used);
    expect(before).toMatchObject({
      toolUseId: "call_1",
      key: `droid:${session}:PreToolUse:call_1`,
    });
    expect(recovered).toMatchObject([{ name: "UserPromptSubmit", prompt: "Make the tests pass." }]);
    const after = await hook("PostToolUse", 3, { ...used, tool_response: "12 passing" });
    expect(after).toMatchObject({
      toolUseId: "call_1",
      key: `droid:${session}:PostToolUse:call_1`,
    });
    await result("call_1", 3, "12 passing");
    await hook("Stop", 4);
    // The transcript tells of it under the same key: the journal knows it.
    expect(names()).toEqual([
      ["UserPromptSubmit", ""],
      ["PostToolUse", "call_1"],
    ]);
    expect(recovered[1]?.key).toBe(`droid:${session}:PostToolUse:call_1`);
  }));

test("a failed tool that no hook told of is taken in, with its exit code", () =>
  inFolder(async (home) => {
    const { hook, used, use, result, recovered } = await room(home);
    await hook("SessionStart", 0);
    await use("call_1", 1);
    await hook("PreToolUse", 1, used);
    await result(
      "call_1",
      2,
      "Error: Command failed (exit code: 3)\n1 failing\n\n[Process exited with code 3]",
      true,
    );
    await use("call_2", 3);
    const again = await hook("PreToolUse", 3, used);
    expect(again).toMatchObject({ toolUseId: "call_2" });
    expect(recovered).toMatchObject([
      { name: "PostToolUseFailure", toolUseId: "call_1", error: "Exit code 3\n1 failing" },
    ]);
  }));

test("the same hook twice is one event, the same command twice is two", () =>
  inFolder(async (home) => {
    const { hook, used, use } = await room(home);
    await use("call_1", 1);
    const told = { ...used, tool_response: "ok" };
    const keys = [await hook("PostToolUse", 1, told), await hook("PostToolUse", 1, told)];
    expect(new Set(keys.map(({ key }) => key)).size).toBe(1);
    await use("call_2", 2);
    expect((await hook("PostToolUse", 2, told)).key).toEndWith(":call_2");
  }));

test("the last words come from the transcript, and what was before the first hook stays there", () =>
  inFolder(async (home) => {
    const { message, hook, recovered } = await room(home);
    await message("user", -3_600, [{ type: "text", text: "An hour ago." }]);
    await message("assistant", -3_590, [{ type: "text", text: "Long done." }]);
    await message("user", 1, [{ type: "text", text: "Now." }]);
    await message("assistant", 2, [{ type: "text", text: "Done: it adds." }]);
    await hook("SessionStart", 1);
    expect(await hook("Stop", 3)).toMatchObject({ lastAssistantMessage: "Done: it adds." });
    expect(recovered).toMatchObject([{ prompt: "Now." }]);
  }));

test("a transcript that is missing, torn or elsewhere leaves the event as it came", () =>
  inFolder(async (home) => {
    const { path, hook, used, recovered, log } = await room(home);
    await writeFile(path, '{"type":"message","mess');
    expect(await hook("PreToolUse", 1, used)).toMatchObject({ toolUseId: "delivery-0" });
    const elsewhere = { transcript_path: join(home, "gone.jsonl") };
    expect(await hook("Stop", 1, { ...elsewhere, session_id: "other" })).toMatchObject({
      name: "Stop",
    });
    expect([recovered, log.lines]).toEqual([[], []]);
  }));

/** One Codex session: its hooks have ids and prompts, and no word of how a command ended. */
async function codexRoom(home: string, of = session) {
  const folder = join(home, ".codex/sessions/2026/11/22");
  const path = join(folder, `rollout-2026-11-22T12-00-00-${of}.jsonl`);
  await mkdir(folder, { recursive: true });
  const line = (seconds: number, type: string, payload: object) =>
    appendFile(path, `${JSON.stringify({ timestamp: at(seconds), type, payload })}\n`);
  await line(0, "session_meta", { id: session, cwd: "/shop" });
  const recovered: ClientEvent[] = [];
  const recover = async (events: readonly ClientEvent[]) => {
    recovered.push(...events);
    return events.map(() => "committed" as const);
  };
  const log = keptLog();
  const fillIn = createFillIn({
    runtime: { recover, workOn: () => {} },
    env: { HOME: home },
    ...{ log, waitMs: 60_000 },
  });
  const codex = await adapterNamed("codex");
  const hook = async (name: string, seconds: number, fields: object = {}) => {
    const common = { session_id: session, transcript_path: path, cwd: "/shop", turn_id: "t1" };
    const payload = { ...common, hook_event_name: name, ...fields };
    const delivery = { id: `delivery-${name}-${seconds}`, time: noon + seconds * 1_000 };
    const event = await codex.parse(payload, delivery);
    if (!event) throw new Error("no event");
    return fillIn(event);
  };
  const call = (id: string, seconds: number, command: string) =>
    line(seconds, "response_item", {
      ...{ type: "function_call", name: "exec_command", call_id: id },
      arguments: JSON.stringify({ cmd: command }),
    });
  const end = (id: string, seconds: number, exit_code: number, aggregated_output: string) =>
    line(seconds, "event_msg", {
      type: "item_completed",
      item: { type: "CommandExecution", id, status: "failed", exit_code, aggregated_output },
    });
  const used = (id: string, command: string) => ({
    ...{ tool_name: "Bash", tool_input: { command }, tool_use_id: id },
  });
  return { line, hook, call, end, used, recovered, log };
}

test("a command that its hook told of ended as the transcript says, under the same key", () =>
  inFolder(async (home) => {
    const { hook, call, end, used, recovered, log } = await codexRoom(home);
    await hook("SessionStart", 0, { source: "startup" });
    await call("c1", 1, "npm test");
    await hook("PreToolUse", 1, used("c1", "npm test"));
    await end("c1", 2, 3, "1 failing");
    const told = { ...used("c1", "npm test"), tool_response: "1 failing" };
    expect(await hook("PostToolUse", 2, told)).toEqual({
      ...{ id: "delivery-PostToolUse-2", key: `codex:${session}:PostToolUseFailure:c1` },
      ...{ client: "codex", session, time: noon + 2_000, cwd: "/shop", promptId: "t1" },
      transcriptPath: expect.stringContaining("rollout-"),
      ...{ name: "PostToolUseFailure", toolName: "Bash", toolUseId: "c1" },
      ...{ toolInput: { command: "npm test" }, error: "Exit code 3\n1 failing" },
      isInterrupt: false,
    });
    expect([recovered, log.lines]).toEqual([[], []]);
  }));

test("of two commands beside each other the later hook has its outcome still", () =>
  inFolder(async (home) => {
    const { hook, call, end, used, recovered } = await codexRoom(home);
    await hook("SessionStart", 0, { source: "startup" });
    await call("c1", 1, "one");
    await call("c2", 1, "two");
    await end("c1", 2, 1, "");
    await end("c2", 2, 2, "");
    const other = await hook("PostToolUse", 3, { ...used("c2", "two"), tool_response: "" });
    expect(other).toMatchObject({ error: "Exit code 2" });
    // Until its own hook comes the first one counts as told by nobody: the journal knows its key then.
    expect(recovered).toMatchObject([{ key: `codex:${session}:PostToolUseFailure:c1` }]);
    const one = await hook("PostToolUse", 3, { ...used("c1", "one"), tool_response: "" });
    expect(one).toMatchObject({ error: "Exit code 1", key: recovered[0]?.key });
    expect(recovered).toHaveLength(1);
  }));

test("a prompt that the hooks told of is not told again; a tool that only began is, when it ended", () =>
  inFolder(async (home) => {
    const { line, hook, call, end, used, recovered } = await codexRoom(home);
    await hook("SessionStart", 0, { source: "startup" });
    await hook("UserPromptSubmit", 1, { prompt: "Serve it." });
    await line(1, "event_msg", {
      ...{ type: "item_completed", turn_id: "t1" },
      item: { type: "UserMessage", id: "u1", content: [{ type: "text", text: "Serve it, now." }] },
    });
    await call("c1", 2, "npm start");
    await hook("PreToolUse", 2, used("c1", "npm start"));
    await line(3, "response_item", {
      ...{ type: "function_call_output", call_id: "c1" },
      output: "Wall time: 0.5 seconds\nProcess running with session ID 7\nOutput:\nlistening\n",
    });
    await hook("PreToolUse", 4, used("c2", "ls"));
    expect(recovered).toEqual([]);
    await end("c1", 5, 143, "listening\n");
    await hook("Stop", 6, { last_assistant_message: "It ran." });
    expect(recovered).toMatchObject([{ toolUseId: "c1", error: "Exit code 143\nlistening\n" }]);
  }));

test("a subagent's command ends as its own transcript says, and stays the subagent's", () =>
  inFolder(async (home) => {
    const agent_id = "bbbbbbbb-2222-4333-8444-555555555555";
    const { hook, call, end, used, recovered } = await codexRoom(home, agent_id);
    await call("c1", 1, "one");
    await hook("PreToolUse", 1, { ...used("c1", "one"), agent_id });
    await end("c1", 2, 5, "sub");
    const told = await hook("PostToolUse", 2, {
      ...used("c1", "one"),
      agent_id,
      tool_response: "",
    });
    expect(told).toMatchObject({ error: "Exit code 5\nsub", agent: { id: agent_id } });
    // The session's transcript is another one.
    expect([told.transcriptPath, recovered]).toEqual([undefined, []]);
  }));

/** One Copilot session: its hooks have no ids and no path, and its lines come late. */
async function copilotRoom(home: string, waitMs = 60_000) {
  const folder = join(home, ".copilot/session-state", session);
  const path = join(folder, "events.jsonl");
  await mkdir(folder, { recursive: true });
  const line = (type: string, seconds: number, data: object) =>
    appendFile(
      path,
      `${JSON.stringify({ type, data, id: `l${seconds}`, timestamp: at(seconds) })}\n`,
    );
  await line("session.start", 0, { sessionId: session, context: { cwd: "/shop" } });
  const recovered: ClientEvent[] = [];
  const recover = async (events: readonly ClientEvent[]) => {
    recovered.push(...events);
    return events.map(() => "committed" as const);
  };
  const log = keptLog();
  const runtime = { recover, workOn: () => {} };
  const fillIn = createFillIn({ runtime, env: { HOME: home }, log, waitMs });
  const copilot = await adapterNamed("copilot");
  const shared = (seconds: number) => ({
    ...{ sessionId: session, cwd: "/shop", timestamp: noon + seconds * 1_000 },
  });
  const hook = async (seconds: number, fields: object) => {
    const delivery = { id: `delivery-${seconds}`, time: noon + seconds * 1_000 };
    const event = await copilot.parse({ ...shared(seconds), ...fields }, delivery);
    if (!event) throw new Error("no event");
    return fillIn(event);
  };
  /** What Copilot writes down of a hook that it runs. */
  const ran = (hookType: string, seconds: number, fields: object) =>
    line("hook.start", seconds, { hookType, input: { ...shared(seconds), ...fields } });
  const command = { toolName: "bash", toolArgs: { command: "npm test" } };
  const ended = { ...command, toolResult: { textResultForLlm: "ok", resultType: "success" } };
  const asked = (id: string, seconds: number) =>
    line("assistant.message", seconds, {
      ...{ messageId: `m${seconds}`, content: "I run it." },
      toolRequests: [{ toolCallId: id, name: "bash", arguments: { command: "npm test" } }],
    });
  const done = (toolCallId: string, seconds: number) =>
    line("tool.execution_complete", seconds, {
      ...{ toolCallId, success: true, result: { content: "ok" } },
    });
  return { path, line, hook, ran, ended, asked, done, recovered, log };
}

test("the last words are waited for where a client writes them after it ran its hook", () =>
  inFolder(async (home) => {
    const { path, line, hook, ran, recovered, log } = await copilotRoom(home);
    const stop = { stopReason: "end_turn" };
    await line("user.message", 1, { content: "Go" });
    await line("assistant.message", 2, { content: "I look." });
    const told = hook(5, stop);
    await line("assistant.message", 4, { content: "Done: it adds." });
    await ran("agentStop", 5, stop);
    expect(await told).toMatchObject({
      ...{ lastAssistantMessage: "Done: it adds.", transcriptPath: path },
    });
    expect([recovered, log.lines]).toEqual([[], []]);
  }));

test("they are waited for where the file itself comes after the hook", () =>
  inFolder(async (home) => {
    const { path, line, hook, ran } = await copilotRoom(home);
    const begun = await readFile(path);
    await rm(path);
    const stop = { stopReason: "end_turn" };
    const told = hook(5, stop);
    await writeFile(path, begun);
    await line("user.message", 1, { content: "Go" });
    await line("assistant.message", 4, { content: "Done: it adds." });
    await ran("agentStop", 5, stop);
    expect(await told).toMatchObject({ lastAssistantMessage: "Done: it adds." });
  }));

test("last words that never come leave the event as it came", () =>
  inFolder(async (home) => {
    const { hook } = await copilotRoom(home, 1);
    expect(await hook(5, { stopReason: "end_turn" })).not.toHaveProperty("lastAssistantMessage");
  }));

test("a tool use has the id in its transcript that its hook's event has, each time anew", () =>
  inFolder(async (home) => {
    const { hook, ran, ended, asked, done, recovered } = await copilotRoom(home);
    const keys: string[] = [];
    for (const seconds of [1, 4]) {
      await asked(`call_${seconds}`, seconds);
      keys.push((await hook(seconds + 1, ended)).key);
      await ran("postToolUse", seconds + 1, ended);
      await done(`call_${seconds}`, seconds + 2);
    }
    await ran("agentStop", 8, {});
    await hook(8, { stopReason: "end_turn" });
    expect(new Set(keys).size).toBe(2);
    // The journal knows them by their keys.
    expect(recovered.map(({ key }) => key)).toEqual(keys);
  }));

test("a tool use that no hook told of keeps its transcript's id", () =>
  inFolder(async (home) => {
    const { hook, ran, asked, done, recovered } = await copilotRoom(home);
    await asked("call_1", 1);
    await done("call_1", 2);
    await ran("agentStop", 3, {});
    await hook(3, { stopReason: "end_turn" });
    expect(recovered).toMatchObject([{ toolUseId: "call_1", toolResponse: { stdout: "ok" } }]);
  }));
