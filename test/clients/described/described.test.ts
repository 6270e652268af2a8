// Clients that plugins describe: what their payloads, answers, files and lines become, and what is wrong with a description.
import { afterEach, describe, expect, test } from "bun:test";
import { describedAdapter } from "../../../src/clients/described/adapter.ts";
import { describedClient } from "../../../src/clients/described/client.ts";
import { diskPath, partOf, valueAtPath } from "../../../src/clients/described/places.ts";
import { bringClients, clientNamed, clientOf } from "../../../src/clients/index.ts";
import { checkClients } from "../../../src/runtime/plugins/check-client.ts";
import type { ClientDescription } from "../../../src/sdk/client.ts";
import kilo from "../../examples/kilo-client.ts";

afterEach(() => bringClients({}));

const delivery = { id: "5b2c7f0e-0000-4000-8000-000000000001", time: 1_790_000_000_000 };
const quill: ClientDescription = {
  title: "Quill",
  folder: ["$QUILL_HOME", "~/.quill"],
  payload: {
    fields: {
      session_id: "run.id",
      cwd: ["cwd", "roots.0"],
      hook_event_name: "event",
      tool_name: "call.tool",
      tool_input: "call.args",
      tool_use_id: "call.id",
    },
    events: { begin: "SessionStart", asked: "UserPromptSubmit", ran: "PostToolUse" },
  },
  tools: {
    names: { shell: "Bash", patch: "Edit" },
    fields: { Edit: { path: "file_path", before: "old_string", after: "new_string" } },
    server: "{server}.{tool}",
  },
  results: {
    text: "call.output",
    exit: "call.code",
    exitIn: "[exit {exit}]",
    failed: "call.error",
    diff: "call.diff",
  },
  answer: { SessionStart: "reply.context" },
  transcripts: {
    folder: "~/.quill/sessions",
    session: "*_{session}.jsonl",
    time: "at",
    lines: [
      { is: "start", when: { kind: "session" } },
      { is: "prompt", when: { kind: ["user", "human"] }, text: "text" },
      { is: "said", when: { kind: "agent" }, text: "text" },
      { is: "used", when: { kind: "agent" }, each: "calls", name: "tool", input: "args" },
      { is: "ended", when: { kind: "result" }, id: "call", text: "output", failed: "error" },
    ],
  },
};
const adapter = describedAdapter("quill", quill);
const at = (event: string, more: object = {}) => ({ run: { id: "r1" }, cwd: "/w", event, ...more });

describe("a payload", () => {
  test.each<[what: string, payload: object, event: object]>([
    ["a start", at("begin"), { name: "SessionStart", client: "quill", session: "r1", cwd: "/w" }],
    ["a folder in a list", { ...at("begin"), cwd: "", roots: ["/r"] }, { cwd: "/r" }],
    ["a prompt", at("asked", { prompt: "Go." }), { name: "UserPromptSubmit", prompt: "Go." }],
    [
      "a command that passed",
      at("ran", { call: { id: "c", tool: "shell", args: { command: "ls" }, output: "a" } }),
      { name: "PostToolUse", toolName: "Bash", toolUseId: "c", toolResponse: { stdout: "a" } },
    ],
    [
      "an exit code in the text",
      at("ran", { call: { tool: "shell", args: {}, output: "no\n[exit 2]" } }),
      { name: "PostToolUseFailure", error: "Exit code 2\nno\n[exit 2]", toolUseId: delivery.id },
    ],
    [
      "an exit code as a number",
      at("ran", { call: { tool: "shell", args: {}, output: "no", code: 3 } }),
      { name: "PostToolUseFailure", error: "Exit code 3\nno" },
    ],
    [
      "a failure that says why",
      at("ran", { call: { tool: "patch", args: {}, error: "no such file" } }),
      { name: "PostToolUseFailure", toolName: "Edit", error: "no such file" },
    ],
    [
      "a change",
      at("ran", {
        call: {
          ...{ tool: "patch", args: '{"path":"a.ts","before":"x","after":"y"}' },
          diff: "@@ -1,1 +1,1 @@\n-x\n+y",
        },
      }),
      { toolInput: { file_path: "a.ts" }, toolResponse: { structuredPatch: [{ newStart: 1 }] } },
    ],
    [
      "a server's tool",
      at("ran", { call: { tool: "memoir.search", args: {}, output: "x" } }),
      { toolName: "mcp__memoir__search", toolResponse: "x" },
    ],
    ["an event that it has no name for", at("blinked"), { name: "Other", clientEvent: "blinked" }],
  ])("%s", (_, payload, event) => {
    expect(adapter.parse(payload, delivery)).toMatchObject(event as never);
  });

  test("a prompt that nobody typed is no event, and a missing field is named", () => {
    expect(adapter.parse(at("asked", { prompt: " " }), delivery)).toBeUndefined();
    expect(() => adapter.parse({ event: "begin", cwd: "/w" }, delivery)).toThrow("session_id");
    expect(() => adapter.parse(7, delivery)).toThrow("quill");
  });
});

