// Tool uses that hooks tell without an id: Gemini CLI's, which its transcript has only later, and any that were told late.
import { expect, test } from "bun:test";
import { appendFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createFillIn } from "../../src/backfill/fill-in.ts";
import { adapterNamed, recordedForm } from "../../src/clients/index.ts";
import { SessionEvents } from "../../src/clients/normal/transcript-events.ts";
import type { ClientEvent } from "../../src/sdk/events.ts";
import { fileChunks, readEntries } from "../../src/transcript/read.ts";
import { inFolder } from "../support/in-folder.ts";
import { keptLog } from "../support/kept-log.ts";

const session = "aaaaaaaa-2222-4333-8444-555555555555";
const noon = Date.parse("2026-11-22T12:00:00.000Z");
const at = (seconds: number) => new Date(noon + seconds * 1_000).toISOString();

/** A client's session: its file, grown by hand, and its hooks, told to a server that can be started anew. */
async function roomOf(client: string, home: string, below: string) {
  const path = join(home, below);
  await mkdir(dirname(path), { recursive: true });
  const line = (value: object) => appendFile(path, `${JSON.stringify(value)}\n`);
  const recovered: ClientEvent[] = [];
  const begin = () =>
    createFillIn({
      runtime: {
        recover: async (events) => {
          recovered.push(...events);
          return events.map(() => "committed" as const);
        },
        workOn: () => {},
      },
      ...{ env: { HOME: home }, log: keptLog(), waitMs: 60_000 },
    });
  let fillIn = begin();
  const adapter = await adapterNamed(client);
  let count = 0;
  const hook = async (hook_event_name: string, seconds: number, fields: object = {}) => {
    const common = { session_id: session, transcript_path: path, cwd: "/shop" };
    const event = await adapter.parse(
      { ...common, timestamp: at(seconds), hook_event_name, ...fields },
      { id: `delivery-${count++}`, time: noon + seconds * 1_000 },
    );
    if (!event) throw new Error("no event");
    return fillIn(event);
  };
  /** Keys of the tool uses that a reading of the whole file gives. */
  const written = async () => {
    const { of, parse } = await recordedForm(client, "/shop");
    const events = new SessionEvents({ session, transcriptPath: path, ...(of && { of }) });
    const keys: string[] = [];
    for await (const entry of readEntries(fileChunks(path), { parse }))
      for (const { event } of events.add(entry)) if ("toolUseId" in event) keys.push(event.key);
    return keys;
  };
  const keys = () => recovered.flatMap((event) => ("toolUseId" in event ? [event.key] : []));
  return { line, hook, written, recovered, keys, restart: () => (fillIn = begin()) };
}

const geminiFile = ".gemini/tmp/shop/chats/session-2026-11-22T12-00-aaaaaaaa.jsonl";

async function geminiRoom(home: string) {
  const room = await roomOf("gemini", home, geminiFile);
  const { line, hook } = room;
  await line({ sessionId: session, projectHash: "x", kind: "main" });
  const prompt = (id: string, seconds: number, text: string) =>
    line({ id, timestamp: at(seconds), type: "user", content: [{ text }] });
  const run = { tool_name: "run_shell_command", tool_input: { command: "npm test" } };
  const output = (code: number) =>
    `<untrusted_context>\nOutput: tested${code === 0 ? "" : `\nExit Code: ${code}`}\n</untrusted_context>`;
  const told = (seconds: number, code = 0) =>
    hook("AfterTool", seconds, {
      ...run,
      tool_response: { llmContent: output(code), returnDisplay: "tested" },
    });
  /** Once it ended and its hook was answered. */
  const wrote = (seconds: number, code = 0, more: object = {}) =>
    line({
      ...{ id: `g${seconds}`, timestamp: at(seconds - 1), type: "gemini", content: "" },
      toolCalls: [
        {
          ...{ id: `call_${seconds}`, name: run.tool_name, args: run.tool_input },
          ...{ status: "success", timestamp: at(seconds), resultDisplay: "tested" },
          result: [{ functionResponse: { response: { output: output(code) } } }],
          ...more,
        },
      ],
    });
  return { ...room, prompt, told, wrote };
}

