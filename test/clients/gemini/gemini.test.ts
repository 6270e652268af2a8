// Gemini CLI's payloads and transcripts in the normal form, and what it is answered.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sessionsIn } from "../../../src/backfill/plan.ts";
import { adapter as geminiAdapter } from "../../../src/clients/gemini/index.ts";
import type { ClientEvent } from "../../../src/sdk/events.ts";
import { expectGolden } from "../../support/golden.ts";
import { inFolder } from "../../support/in-folder.ts";
import { clientSuite, transcriptEvents } from "../suite.ts";

const folder = import.meta.dirname;

clientSuite({
  client: "gemini",
  folder,
  recorded: "gemini",
  // memoir does not register them: they hold the whole conversation.
  leaveOut: /^(?:BeforeModel|AfterModel|BeforeToolSelection)\.json$/,
});

const common = {
  session_id: "s1",
  cwd: "/shop",
  transcript_path: "/home/ada/.gemini/tmp/shop/chats/session-2026-11-22T10-00-s1.jsonl",
};

function eventOf(name: string, fields: object = {}): ClientEvent {
  const payload = { ...common, hook_event_name: name, ...fields };
  const event = geminiAdapter.parse(payload, { id: "delivery-1", time: 1 });
  if (!event || event instanceof Promise) throw new Error("no event");
  return event;
}
const start = (source: string, session_id = "s1") =>
  eventOf("SessionStart", { source, session_id });
const prompt = (session_id = "s1") => eventOf("BeforeAgent", { prompt: "Go.", session_id });
const given = (hookEventName: string, additionalContext: string) => ({
  hookSpecificOutput: { hookEventName, additionalContext },
});

describe("answers", () => {
  test("each event gets context under its own name", () => {
    const used = { tool_name: "read_file", tool_input: { file_path: "a.js" } };
    const ended = { ...used, tool_response: { llmContent: "a", returnDisplay: "" } };
    const failed = { ...ended, tool_response: { llmContent: "", error: { message: "gone" } } };
    const answers = [
      start("startup"),
      prompt(),
      eventOf("BeforeTool", used),
      eventOf("AfterTool", ended),
      eventOf("AfterTool", failed),
      eventOf("AfterAgent", { prompt_response: "Done." }),
      eventOf("SessionEnd", { reason: "exit" }),
    ].map((event) => geminiAdapter.render(event, { context: "known" }));
    const after = given("AfterTool", "known");
    expect(answers).toEqual([
      undefined,
      given("BeforeAgent", "known\n\nknown"),
      ...[undefined, after, after, undefined, undefined],
    ]);
  });

  test.each(["startup", "clear", "resume"])(
    "what a session is to know comes with its first prompt, once, and to no other: %s",
    (source) => {
      const reply = { context: "known", systemMessage: "hi" };
      expect(geminiAdapter.render(start(source), reply)).toEqual({ systemMessage: "hi" });
      const other = geminiAdapter.render(prompt("s2"), { context: "more" });
      const first = geminiAdapter.render(prompt(), { context: "more" });
      const second = geminiAdapter.render(prompt(), {});
      expect([other, first, second]).toEqual([
        given("BeforeAgent", "more"),
        given("BeforeAgent", "known\n\nmore"),
        undefined,
      ]);
    },
  );

  test("no other result for a tool's: it would read as an error", () => {
    const used = { tool_name: "glob", tool_input: {}, tool_response: { llmContent: "a" } };
    expect(
      geminiAdapter.render(eventOf("AfterTool", used), { updatedToolOutput: "less" }),
    ).toBeUndefined();
  });
});

interface Counts {
  prompts: number;
  uses: number;
  failures: number;
}

/** By nothing of memoir's: every tool call by its id, as the last line with it says, and every text of a person's. */
function countByHand(text: string): Counts {
  const calls = new Map<string, boolean>();
  const prompts = new Set<string>();
  for (const line of text.trim().split("\n")) {
    const { id, type, content, toolCalls = [] } = JSON.parse(line);
    for (const call of toolCalls) {
      const answer = JSON.stringify(call.result);
      calls.set(call.id, call.status !== "success" || /\\nExit Code: [1-9]/.test(answer));
    }
    const isSaid = Array.isArray(content) && content.some((part) => part.text !== undefined);
    if (type === "user" && isSaid) prompts.add(id);
  }
  const failures = [...calls.values()].filter(Boolean).length;
  return { prompts: prompts.size, uses: calls.size, failures };
}

async function countByAdapter(path: string): Promise<Counts> {
  const events = await transcriptEvents(geminiAdapter, [readFileSync(path)], path);
  const named = (...names: string[]) => events.filter(({ name }) => names.includes(name)).length;
  const failures = named("PostToolUseFailure");
  return {
    ...{ prompts: named("UserPromptSubmit"), failures },
    uses: named("PostToolUse") + failures,
  };
}

