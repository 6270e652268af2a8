// Rewriting while a client has the session open: when it is worth a look, whose file, and what happens when it cannot be.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import transcript from "../../../plugins/endless-transcript/index.ts";
import type { ClientEvents } from "../../../src/sdk/events.ts";
import { clientEvent } from "../../support/client-events.ts";
import { type FakeEndless, fakeEndless } from "../../support/fake-endless.ts";
import type { KeptLog } from "../../support/kept-log.ts";
import { openRoom } from "../../support/plugin-room.ts";
import { said, transcriptScript, used } from "../../support/transcript-lines.ts";

const session = "11111111-2222-4333-8444-555555555555";
const now = Date.now();
const content = "const price = 19;\n".repeat(200);
let root: string;
let folder: string;
let path: string;
let endless: FakeEndless;
let log: KeptLog;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "memoir-live-"));
  folder = join(root, "claude/projects/-shop");
  path = join(folder, `${session}.jsonl`);
  await mkdir(join(folder, session, "subagents"), { recursive: true });
  await writeFile(path, text());
  endless = fakeEndless(() => now);
});
afterEach(() => rm(root, { recursive: true, force: true }));

function text(envelope: Record<string, unknown> = {}): string {
  const script = transcriptScript(envelope);
  script.user("Write the prices");
  script.assistant("m1", [used("t1", "Write", { file_path: "/shop/a.js", content })]);
  script.result("t1", "ok");
  script.assistant("m2", [said("Written.")]);
  script.user("Thanks");
  script.assistant("m3", [said("Nothing more.")]);
  return script.text();
}

async function open(config: object = {}) {
  const room = await openRoom(transcript, {
    ...{ config: { rewrite: "live", ...config }, home: join(root, "memoir"), endless },
    storage: { observations: async () => [] },
    now: () => now,
  });
  const { hooks } = room;
  log = room.log;
  const about = { session, transcriptPath: path, time: now };
  return {
    use: (more: Partial<ClientEvents["PostToolUse"]> = {}) =>
      hooks.sequence("PostToolUse", clientEvent("PostToolUse", { ...about, ...more })),
    prompt: () => hooks.sequence("UserPromptSubmit", clientEvent("UserPromptSubmit", { ...about })),
    agentEnds: (more: Partial<ClientEvents["SubagentStop"]> = {}) =>
      hooks.sequence(
        "SubagentStop",
        clientEvent("SubagentStop", { ...about, agent: { id: "a1b2" }, ...more }),
      ),
  };
}
const isCleared = async (file = path) => (await readFile(file, "utf8")).includes("_cleared");

test("a subagent that ended has its own file rewritten at once, and its session's is left", async () => {
  const agent = join(folder, session, "subagents/agent-a1b2.jsonl");
  await writeFile(agent, text({ isSidechain: true, agentId: "a1b2" }));
  const { agentEnds } = await open();
  await agentEnds({ recovered: { modelFree: true } });
  expect(await isCleared(agent)).toBe(false);
  await agentEnds();
  expect([await isCleared(agent), await isCleared()]).toEqual([true, false]);
  expect(endless.keeps.map(({ agent: of, session: whose }) => [of, whose])).toEqual([
    ["a1b2", session],
  ]);
});

test("a subagent without a file of its own changes nothing", async () => {
  const { agentEnds } = await open();
  await agentEnds();
  expect([await isCleared(), endless.keeps.length, log.lines]).toEqual([false, 0, []]);
});

test.each<[string, object, Partial<ClientEvents["PostToolUse"]>]>([
  ["only closed sessions are rewritten", { rewrite: "closed" }, {}],
  ["the event was read from a transcript", {}, { recovered: { modelFree: true } }],
  ["a subagent used the tool", {}, { agent: { id: "a1b2" } }],
  ["the client names no transcript", {}, { transcriptPath: undefined as never }],
  ["another session's file is named", {}, { session: "another" }],
])("nothing is rewritten at a tool use where %s", async (_, config, more) => {
  const { use, prompt } = await open(config);
  await prompt();
  await use(more);
  expect(await isCleared()).toBe(false);
});

test("where no turn is kept, a large input is cleared at the look after it; a small one asks for none", async () => {
  const { use } = await open({ keepTurns: 0 });
  const input = (size: number) => ({ toolInput: { content: "x".repeat(size) } });
  await use(input(10));
  await use(input(10));
  expect(await isCleared()).toBe(false);
  await use(input(20_000));
  expect(await isCleared()).toBe(false);
  await use(input(10));
  expect(await isCleared()).toBe(true);
  // Where turns are kept an input of this one stays anyway: nobody looks.
  await writeFile(path, text());
  const keeping = await open({ keepTurns: 1 });
  await keeping.use(input(20_000));
  await keeping.use(input(20_000));
  expect(await isCleared()).toBe(false);
});

test("once a prompt is looked at, the next look waits for the next prompt", async () => {
  const { use, prompt } = await open();
  await prompt();
  await use();
  expect(await isCleared()).toBe(true);
  await writeFile(path, text());
  await use();
  expect(await isCleared()).toBe(false);
  await prompt();
  await use();
  expect(await isCleared()).toBe(true);
});

test("a subagent's end is no look at its session's own file", async () => {
  const agent = join(folder, session, "subagents/agent-a1b2.jsonl");
  await writeFile(agent, text({ isSidechain: true, agentId: "a1b2" }));
  const { use, prompt, agentEnds } = await open();
  await prompt();
  await agentEnds();
  expect([await isCleared(agent), await isCleared()]).toEqual([true, false]);
  await use();
  expect(await isCleared()).toBe(true);
});

test("a file of more than fifty million bytes is left for when the session is closed", async () => {
  const { use, prompt } = await open();
  await truncate(path, 50_000_001);
  await prompt();
  await use();
  expect([endless.notes, endless.keeps, log.lines]).toEqual([[], [], []]);
});

test("where nothing has to change nothing is noted", async () => {
  const { use, prompt } = await open({ spareTools: ["Write"] });
  await prompt();
  await use();
  expect([endless.notes, log.lines]).toEqual([[], []]);
});

test("a rewrite that fails is told with its file, and the tool's answer goes out", async () => {
  Object.assign(endless, {
    keep: async () => {
      throw new Error("the disk is full");
    },
  });
  const { use, prompt } = await open();
  await prompt();
  await use();
  expect(await readFile(path, "utf8")).toBe(text());
  expect(log.lines).toMatchObject([
    {
      level: "warn",
      message: "a transcript could not be rewritten; it is as it was",
      fields: { session, path },
    },
  ]);
});

test("a line that is being written puts the rewrite off, with a word in the log and the statistics", async () => {
  const { use, prompt } = await open();
  const half = `${text()}{"type":"user","uuid":"half`;
  await writeFile(path, half);
  await prompt();
  await use({ project: { id: "p1", name: "p", root: "/p" } });
  const reason = "a line is being written";
  expect(await readFile(path, "utf8")).toBe(half);
  expect(endless.notes).toEqual([{ kind: "declined", session, project: "p1", reason }]);
  expect(log.lines).toMatchObject([
    { level: "info", message: "a transcript was not rewritten", fields: { session, reason } },
  ]);
});
