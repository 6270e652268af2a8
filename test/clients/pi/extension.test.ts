// The extension itself, between a pretended pi and a pretended memoir: what it tells, what it gives, and that nothing harms pi.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  extensionText,
  firstLine,
  adapter as piAdapter,
  piRegistration,
} from "../../../src/clients/pi/index.ts";
import type { ClientEvent, ClientEventName } from "../../../src/sdk/events.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-pi-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

type Handler = (event: object, ctx: object) => Promise<unknown>;
interface PiTool {
  name: string;
  parameters: unknown;
  execute(
    ...given: [id: string, input: object, signal: undefined, update: undefined, ctx: object]
  ): Promise<unknown>;
}

interface Room {
  /** What pi does at an event; with an answer of memoir's to each hook. */
  does(event: object, answer?: object | string): Promise<unknown>;
  /** What memoir was told, as its events. */
  told(): Promise<ClientEvent[]>;
  tools: PiTool[];
  sent: unknown[];
  notified: string[];
  ctx: Record<string, unknown>;
}

/** Answers hooks with the file `answer`, and the protocol of its tools with the file `tools`. */
const memoir = (at: string) => `#!/bin/sh
if [ "$1" = hook ]; then
  cat >> "${at}/told"; echo >> "${at}/told"
  cat "${at}/answer" 2>/dev/null
else
  cat > "${at}/asked"; echo "$MEMOIR_SESSION" > "${at}/session"
  cat "${at}/tools" 2>/dev/null
fi
exit 0
`;

/** `seconds`: after which the extension gives up whatever it waits for. */
async function room(script = memoir(folder), seconds = 60): Promise<Room> {
  const binary = join(folder, "memoir");
  await writeFile(binary, script, { mode: 0o755 });
  const events = new Map(piRegistration.events.map((name) => [name, seconds] as const));
  const place = { env: {}, binary, home: "/the/home", command: "", events };
  const path = join(folder, "memoir.js");
  const text = extensionText(place).replace(/(?<=Wait = )\d+/g, String(seconds * 1_000));
  await writeFile(path, text);
  const handlers = new Map<string, Handler>();
  const tools: PiTool[] = [];
  const [sent, notified]: [unknown[], string[]] = [[], []];
  const ctx = {
    ...{ cwd: folder, mode: "tui", hasUI: true, signal: undefined, isIdle: () => true },
    ui: { notify: (text: string) => notified.push(text) },
    sessionManager: {
      getSessionId: () => "01a20119",
      getSessionFile: () => join(folder, "t_01a20119.jsonl"),
      getEntries: (): object[] => [],
    },
  };
  const { default: extension } = await import(path);
  extension({
    on: (name: string, handler: Handler) => handlers.set(name, handler),
    registerTool: (tool: PiTool) => tools.push(tool),
    sendMessage: (...given: unknown[]) => sent.push(given),
  });
  return {
    ...{ tools, sent, notified, ctx },
    async does(event, answer) {
      const text = typeof answer === "string" ? answer : JSON.stringify(answer ?? {});
      await writeFile(join(folder, "answer"), text);
      const { type } = event as { type: string };
      return handlers.get(type)?.(event, ctx);
    },
    async told() {
      const path = join(folder, "told");
      const lines = existsSync(path) ? (await readFile(path, "utf8")).split("\n") : [];
      return lines.filter(Boolean).flatMap((line) => {
        const payload: unknown = JSON.parse(line);
        const event = piAdapter.parse(payload, { id: "d", time: 1 });
        expect(event?.name).toBe((payload as { hook_event_name: ClientEventName }).hook_event_name);
        return event ? [event] : [];
      });
    },
  };
}

const names = async ({ told }: Room) => (await told()).map(({ name }) => name);
const said = { type: "message", message: { role: "assistant" } };
const texts = (...all: string[]) => all.map((text) => ({ type: "text", text }));
const prompt = { type: "before_agent_start", prompt: "Mend it.", systemPrompt: "long" };
const result = { type: "tool_result", toolName: "bash", toolCallId: "c1", input: { command: "x" } };

test("the file is known by its first line, whatever else is in it", async () => {
  const place = { env: {}, binary: "/m", home: undefined, command: "", events: new Map() };
  expect(extensionText(place).split("\n")[0]).toBe(firstLine);
  expect(firstLine).toContain("memoir uninstall pi");
});