describe("transcripts", () => {
  const own = join(folder, "fixtures/session.jsonl");

  test("a session of the real client as events", async () => {
    const told = await transcriptEvents(geminiAdapter, [readFileSync(own)], own);
    const text = `${JSON.stringify(told, undefined, 1)}\n`;
    await expectGolden(join(folder, "normal/session.txt"), text);
  });

  const recorded = join(folder, "../../../../shared/data/other-clients/gemini/_transcript.jsonl");
  test.each([own, recorded].filter((path) => existsSync(path)))(
    "prompts, tool uses and failures are as many as counted by hand: %s",
    async (path) => {
      const counts = await countByAdapter(path);
      expect(counts).toEqual(countByHand(readFileSync(path, "utf8")));
      expect(counts).toMatchObject({ prompts: 1, uses: path === own ? 4 : 5 });
    },
  );

  test("a tool that was refused, one that runs still, words in parts, and what the client says itself", async () => {
    const time = "2026-11-22T12:00:00.000Z";
    const call = (id: string, status: string, more: object = {}) => ({
      ...{ id, name: "run_shell_command", args: { command: id }, status, timestamp: time, ...more },
    });
    const answer = (response: object) => [{ functionResponse: { response } }];
    const lines = [
      { id: "u0", type: "user", content: [{ text: "<session_context>\nHere.</session_context>" }] },
      { id: "u1", type: "user", content: "<hook_context>&lt;x&gt;</hook_context>\n\nDo it." },
      { $set: { messages: [{ id: "u1", type: "user", content: "Do it." }] } },
      { id: "g1", type: "gemini", content: [{ text: "I ", thought: true }, { text: "Yes." }] },
      {
        ...{ id: "g2", type: "gemini", content: "" },
        toolCalls: [
          call("no", "cancelled", { result: answer({ error: "[Operation Cancelled]" }) }),
          call("on", "executing"),
        ],
      },
      { id: "u2", type: "user", content: [{ functionResponse: { response: {} } }] },
      { $rewindTo: "u1" },
      "no object",
    ];
    const text = lines
      .map((line) => JSON.stringify(typeof line === "object" ? { timestamp: time, ...line } : line))
      .join("\n");
    const events = await transcriptEvents(geminiAdapter, [Buffer.from(`${text}\n`)], "odd");
    expect(events).toMatchObject([
      { name: "SessionStart" },
      { name: "UserPromptSubmit", prompt: "Do it." },
      { name: "PostToolUseFailure", error: "[Operation Cancelled]", isInterrupt: true },
      { name: "Stop", lastAssistantMessage: "Yes." },
      { name: "SessionEnd" },
    ]);
  });

  test("a session bears its whole id and the folder it worked in; a subagent's file is none", () =>
    inFolder(async (home) => {
      const project = join(home, "tmp/till");
      await mkdir(join(project, "chats/f2bde346-0000"), { recursive: true });
      await writeFile(join(project, ".project_root"), "/home/ada/till\n");
      const name = "session-2026-11-22T23-21-f2bde346.jsonl";
      await writeFile(join(project, "chats", name), readFileSync(own));
      const sub = JSON.stringify({ sessionId: "sub", kind: "subagent" });
      await writeFile(join(project, "chats/f2bde346-0000/sub.jsonl"), `${sub}\n`);
      await writeFile(join(project, "chats/torn.jsonl"), '{"sessionId":"t');
      const found = await sessionsIn(join(home, "tmp"), "gemini");
      expect(found).toMatchObject([
        {
          session: "f2bde346-d163-40bf-96af-83f3b48ef1ce",
          cwd: "/home/ada/till",
          client: "gemini",
        },
      ]);
    }));
});

test("doctor says where the settings switch all hooks off", () =>
  inFolder(async (home) => {
    const place = { env: { HOME: home }, binary: "", home: undefined, command: "" };
    const look = () =>
      geminiAdapter.registration?.look?.({ ...place, events: new Map() }) ?? Promise.resolve([]);
    expect(await look()).toEqual([]);
    await mkdir(join(home, ".gemini"));
    const settings = (text: string) => writeFile(join(home, ".gemini/settings.json"), text);
    await settings('{ "hooksConfig": { "enabled": true } }');
    expect(await look()).toEqual([]);
    await settings('// mine\n{ "hooksConfig": { "enabled": false, }, }');
    expect(await look()).toMatchObject([{ state: "warn" }]);
    await settings("no JSON");
    expect(await look()).toEqual([]);
  }));