test("an answer is where the client reads it, and nothing elsewhere", () => {
  const answer = (event: string) => {
    const found = adapter.parse(at(event, { prompt: "x" }), delivery);
    return found && adapter.render(found, { context: "known" });
  };
  expect(answer("begin")).toEqual({ reply: { context: "known" } });
  expect(answer("asked")).toBeUndefined();
});

test("lines of its history are Claude Code's", () => {
  const { normalLine, sessionOf, folder } = adapter.transcripts ?? {};
  expect(folder?.({ HOME: "/h" })).toBe("/h/.quill/sessions");
  expect(sessionOf?.("2026_r1.jsonl", "")).toBe("r1");
  const calls = [{ id: "c", tool: "shell", args: { command: "ls" } }];
  expect(
    [
      { kind: "session", cwd: "/w", id: "s" },
      { kind: "human", text: "Go.", at: 1_790_000_000 },
      { kind: "agent", text: "I look.", calls },
      { kind: "result", call: "c", output: "a", error: true },
      { kind: "noise" },
    ].map((line) => normalLine?.(line)),
  ).toMatchObject([
    { type: "system", subtype: "start", cwd: "/w" },
    {
      type: "user",
      timestamp: "2026-09-21T14:13:20.000Z",
      message: { content: [{ text: "Go." }] },
    },
    {
      type: "assistant",
      message: { content: [{ text: "I look." }, { type: "tool_use", id: "c", name: "Bash" }] },
    },
    { type: "user", message: { content: [{ tool_use_id: "c", content: "a", is_error: true }] } },
    undefined,
  ] as never);
});

test("a fork is its model under another name, in its own folders", async () => {
  bringClients(kilo.clients ?? {});
  const { abilities, load } = clientNamed("kilo");
  const fork = (await load()).adapter;
  const own = await (await import("../../../src/clients/index.ts")).adapterNamed("opencode");
  expect(abilities).toMatchObject({ way: "hooks", results: true, backfill: true });
  expect(abilities.driven).toBeUndefined();
  const payload = {
    ...{ session_id: "s", cwd: "/w", hook_event_name: "UserPromptSubmit" },
    opencode: { hook: "chat.message", parts: [{ type: "text", text: "Go." }] },
  };
  const [event, model] = [fork, own].map((one) => one.parse(payload, delivery));
  expect([event?.client, event?.key.split(":")[0]]).toEqual(["kilo", "kilo"]);
  expect({ ...event, client: "", key: "" }).toEqual({ ...model, client: "", key: "" } as never);
  const env = { HOME: "/h" };
  const place = { env, binary: "/m/bin/memoir", home: undefined, command: "", events: new Map() };
  const [file] = fork.registration?.files(place) ?? [];
  expect(file?.path).toBe("/h/.config/kilo/plugins/memoir.js");
  const [part] = file?.parts ?? [];
  const text = part?.kind === "whole" ? part.text : "";
  expect(text).toContain('"kilo"');
  expect(text).toContain('"database": "/h/.local/share/kilo/kilo.db"');
  expect(fork.transcripts?.folder({ ...env, KILO_DB: "/k.db" })).toBe("/k.db");
});