test("a session: every event arrives once, in memoir's form, without what is bulky", async () => {
  const one = await room();
  await one.does({ type: "session_start", reason: "startup" });
  await one.does({ type: "input", text: "Mend it.", source: "interactive" });
  await one.does(prompt);
  await one.does({ ...result, type: "tool_call" });
  const picture = { type: "image", data: "AAAA".repeat(1_000), mimeType: "image/png" };
  await one.does({ ...result, content: [...texts("ok"), picture], isError: false });
  await one.does({ ...result, content: texts("no\n\nCommand exited with code 3"), isError: true });
  await one.does({ type: "session_before_compact", reason: "manual", branchEntries: [1, 2] });
  await one.does({ type: "session_compact", reason: "manual", compactionEntry: { summary: "s" } });
  const last = { role: "assistant", content: [...texts("Done."), { type: "toolCall" }], usage: {} };
  await one.does({ type: "agent_end", messages: [{ role: "user", content: "x" }, last] });
  await one.does({ type: "session_shutdown", reason: "quit" });
  expect(await names(one)).toEqual([
    ...(["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse"] as const),
    ...(["PostToolUseFailure", "PreCompact", "PostCompact", "SessionStart", "Stop"] as const),
    "SessionEnd",
  ]);
  const events = await one.told();
  expect(events.at(-2)).toMatchObject({ lastAssistantMessage: "Done." });
  expect(events.at(-3)).toMatchObject({ source: "compact" });
  expect(events[4]).toMatchObject({ error: "Exit code 3\nno" });
  const text = await readFile(join(folder, "told"), "utf8");
  for (const bulky of ["AAAA", "branchEntries", "systemPrompt", 'toolCall"'])
    expect(text).not.toContain(bulky);
});

test("the session's file is named once it is there", async () => {
  const one = await room();
  const file = join(folder, "t_01a20119.jsonl");
  await one.does({ type: "session_start", reason: "startup" });
  await writeFile(file, "");
  await one.does(prompt);
  const told = await one.told();
  expect(told.map(({ transcriptPath }) => transcriptPath)).toEqual([undefined, file]);
});

test("context of the start and of the prompt come together, once", async () => {
  const one = await room();
  await one.does({ type: "session_start", reason: "startup" }, { context: "BEFORE" });
  const first = await one.does(prompt, { context: "OF-THE-PROMPT", message: "a line" });
  const content = "BEFORE\n\nOF-THE-PROMPT";
  expect(first).toEqual({ message: { customType: "memoir", content, display: false } });
  expect(await one.does(prompt)).toBeUndefined();
  expect(one.notified).toEqual(["a line"]);
});

test("a run that another extension began is no prompt, and gets what waits", async () => {
  const one = await room();
  await one.does({ type: "session_start", reason: "startup" }, { context: "BEFORE" });
  const begun = { type: "before_agent_start", messageType: "custom", message: { content: "x" } };
  expect(await one.does(begun, { context: "NEVER" })).toEqual({
    message: { customType: "memoir", content: "BEFORE", display: false },
  });
  expect(await names(one)).toEqual(["SessionStart"]);
});

test("a session that goes on is told as such, also where pi calls it a start", async () => {
  const one = await room();
  one.ctx.sessionManager = { ...(one.ctx.sessionManager as object), getEntries: () => [said] };
  await one.does({ type: "session_start", reason: "startup" });
  await one.does({ type: "session_shutdown", reason: "reload" });
  await one.does({ type: "session_start", reason: "reload" });
  expect(await one.told()).toMatchObject([{ name: "SessionStart", source: "resume" }]);
});

test("a prompt into a running turn is told, and its context goes with it", async () => {
  const one = await room();
  one.ctx.isIdle = () => false;
  await one.does({ type: "input", text: "Wait.", source: "interactive" }, { context: "KNOWN" });
  expect(await one.told()).toMatchObject([{ name: "UserPromptSubmit", prompt: "Wait." }]);
  const message = { customType: "memoir", content: "KNOWN", display: false };
  expect(one.sent).toEqual([[message, { deliverAs: "steer" }]]);
});

test("a result: another text in its place, pictures stay, context follows; else it is not touched", async () => {
  const one = await room();
  const content = [...texts("long", "longer"), { type: "image", data: "A" }];
  const done = { ...result, content, isError: false };
  expect(await one.does(done)).toBeUndefined();
  expect(await one.does(done, { content: "short" })).toEqual({
    content: [...texts("short"), { type: "image", data: "A" }],
  });
  await one.does({ ...result, type: "tool_call" }, { context: "OF-THE-FILE" });
  expect(await one.does(done, { context: "AFTER" })).toEqual({
    content: [...content, ...texts("OF-THE-FILE\n\nAFTER")],
  });
  expect(await one.does(done)).toBeUndefined();
});

