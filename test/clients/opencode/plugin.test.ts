// memoir's plugin inside OpenCode: what it puts where, and that nothing it meets stops or breaks OpenCode.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  openCodeRegistration,
  adapter as opencodeAdapter,
  pluginText,
} from "../../../src/clients/opencode/index.ts";
import { bent } from "../../torture/odd-values.ts";
import { torture, tortureMs } from "../../torture/seeds.ts";
import { type Hooks, loadHooks, loadWith, placeOf } from "./loaded-plugin.ts";

type Json = Record<string, unknown>;

const session = "ses_1";
const message = { id: "msg_1", role: "user", agent: "build", model: { modelID: "m" } };

function prompt(text = "Why?", sessionID = session) {
  const part = { id: "prt_1", sessionID, messageID: message.id, type: "text", text };
  return { input: { sessionID }, output: { message, parts: [part] as Json[] } };
}

const created = (id: string, parentID?: string) => ({
  event: { type: "session.created", properties: { info: { id, parentID } } },
});

/** The plugin with a program that answers by the event's name. */
async function room(answers: Json, more: Json = {}) {
  const payloads: Json[] = [];
  const hooks = await loadWith(
    { payloads, answer: ({ hook_event_name: name }) => answers[String(name)] },
    more,
  );
  const call = (name: string, input?: unknown, output?: unknown) => {
    const hook = hooks[name];
    if (!hook) throw new Error(`no hook ${name}`);
    return hook(input, output);
  };
  const names = () => payloads.map(({ hook_event_name: name }) => name);
  return { payloads, names, call, hooks };
}

describe("what a model is told", () => {
  const known = { SessionStart: { context: "SESSION" }, UserPromptSubmit: { context: "PROMPT" } };

  test("a new session: all of it in the last entry of the system prompt, and nothing in the prompt", async () => {
    const { call, names } = await room(known);
    await call("event", created(session));
    const { input, output } = prompt();
    await call("chat.message", input, output);
    expect(output.parts).toHaveLength(1);
    expect(names()).toEqual(["SessionStart", "UserPromptSubmit"]);
    const system = ["You are an agent.", "Rules."];
    await call("experimental.chat.system.transform", { sessionID: session }, { system });
    expect(system).toEqual(["You are an agent.", "Rules.\n\nSESSION\n\nPROMPT"]);
  });

  test("each later prompt: a part that stands after it, and the system prompt stays as it is", async () => {
    const { call, names } = await room(known);
    await call("event", created(session));
    const first = prompt();
    await call("chat.message", first.input, first.output);
    const { input, output } = prompt("And now?");
    await call("chat.message", input, output);
    const [own, added] = output.parts;
    expect(added).toEqual({
      ...{ id: "prt_1m", sessionID: session, messageID: "msg_1" },
      ...{ type: "text", text: "PROMPT", synthetic: true },
    });
    expect(String(added?.id) > String(own?.id)).toBe(true);
    expect(names()).toEqual(["SessionStart", "UserPromptSubmit", "UserPromptSubmit"]);
    const system = ["Rules."];
    await call("experimental.chat.system.transform", { sessionID: session }, { system });
    expect(system).toEqual(["Rules.\n\nSESSION\n\nPROMPT"]);
  });

  test("a session that goes on begins anew in another process", async () => {
    const { call, payloads } = await room(known);
    const { input, output } = prompt();
    await call("chat.message", input, output);
    expect(payloads[0]).toMatchObject({ hook_event_name: "SessionStart", source: "resume" });
    expect(output.parts).toHaveLength(2);
  });

  test("a conversation that was summed up is told anew, with its own past", async () => {
    const { call, payloads } = await room(known);
    const { input, output } = prompt();
    await call("chat.message", input, output);
    await call("event", {
      event: { type: "session.compacted", properties: { sessionID: session } },
    });
    await call("dispose");
    expect(payloads.map((one) => [one.hook_event_name, one.source])).toEqual([
      ["SessionStart", "resume"],
      ["UserPromptSubmit", undefined],
      ["PostCompact", undefined],
      ["SessionStart", "compact"],
      ["Stop", undefined],
      ["SessionEnd", undefined],
    ]);
    const system = ["Rules."];
    await call("experimental.chat.system.transform", { sessionID: session }, { system });
    expect(system).toEqual(["Rules.\n\nSESSION"]);
  });

  test("titles, summaries, other sessions and requests of no session are left alone", async () => {
    const { call } = await room(known);
    const { input, output } = prompt();
    await call("chat.message", input, output);
    for (const [sessionID, first] of [
      [session, "You are a title generator. You output ONLY a thread title."],
      [session, "You are a context summarization agent."],
      ["ses_2", "Rules."],
      [undefined, "Rules."],
    ]) {
      const system = [first];
      await call("experimental.chat.system.transform", { sessionID }, { system });
      expect(system).toEqual([first]);
    }
  });

  test("a tool's result becomes what memoir says, with what it adds", async () => {
    const { call } = await room({ PostToolUse: { output: "short", context: "seen before" } });
    const input = { tool: "bash", sessionID: session, callID: "call_1", args: {} };
    const own = { title: "", output: "long", metadata: {} };
    await call("tool.execute.after", input, own);
    expect(own.output).toBe("short\n\nseen before");
    const servers = { content: [{ type: "text", text: "long" }] };
    await call("tool.execute.after", { ...input, tool: "s_t" }, servers);
    expect(servers.content).toEqual([
      { type: "text", text: "short" },
      { type: "text", text: "seen before" },
    ]);
  });
});