test("a built-in's name stays its own, and what a plugin brought goes with it", () => {
  bringClients({ codex: quill, quill });
  expect(clientOf("codex")?.title).toBe("Codex CLI");
  expect(clientOf("quill")?.title).toBe("Quill");
  bringClients({});
  expect(clientOf("quill")).toBeUndefined();
});

test("what it lets memoir do follows from the description", () => {
  expect(describedClient("quill", quill).abilities).toMatchObject({
    ...{ way: "hooks", sessionContext: true, promptContext: false, mcp: false, backfill: true },
  });
  const rules: ClientDescription = {
    ...{ title: "Ink", folder: "~/.ink" },
    install: [{ path: "rules.md", rules: "file" }],
  };
  expect(describedClient("ink", rules).abilities).toMatchObject({ way: "tools", prompts: "none" });
  expect(() => describedAdapter("ink", rules).parse({}, delivery)).toThrow("has no hooks");
});

test.each<[given: string | readonly string[], env: object, path: string]>([
  ["~/.quill", {}, "/h/.quill"],
  [["$QUILL", "~/.quill"], { QUILL: "/q" }, "/q"],
  [["$QUILL/in", "~/.quill"], {}, "/h/.quill"],
  [["/not/there?/x", "~/.quill"], {}, "/h/.quill"],
  [["/usr?/x", "~/.quill"], {}, "/usr/x"],
  ["settings.json", {}, "/base/settings.json"],
])("the path %p with %p", (given, env, path) => {
  expect(diskPath(given, { HOME: "/h", ...env }, "/base")).toBe(path);
});

test("places in a value, and in a name", () => {
  const value = { a: { b: ["", "x"] }, n: null, z: 0 };
  expect([valueAtPath(value, "a.b.1"), valueAtPath(value, ["n", "a.b.0", "z"])]).toEqual(["x", 0]);
  expect(valueAtPath(value, "a.__proto__.b")).toBeUndefined();
  expect(partOf("2026_r1.jsonl", "*_{session}.jsonl", "session")).toBe("r1");
  expect(partOf("r1.json", "*_{session}.jsonl", "session")).toBeUndefined();
});

const well = { title: "Quill", folder: "~/.quill" };
test.each<[what: string, clients: unknown, fault: string | undefined]>([
  ["whole", { quill }, undefined],
  ["a fork", kilo.clients, undefined],
  ["no object", [well], "clients: must be an object of clients by name"],
  ["an odd name", { "Quill 2": well }, "clients.Quill 2: a client's name is lower-case words"],
  ["a name of memoir's", { codex: well }, "clients.codex: memoir knows a client of that name"],
  ["no folder", { quill: { title: "Q" } }, "clients.quill.folder: is missing"],
  [
    "an unknown field",
    { quill: { ...well, titel: "Q" } },
    "clients.quill.titel: there is no such field",
  ],
  ["like nobody", { quill: { ...well, like: "opencoda" } }, "did you mean opencode?"],
  [
    "like, with a payload",
    { quill: { ...well, like: "qwen", payload: {} } },
    "payload: with `like",
  ],
  ["like Claude Code, in its files", { quill: { ...well, like: "claude-code" } }, "name the files"],
  [
    "an event of nobody's",
    { quill: { ...well, payload: { events: { a: "Stopp" } } } },
    "did you mean Stop?",
  ],
  ["an answer to nothing", { quill: { ...well, answer: { Begin: "x" } } }, "clients.quill.answer"],
  [
    "a form without its place",
    { quill: { ...well, results: { exitIn: "exit" } } },
    "has to hold {exit}",
  ],
  [
    "a file that gets nothing",
    { quill: { ...well, install: [{ path: "a" }] } },
    "install.0: says nothing",
  ],
  ["a function", { quill: { ...well, payload: { fields: { cwd: () => "/" } } } }, "must be a path"],
  [
    "a line of no kind",
    { quill: { ...well, transcripts: { folder: "x", lines: [{ is: "seen" }] } } },
    "lines.0.is",
  ],
])("a description with %s", (_, clients, fault) => {
  const faults = checkClients(clients);
  if (fault === undefined) expect(faults).toEqual([]);
  else expect(faults.join("; ")).toContain(fault);
});