test("a hook and the transcript give a tool use one key, also where the same command ran before", () =>
  inFolder(async (home) => {
    const { prompt, told, wrote, written, hook, keys } = await geminiRoom(home);
    await prompt("u1", 0, "Test it.");
    const one = await told(10, 3);
    await wrote(10, 3);
    const two = await told(20, 3);
    await wrote(20, 3);
    await hook("AfterAgent", 21, { prompt_response: "Red." });
    await prompt("u2", 30, "Again.");
    const three = await told(40);
    await wrote(40);
    await hook("AfterAgent", 41, { prompt_response: "Green." });
    const hooked = [one.key, two.key, three.key];
    expect(new Set(hooked).size).toBe(3);
    expect(await written()).toEqual(hooked);
    // The transcript tells of them under keys that the journal knows.
    expect(new Set(keys())).toEqual(new Set(hooked));
  }));

test("a server that was started anew in the midst of a prompt goes on counting", () =>
  inFolder(async (home) => {
    const { prompt, told, wrote, written, restart } = await geminiRoom(home);
    await prompt("u1", 0, "Test it.");
    const one = await told(10);
    await wrote(10);
    restart();
    const two = await told(20);
    await wrote(20);
    expect(await written()).toEqual([one.key, two.key]);
  }));

test("the same event by two commands is one; tools beside each other are two", () =>
  inFolder(async (home) => {
    const { prompt, told } = await geminiRoom(home);
    await prompt("u1", 0, "Test it.");
    const [one, twin, two] = [await told(10), await told(10), await told(11)];
    expect(twin.key).toBe(one.key);
    expect(two.key).not.toBe(one.key);
  }));

test("a tool that no hook told of is taken in; what the hooks told while no server ran, once", () =>
  inFolder(async (home) => {
    const { prompt, told, wrote, written, hook, keys, recovered } = await geminiRoom(home);
    await hook("SessionStart", 0, { source: "startup" });
    await prompt("u1", 1, "Test it.");
    await wrote(5, 0, { status: "cancelled", result: [] });
    await wrote(10);
    await wrote(20);
    // Told from the spool, when all of it is written.
    const late = [await told(10), await told(20)];
    await hook("AfterAgent", 21, { prompt_response: "Done." });
    expect(late.map(({ key }) => key)).toEqual((await written()).slice(1));
    const all = new Set([...keys(), ...late.map(({ key }) => key)]);
    expect(all).toEqual(new Set(await written()));
    expect(recovered).toContainEqual(
      expect.objectContaining({ name: "PostToolUseFailure", isInterrupt: true }),
    );
  }));

test("of all words since the prompt the last ones close it", () =>
  inFolder(async (home) => {
    const { line, hook, prompt } = await geminiRoom(home);
    await prompt("u1", 1, "Mend it.");
    const said = (seconds: number, content: string) =>
      line({ id: `g${seconds}`, timestamp: at(seconds), type: "gemini", content });
    await said(2, "I look.");
    await said(3, "It is mended.");
    const all = { prompt_response: "I look.\nIt is mended." };
    expect(await hook("AfterAgent", 4, all)).toMatchObject({
      lastAssistantMessage: "It is mended.",
    });
  }));

test("what was told while no server ran has the transcript's ids, also where it tells of it first", () =>
  inFolder(async (home) => {
    const room = await roomOf("droid", home, `.factory/sessions/-shop/${session}.jsonl`);
    const { line, hook, written, keys } = room;
    await line({ type: "session_start", id: session, version: 2, cwd: "/shop" });
    const message = (role: string, seconds: number, content: object) =>
      line({
        ...{ type: "message", id: `${role}-${seconds}`, timestamp: at(seconds) },
        message: { role, content: [content] },
      });
    const run = { name: "Execute", input: { command: "npm test" } };
    for (const seconds of [10, 20, 30]) {
      const id = `call_${seconds}`;
      await message("assistant", seconds, { type: "tool_use", id, ...run });
      await message("user", seconds, { type: "tool_result", tool_use_id: id, content: "ok" });
    }
    const used = { tool_name: run.name, tool_input: run.input, tool_response: "ok" };
    await hook("SessionStart", 0, { source: "startup" });
    const late: ClientEvent[] = [];
    for (const seconds of [10, 20, 30]) late.push(await hook("PostToolUse", seconds, used));
    expect(late.map(({ key }) => key)).toEqual(await written());
    expect(new Set([...keys(), ...late.map(({ key }) => key)]).size).toBe(3);
  }));