describe("whose work it is", () => {
  test("a subagent's is the session's that began it, and its task is no prompt", async () => {
    const { call, payloads, names } = await room({});
    await call("event", created(session));
    await call("event", created("ses_2", session));
    await call("event", created("ses_3", "ses_2"));
    const { input, output } = prompt("Look.", "ses_3");
    await call("chat.message", input, output);
    const use = { tool: "bash", sessionID: "ses_3", callID: "call_1", args: {} };
    await call("tool.execute.after", use, { output: "x", metadata: {} });
    await call("event", { event: { type: "session.idle", properties: { sessionID: "ses_3" } } });
    await call("dispose");
    expect(names()).toEqual(["SubagentStart", "SubagentStart", "PostToolUse", "SubagentStop"]);
    for (const payload of payloads.slice(1))
      expect(payload).toMatchObject({ session_id: session, agent_id: "ses_3" });
  });

  test("so it is where the subagent goes on in another process", async () => {
    const get = async () => ({ data: { parentID: session } });
    const { call, payloads } = await room({}, { client: { session: { get } } });
    const { input, output } = prompt("Go on.", "ses_2");
    await call("chat.message", input, output);
    const use = { tool: "bash", sessionID: "ses_2", callID: "call_1", args: {} };
    await call("tool.execute.after", use, { output: "x", metadata: {} });
    expect(payloads).toHaveLength(1);
    expect(payloads[0]).toMatchObject({ session_id: session, agent_id: "ses_2" });
  });

  test("the last words are the agent's, of its last message", async () => {
    const { call, payloads } = await room({});
    const { input, output } = prompt();
    await call("chat.message", input, output);
    const says = (messageID: string, id: string, text: string, synthetic?: boolean) =>
      call("event", {
        event: {
          type: "message.part.updated",
          properties: {
            part: { type: "text", sessionID: session, messageID, id, text, synthetic },
          },
        },
      });
    await says("msg_1", "prt_1", "Why?");
    await says("msg_2", "prt_2", "I look.");
    await says("msg_3", "prt_3", "It");
    await says("msg_3", "prt_3", "It was a slip.");
    await says("msg_3", "prt_4", "Mended.");
    await says("msg_4", "prt_5", "not said", true);
    const status = { sessionID: session, status: { type: "idle" } };
    await call("event", { event: { type: "session.status", properties: status } });
    await call("event", { event: { type: "session.idle", properties: { sessionID: session } } });
    await call("dispose");
    expect(
      payloads.slice(2).map((one) => [one.hook_event_name, one.last_assistant_message]),
    ).toEqual([
      ["Stop", "It was a slip.\nMended."],
      ["SessionEnd", undefined],
    ]);
  });

  test("a prompt that was broken off before the agent said anything has no last words", async () => {
    const { call, payloads } = await room({});
    const stopped = { event: { type: "session.idle", properties: { sessionID: session } } };
    const part = {
      type: "text",
      sessionID: session,
      messageID: "msg_2",
      id: "prt_2",
      text: "Done.",
    };
    for (const properties of [{ part }, undefined]) {
      const { input, output } = prompt();
      await call("chat.message", input, output);
      if (properties) await call("event", { event: { type: "message.part.updated", properties } });
      await call("event", stopped);
    }
    await call("dispose");
    const stops = payloads.filter((one) => one.hook_event_name === "Stop");
    expect(stops.map((one) => one.last_assistant_message)).toEqual(["Done.", undefined]);
  });

  test("a failed tool is told once, before what comes after it", async () => {
    const { call, names } = await room({});
    const state = { status: "error", input: {}, error: "File not found" };
    const part = { type: "tool", sessionID: session, tool: "read", callID: "call_1", state };
    const failed = { event: { type: "message.part.updated", properties: { part } } };
    await call("event", failed);
    await call("event", failed);
    const use = { tool: "bash", sessionID: session, callID: "call_2" };
    await call("tool.execute.before", use, { args: {} });
    expect(names()).toEqual(["PostToolUseFailure", "PreToolUse"]);
  });
});

describe("its MCP server", () => {
  const named = async (mcp: unknown) => {
    const { call } = await room({});
    const config: Json = { mcp };
    await call("config", config);
    return config.mcp;
  };
  const own = { type: "local", command: ["/opt/memoir/bin/memoir", "mcp"], enabled: true };

  test("is named beside others", async () => {
    expect(await named(undefined)).toEqual({ memoir: own });
    expect(await named({ a: { type: "remote" } })).toEqual({ a: { type: "remote" }, memoir: own });
  });

  test("gives way to what the person wrote", async () => {
    expect(await named({ memoir: { enabled: false } })).toEqual({ memoir: { enabled: false } });
  });

  test("is told of a home that is not the usual one", () => {
    const text = pluginText({ ...placeOf("/b/memoir"), home: "/h" });
    expect(text).toContain('"MEMOIR_HOME": "/h"');
    expect(text).toContain('"--home",\n    "/h"');
  });
});