test("a file that is written for the first time is told as made", async () => {
  const one = await room();
  for (const path of ["new.txt", "memoir.js"]) {
    const use = { ...result, toolName: "write", toolCallId: path, input: { path, content: "x" } };
    await one.does({ ...use, type: "tool_call" });
    await one.does({ ...use, content: texts("ok"), isError: false });
  }
  const made = (await one.told()).filter(({ name }) => name === "PostToolUse");
  expect(made).toMatchObject([
    { toolResponse: { type: "create" } },
    { toolResponse: { type: "update" } },
  ]);
});

test("memoir's tools are pi's own, ask for this session, and fail as tools fail", async () => {
  const one = await room();
  const listed = { tools: [{ name: "search", description: "d", inputSchema: { type: "object" } }] };
  const answer = (value: object) =>
    writeFile(
      join(folder, "tools"),
      `${JSON.stringify({ jsonrpc: "2.0", id: 1, result: {} })}\n${JSON.stringify({ jsonrpc: "2.0", id: 2, ...value })}\n`,
    );
  await answer({ result: listed });
  await one.does({ type: "session_start", reason: "startup" });
  expect(one.tools.map(({ name }) => name)).toEqual(["mcp__memoir__search"]);
  const [search] = one.tools;
  expect(search?.parameters).toEqual({ type: "object" });
  const call = async () => search?.execute("c1", { query: "x" }, undefined, undefined, one.ctx);
  await answer({ result: { content: texts("FOUND") } });
  expect(await call()).toMatchObject({ content: texts("FOUND") });
  expect((await readFile(join(folder, "session"), "utf8")).trim()).toBe("01a20119");
  expect(await readFile(join(folder, "asked"), "utf8")).toContain('"arguments":{"query":"x"}');
  await answer({ result: { content: texts("no such id"), isError: true } });
  await expect(call()).rejects.toThrow("no such id");
  await answer({ error: { code: 1, message: "refused" } });
  await expect(call()).rejects.toThrow("refused");
  await writeFile(join(folder, "tools"), "");
  await expect(call()).rejects.toThrow("memoir does not answer");
});

const wrong = {
  "is missing": undefined,
  fails: "#!/bin/sh\nexit 3\n",
  "prints no JSON": "#!/bin/sh\ncat > /dev/null\necho hello\n",
  "prints a list": "#!/bin/sh\ncat > /dev/null\necho '[1]'\n",
  "prints null": "#!/bin/sh\ncat > /dev/null\necho null\n",
  "never ends": "#!/bin/sh\nexec sleep 60\n",
  "leaves a child that holds its stdout": "#!/bin/sh\nsleep 5 &\n",
};
for (const [how, script] of Object.entries(wrong))
  test(`a memoir that ${how} changes nothing for pi`, async () => {
    const one = await room(script ?? "", 0.2);
    if (script === undefined) await rm(join(folder, "memoir"));
    for (const event of [
      { type: "session_start", reason: "startup" },
      prompt,
      { ...result, type: "tool_call" },
      { ...result, content: texts("ok"), isError: false },
      { type: "agent_end", messages: [] },
      { type: "session_shutdown", reason: "quit" },
      // Not of the form that is known.
      { type: "agent_end" },
      { type: "tool_call", toolName: "write", input: undefined },
      { type: "session_compact" },
    ])
      expect(await one.does(event)).toBeUndefined();
    expect([one.tools, one.sent, one.notified]).toEqual([[], [], []]);
  });

test("who interrupts the agent waits for nothing", async () => {
  const one = await room("#!/bin/sh\nexec sleep 5\n", 1_000);
  one.ctx.signal = AbortSignal.abort();
  expect(await one.does({ ...result, content: texts("ok"), isError: false })).toBeUndefined();
  const later = new AbortController();
  one.ctx.signal = later.signal;
  const waiting = one.does({ ...result, content: texts("ok"), isError: false });
  later.abort();
  expect(await waiting).toBeUndefined();
});

test("what memoir itself starts tells nothing", async () => {
  process.env.MEMOIR_INTERNAL = "1";
  try {
    const one = await room();
    await one.does({ type: "session_start", reason: "startup" });
    expect(await one.told()).toEqual([]);
  } finally {
    delete process.env.MEMOIR_INTERNAL;
  }
});
