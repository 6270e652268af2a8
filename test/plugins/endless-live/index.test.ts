// The strategy as the runtime meets it: what is replaced, what is kept and noted, and what is left alone.
import { describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import live from "../../../plugins/endless-live/index.ts";
import { builtins } from "../../../src/runtime/builtins.ts";
import type { ToolFigures } from "../../../src/sdk/endless.ts";
import type { ClientEvents } from "../../../src/sdk/events.ts";
import { clientEvent } from "../../support/client-events.ts";
import { fakeEndless } from "../../support/fake-endless.ts";
import { openRoom } from "../../support/plugin-room.ts";

type ToolUse = ClientEvents["PostToolUse"];

const log = Array.from({ length: 400 }, (_, at) => `10:00 replayed order number ${at}`).join("\n");
const bashResponse = (stdout: string) => ({
  stdout,
  stderr: "",
  interrupted: false,
  isImage: false,
});

let made = 0;
function bash(stdout = log, fields: Partial<ToolUse> = {}): ToolUse {
  return clientEvent("PostToolUse", {
    toolName: "Bash",
    toolUseId: `toolu_${++made}`,
    toolInput: { command: "./bin/shop replay" },
    toolResponse: bashResponse(stdout),
    ...fields,
  });
}

function read(lines: number, startLine = 1, fields: Partial<ToolUse> = {}): ToolUse {
  const content = Array.from({ length: lines }, (_, at) => `"k${startLine + at}": ${at},`).join(
    "\n",
  );
  const file = {
    filePath: "/home/ada/shop/a.ts",
    content,
    numLines: lines,
    startLine,
    totalLines: 900,
  };
  return clientEvent("PostToolUse", {
    toolName: "Read",
    toolUseId: `toolu_${++made}`,
    toolInput: { file_path: file.filePath },
    toolResponse: { type: "text", file },
    ...fields,
  });
}

async function open(config: object = {}) {
  const endless = fakeEndless();
  const room = await openRoom(live, { config, endless });
  const answer = async (event: ToolUse): Promise<unknown> => {
    if (!endless.originals.has(event.toolUseId))
      endless.originals.set(event.toolUseId, {
        input: event.toolInput,
        response: event.toolResponse,
      });
    const replies = await room.hooks.sequence("PostToolUse", event);
    expect(room.log.lines.filter(({ level }) => level === "error")).toEqual([]);
    return replies.find(({ result }) => result)?.result?.updatedToolOutput;
  };
  return { endless, room, answer };
}

describe("live", () => {
  test("is built in, and off until it is chosen", () => {
    expect(live).toMatchObject({ name: "live", slot: "endless-mode" });
    expect(Object.keys(builtins)).toContain("live");
  });

  test("replaces a large result after the whole was kept", async () => {
    const { endless, answer } = await open();
    const event = bash(log, { agent: { id: "a1", type: "Explore" } });
    const output = await answer(event);
    expect(output).toMatchObject({ stderr: "", interrupted: false, isImage: false });
    const [kept] = endless.keeps;
    expect(kept).toMatchObject({
      session: "s1",
      project: "github.com/acme/shop",
      agent: "a1",
      toolUseId: event.toolUseId,
      tool: "Bash",
      part: "output",
      value: event.toolResponse,
      before: log,
    });
    expect(Reflect.get(output as object, "stdout")).toBe(kept?.after);
    expect(kept?.after).toEndWith(
      `; whole: memoir recall ${event.toolUseId} (a part: --lines A-B or --grep WORD)]`,
    );
  });

  test("leaves small, unknown and unchanged things alone, without asking for the original", async () => {
    const { endless, answer } = await open();
    endless.original = () => Promise.reject(new Error("asked in vain"));
    expect(await answer(bash("fine"))).toBeUndefined();
    expect(
      await answer(bash("x", { toolName: "Frobnicate", toolResponse: { text: log } })),
    ).toBeUndefined();
    expect(await answer(read(20))).toBeUndefined();
    expect(endless.keeps).toEqual([]);
  });

  test("leaves alone what redaction would change, what may not be kept, and what nobody waits for", async () => {
    const { endless, answer } = await open();
    endless.original = async () => undefined;
    expect(await answer(bash())).toBeUndefined();
    const refused = await open();
    refused.endless.mayKeep = false;
    expect(await refused.answer(bash())).toBeUndefined();
    const late = await open();
    expect(await late.answer(bash(log, { recovered: { modelFree: true } }))).toBeUndefined();
    expect([endless.keeps, refused.endless.keeps, late.endless.keeps]).toEqual([[], [], []]);
  });

  test.each([
    "memoir recall toolu_1",
    "~/.memoir/bin/memoir recall toolu_1 --lines 1-80",
    'cd /tmp && "/home/ada/my tools/memoir" recall toolu_1 | head -400',
    "memoir show o_1",
  ])("what %s prints is never reduced", async (command) => {
    const { answer } = await open();
    expect(await answer(bash(log, { toolInput: { command } }))).toBeUndefined();
  });

  test.each(["mcp__memoir__recall", "mcp__plugin_memoir_memoir__fetch_observations"])(
    "nor what %s gives",
    async (toolName) => {
      const { answer } = await open({ over: { "mcp__*": 100 } });
      const toolResponse = [{ type: "text", text: log }];
      expect(await answer(bash("", { toolName, toolResponse }))).toBeUndefined();
      expect(
        await answer(bash("", { toolName: "mcp__other__recall", toolResponse })),
      ).toBeDefined();
    },
  );

  test("a tool that does not profit is left alone, and that is told", async () => {
    const { endless, answer } = await open();
    const figures: ToolFigures = {
      tool: "Bash",
      kind: "kept head, tail and trouble (9)",
      judged: true,
      reduced: 40,
      charactersOut: 1_000,
      fetchedBack: 38,
      charactersBack: 90_000,
      profits: false,
      why: "38 of 40 were fetched back",
    };
    endless.toolFigures = [figures];
    expect(await answer(bash())).toBeUndefined();
    expect(endless.notes).toMatchObject([
      { kind: "declined", tool: "Bash", reason: "38 of 40 were fetched back" },
    ]);
  });

  test("books that cannot be read stop nothing", async () => {
    const { endless, answer } = await open();
    endless.figures = () => Promise.reject(new Error("no books"));
    expect(await answer(bash())).toBeDefined();
  });

  test("the same input gives the same output, byte for byte", async () => {
    const event = bash();
    const [one, two] = [await open(), await open()];
    expect(JSON.stringify(await one.answer(event))).toBe(JSON.stringify(await two.answer(event)));
  });

  test("a parallel batch is answered one by one", async () => {
    const { endless, answer } = await open();
    const events = [bash(), bash("fine"), bash(`${log}\nand one more`), read(10)];
    const answers = await Promise.all(events.map(answer));
    expect(answers.map((output) => output !== undefined)).toEqual([true, false, true, false]);
    expect(endless.keeps.map(({ toolUseId }) => toolUseId)).toEqual([
      events[0]?.toolUseId ?? "",
      events[2]?.toolUseId ?? "",
    ]);
  });

  test("config switches tools off and moves their thresholds", async () => {
    const off = await open({ leave: ["Ba*"] });
    expect(await off.answer(bash())).toBeUndefined();
    const high = await open({ over: { Bash: 20_000 } });
    expect(await high.answer(bash())).toBeUndefined();
    expect(openRoom(live, { config: { headlines: 3 } })).rejects.toThrow();
  });
});

describe("live: reading again", () => {
  test("what stands in the context already is left out", async () => {
    const { answer } = await open();
    expect(await answer(read(100))).toBeUndefined();
    expect(await answer(read(100))).toBeDefined();
  });

  test.each([
    ["another session", { session: "s2" }],
    ["another agent", { agent: { id: "a1", type: "Explore" } }],
  ])("%s knows nothing of it", async (_, fields) => {
    const { answer } = await open();
    await answer(read(100));
    expect(await answer(read(100, 1, fields))).toBeUndefined();
  });

  test.each([
    clientEvent("SessionStart", { source: "clear" }),
    clientEvent("SessionStart", { source: "compact" }),
    clientEvent("SessionStart", { source: "resume" }),
    clientEvent("PostCompact"),
  ])("an emptied context is forgotten ($name $source)", async (event) => {
    const { room, answer } = await open();
    await answer(read(100));
    if (event.name === "PostCompact") await room.hooks.sequence("PostCompact", event);
    else await room.hooks.sequence("SessionStart", event);
    expect(await answer(read(100))).toBeUndefined();
  });
});

/** Of a request that carried so many tokens. */
const answer = (tokens: number, more: object = {}): string =>
  JSON.stringify({
    ...{ type: "assistant", uuid: `u${tokens}`, ...more },
    message: {
      ...{ id: `m${tokens}`, role: "assistant", model: "claude-opus-4-5", content: [] },
      usage: { input_tokens: 10, cache_read_input_tokens: tokens - 10, output_tokens: 5 },
    },
  });
const boundary = JSON.stringify({ type: "system", subtype: "compact_boundary", uuid: "b" });
const sidechain = answer(120_000, { isSidechain: true });

test.each<[string, string[], number, object, boolean]>([
  ["an empty context: only long results are reduced", [answer(30_000)], 5_000, {}, false],
  ["a long one is", [answer(30_000)], 11_000, {}, true],
  ["at a quarter and more, those of some length are", [answer(60_000)], 5_000, {}, true],
  ["but no short ones", [answer(60_000)], 2_500, {}, false],
  ["from half on, all are", [answer(90_000)], 2_500, {}, true],
  ["the last request counts", [answer(90_000), answer(30_000)], 5_000, {}, false],
  ["a compaction makes room", [answer(150_000), boundary], 5_000, {}, false],
  [
    "a subagent's line in it is none of the session's",
    [answer(30_000), sidechain],
    5_000,
    {},
    false,
  ],
  ["who wants it has all reduced at once", [answer(30_000)], 2_500, { early: "all" }, true],
  ["a transcript that says nothing is no reason to wait", ["{}"], 2_500, {}, true],
])("how full the context is: %s", async (_, lines, characters, config, isReduced) => {
  const folder = await mkdtemp(join(tmpdir(), "memoir-live-"));
  try {
    const transcriptPath = join(folder, "s1.jsonl");
    await writeFile(transcriptPath, `${lines.join("\n")}\n`);
    const { answer: given } = await open(config);
    const tests = Array.from({ length: Math.ceil(characters / 40) }, (_, at) =>
      `ok ${at + 1} - the cart keeps its total`.padEnd(39),
    );
    const run = (fields: Partial<ToolUse>) =>
      given(bash(tests.join("\n"), { toolInput: { command: "npm test" }, ...fields }));
    expect((await run({ transcriptPath })) !== undefined).toBe(isReduced);
    // A subagent's context is its own.
    const agents = join(folder, "s1", "subagents");
    await mkdir(agents, { recursive: true });
    await writeFile(join(agents, "agent-a1.jsonl"), `${answer(90_000, { isSidechain: true })}\n`);
    const agent = { id: "a1", type: "Explore" };
    expect(await run({ transcriptPath, agent })).toBeDefined();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

const spoke = (id: string, block: object) =>
  JSON.stringify({ type: "assistant", message: { id, role: "assistant", content: [block] } });
const sentence = { type: "text", text: "I look whether order number 237 was replayed." };
const used = (id: string) => ({ type: "tool_use", id, name: "Bash", input: {} });
const came = JSON.stringify({
  type: "user",
  message: {
    role: "user",
    content: [{ type: "tool_result", tool_use_id: "other", content: "ok" }],
  },
});

test.each<[name: string, lines: (id: string) => string[], isShown: boolean]>([
  ["its message names a row", (id) => [spoke("m1", sentence), spoke("m1", used(id))], true],
  [
    "another use of the message ended before",
    (id) => [spoke("m1", sentence), spoke("m1", used(id)), spoke("m1", used("other")), came],
    true,
  ],
  ["an earlier message does", (id) => [spoke("m1", sentence), came, spoke("m2", used(id))], false],
  ["the use is not written yet", () => [spoke("m1", sentence)], false],
  ["there is no transcript", () => [], false],
])("what the agent said before the call: %s", async (_, lines, isShown) => {
  const folder = await mkdtemp(join(tmpdir(), "memoir-live-"));
  try {
    const { answer: given } = await open({ early: "all" });
    const agents = join(folder, "s1", "subagents");
    await mkdir(agents, { recursive: true });
    const transcriptPath = join(folder, "s1.jsonl");
    for (const agent of [undefined, { id: "a1", type: "Explore" }]) {
      const event = bash(log, { transcriptPath, ...(agent && { agent }) });
      const path = agent ? join(agents, "agent-a1.jsonl") : transcriptPath;
      const written = lines(event.toolUseId);
      if (written.length > 0) await writeFile(path, `${written.join("\n")}\n`);
      const { stdout } = (await given(event)) as { stdout: string };
      expect(stdout.split("\n").includes("10:00 replayed order number 237")).toBe(isShown);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