test("doctor says when OpenCode still has to fetch what it wants for plugins", async () => {
  const home = await mkdtemp(join(tmpdir(), "memoir-opencode-"));
  const place = { ...placeOf("/opt/memoir/bin/memoir"), env: { HOME: home } };
  const [finding] = (await openCodeRegistration.look?.(place)) ?? [];
  expect([finding?.state, finding?.message]).toEqual([
    "warn",
    expect.stringContaining("npm registry"),
  ]);
  const config = join(home, ".config/opencode");
  await mkdir(join(config, "node_modules/@opencode-ai/plugin"), { recursive: true });
  expect(await openCodeRegistration.look?.(place)).toEqual([]);
  await rm(home, { recursive: true });
});

describe("nothing stops or breaks OpenCode", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "memoir-plugin-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** The plugin with a real program. */
  async function running(script: string | undefined, seconds?: number): Promise<Hooks> {
    const binary = join(folder, "memoir");
    if (script !== undefined) await writeFile(binary, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return loadHooks(pluginText(placeOf(binary, seconds)), {
      client: { session: { get: () => Promise.reject(new Error("away")) } },
      directory: folder,
    });
  }

  async function parts(hooks: Hooks): Promise<unknown[]> {
    const { input, output } = prompt();
    await hooks["chat.message"]?.(input, output);
    await hooks.dispose?.();
    return output.parts.slice(1).map(({ text }) => text);
  }

  const context = `echo '{"context":"known"}'`;

  test("a program that answers", async () => {
    expect(await parts(await running(`cat > ${folder}/payload; ${context}`))).toEqual(["known"]);
    expect(JSON.parse(await readFile(join(folder, "payload"), "utf8"))).toMatchObject({
      hook_event_name: "SessionEnd",
    });
  });

  test("one that is not there", async () => {
    expect(await parts(await running(undefined))).toEqual([]);
  });

  test("one that reads nothing, prints no JSON, or fails", async () => {
    expect(await parts(await running("exec <&-; echo known"))).toEqual([]);
    expect(await parts(await running("echo 3; exit 9"))).toEqual([]);
    expect(await parts(await running("kill -9 $$"))).toEqual([]);
  });

  test("one that never ends", async () => {
    expect(await parts(await running("exec sleep 60", 0.05))).toEqual([]);
  });

  test("one whose own child holds its stdout", async () => {
    const holds = `sleep 60 & echo $! >> ${folder}/pids`;
    expect(await parts(await running(`${holds}; ${context}`))).toEqual(["known"]);
    expect(await parts(await running(holds))).toEqual([]);
    const pids = (await readFile(join(folder, "pids"), "utf8")).trim().split("\n").map(Number);
    expect(pids).toHaveLength(8);
    for (const pid of pids) process.kill(pid);
  });

  test(
    "whatever OpenCode hands it",
    async () => {
      const { hooks } = await room({ UserPromptSubmit: { context: "known" } });
      const part = { type: "tool", sessionID: "s", state: { status: "error" }, callID: "c" };
      const usual: Json = {
        sessionID: "s",
        tool: "bash",
        callID: "c",
        args: { command: "x" },
        event: { type: "message.part.updated", properties: { part } },
        ...{ message, parts: [{ id: "p", type: "text", text: "t" }], system: ["x"] },
        ...{ output: "o", metadata: { files: [{}] }, content: [{ type: "text" }], mcp: {} },
      };
      await torture("test/clients/opencode/plugin", 2_000, async (draw) => {
        const hook = hooks[draw.pick(Object.keys(hooks))];
        await hook?.(bent(usual, draw), bent(usual, draw));
      });
    },
    tortureMs,
  );
});

test("what Endless Mode makes of a result is handed on as text", () => {
  const fixture = (name: string) =>
    JSON.parse(readFileSync(join(import.meta.dirname, "fixtures", name), "utf8"));
  const delivery = { id: "1", time: 1 };
  const rendered = (name: string, updatedToolOutput: unknown) => {
    const event = opencodeAdapter.parse(fixture(name), delivery);
    return event && opencodeAdapter.render(event, { updatedToolOutput });
  };
  const { response } = opencodeAdapter.original(fixture("after-read.json")) ?? {};
  expect(rendered("after-read.json", response)).toEqual({
    output: "export function add(a, b) {\n  return a - b\n}",
  });
  const shell = { stdout: "short", stderr: "", interrupted: false, isImage: false };
  expect(rendered("after-bash-by-subagent.json", shell)).toEqual({ output: "short" });
  const blocks = [{ type: "text", text: "short" }];
  expect(rendered("after-memoir_recall.json", blocks)).toEqual({ output: "short" });
  // A failed one is never replaced.
  expect(rendered("after-bash.json", shell)).toBeUndefined();
});
