// The strategy `transcript`: it waits as it is told, rewrites closed sessions, keeps originals first, and says what it did.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import transcript from "../../../plugins/endless-transcript/index.ts";
import type { StorageClient } from "../../../src/sdk/context.ts";
import type { Observation } from "../../../src/sdk/model.ts";
import { restoreFile } from "../../../src/transcript/rewrite-file.ts";
import { undoFolder, undoPlaces } from "../../../src/transcript/undo-log.ts";
import { clientEvent } from "../../support/client-events.ts";
import { type FakeEndless, fakeEndless } from "../../support/fake-endless.ts";
import { openRoom } from "../../support/plugin-room.ts";
import { sampleObservation } from "../../support/sample-records.ts";
import { said, transcriptScript, used } from "../../support/transcript-lines.ts";

const session = "11111111-2222-4333-8444-555555555555";
const now = Date.now();
let root: string;
let home: string;
let path: string;
let endless: FakeEndless;
let observations: Observation[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "memoir-strategy-"));
  home = join(root, "memoir");
  path = join(root, "claude/projects/-shop", `${session}.jsonl`);
  await mkdir(join(root, "claude/sessions"), { recursive: true });
  await mkdir(join(root, "claude/projects/-shop", session, "subagents"), { recursive: true });
  await writeFile(path, text());
  endless = fakeEndless(() => now);
  observations = [{ ...sampleObservation({ session, toolUseIds: ["t1"] }), id: "o1" }];
});
afterEach(() => rm(root, { recursive: true, force: true }));

const content = "const price = 19;\n".repeat(200);

function text(envelope: Record<string, unknown> = {}): string {
  const script = transcriptScript(envelope);
  script.user("Write the prices");
  script.assistant("m1", [used("t1", "Write", { file_path: "/shop/a.js", content })]);
  script.result("t1", "ok");
  script.assistant("m2", [said("Written.")]);
  script.user("Thanks");
  script.assistant("m3", [used("t2", "Write", { file_path: "/shop/b.js", content })]);
  script.result("t2", "ok");
  script.assistant("m4", [said("Nothing more.")]);
  return script.text();
}

async function open(config: object = {}) {
  const storage: Partial<StorageClient> = {
    observations: async () => observations,
    get: async ({ ids }) =>
      observations
        .filter(({ id }) => ids.includes(id))
        .map((record) => ({ kind: "observation" as const, record })),
  };
  return openRoom(transcript, { config, storage, home, endless, now: () => now });
}

const event = { session, transcriptPath: "", time: now };
const about = () => ({ ...event, transcriptPath: path });
const toolUse = () =>
  clientEvent("PostToolUse", { ...about(), toolUseId: "t1", toolName: "Write" });

async function until(test: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await test())) await Bun.sleep(10);
}
const read = () => readFile(path, "utf8");
const kinds = () => endless.notes.map(({ kind }) => kind);

describe("waiting", () => {
  test("what was observed is given back in its mark, once for tools that ran side by side", async () => {
    const { hooks } = await open({ wait: true });
    const end = { session, outcome: "stored" as const, observations: ["o1"] };
    endless.ends.set("t1", { ...end, toolUseId: "t1" });
    endless.ends.set("t2", { ...end, toolUseId: "t2" });
    await hooks.sequence("PreToolUse", clientEvent("PreToolUse", { ...about(), toolUseId: "t1" }));
    const [answer] = await hooks.sequence("PostToolUse", toolUse());
    expect(answer?.result.context).toStartWith('<memoir-context tool-use="t1">\n');
    expect(answer?.result.context).toContain(observations[0]?.title ?? "?");
    expect(answer?.result.records).toEqual(["o1"]);
    const second = await hooks.sequence("PostToolUse", { ...toolUse(), toolUseId: "t2" });
    expect(second[0]?.result).toBeUndefined();
    expect(kinds()).toEqual(["ran", "waited", "injected", "waited"]);
  });

  test("skipped and parked release it; nothing in time falls back", async () => {
    const { hooks } = await open({ wait: true, waitSeconds: 1 });
    const end = { session, toolUseId: "t1", reason: "routine", observations: [] };
    for (const outcome of ["skipped", "parked"] as const) {
      endless.ends.set("t1", { ...end, outcome });
      expect((await hooks.sequence("PostToolUse", toolUse()))[0]?.result).toBeUndefined();
    }
    endless.ends.clear();
    expect((await hooks.sequence("PostToolUse", toolUse()))[0]?.result).toBeUndefined();
    expect(endless.notes.map(({ kind, reason }) => reason ?? kind)).toEqual([
      "skipped",
      "parked",
      "timed-out",
    ]);
  });

  test("another session's tool use of the same id tells this one nothing", async () => {
    const { hooks } = await open({ wait: true });
    const end = { session: "other", outcome: "stored" as const, observations: ["o1"] };
    endless.ends.set("t1", { ...end, toolUseId: "t1" });
    expect((await hooks.sequence("PostToolUse", toolUse()))[0]?.result).toBeUndefined();
    expect(kinds()).toEqual(["timed-out"]);
  });

  test("nobody waits for what comes from the spool or a transcript, or when it is off", async () => {
    const { hooks } = await open({ wait: true });
    await hooks.sequence("PostToolUse", { ...toolUse(), time: now - 60_000 });
    await hooks.sequence("PostToolUse", { ...toolUse(), recovered: { modelFree: true } });
    await (await open()).hooks.sequence("PostToolUse", toolUse());
    expect(endless.notes).toEqual([]);
  });

  test("the time it may take follows config", async () => {
    const deadline = async (config: object) =>
      (await open(config)).hooks.subscriptions().find(({ hook }) => hook === "PostToolUse")
        ?.deadlineMs;
    expect(await deadline({})).toBe(1_000);
    expect(await deadline({ wait: true })).toBe(95_000);
    expect(await deadline({ wait: true, waitSeconds: 10 })).toBe(15_000);
  });
});

describe("a session that ended", () => {
  test("of several observations about one turn, one fetch carries all ids", async () => {
    const script = transcriptScript();
    script.user("Write the prices");
    script.assistant("m1", [used("t1", "Write", { file_path: "/shop/a.js", content })]);
    script.result("t1", "ok");
    script.assistant("m2", [used("t3", "Write", { file_path: "/shop/c.js", content })]);
    script.result("t3", "ok");
    script.assistant("m3", [said("Written.")]);
    script.user("Thanks");
    script.assistant("m4", [said("Nothing more.")]);
    await writeFile(path, script.text());
    observations.push({ ...sampleObservation({ session, toolUseIds: ["t3"] }), id: "o2" });
    const { hooks } = await open();
    await hooks.sequence("SessionEnd", clientEvent("SessionEnd", about()));
    await until(async () => kinds().includes("injected"));
    const fetches = [...(await read()).matchAll(/"name":"mcp__memoir__get","input":(\{[^}]*\})/g)];
    expect(fetches.map(([, input]) => input)).toEqual(['{"ids":["o1","o2"]}']);
  });

  test("is cleared beside thinking too, in turns that are over, and the thinking stays", async () => {
    const thinking = { type: "thinking", thinking: "hm", signature: "s" };
    const lines = text()
      .split("\n")
      .map((line) =>
        line.includes('"type":"tool_use"')
          ? line.replace('"content":[{', `"content":[${JSON.stringify(thinking)},{`)
          : line,
      );
    await writeFile(path, lines.join("\n"));
    const { hooks } = await open();
    await hooks.sequence("SessionEnd", clientEvent("SessionEnd", about()));
    await until(() => kinds().includes("rewrote"));
    const now = await read();
    expect(now.split('"thinking":"hm"').length - 1).toBe(2);
    expect(now.split("const price").length - 1).toBe(200);
    expect(endless.keeps.map(({ toolUseId }) => toolUseId)).toEqual(["t1"]);
  });

  test("a tool whose inputs are fetched back too often keeps them", async () => {
    endless.toolFigures = [
      {
        ...{ tool: "Write", kind: "input cleared", reduced: 20, charactersOut: 9, fetchedBack: 19 },
        ...{ charactersBack: 9, judged: true, profits: false, why: "19 of 20" },
      },
    ];
    const { hooks } = await open();
    await hooks.sequence("SessionEnd", clientEvent("SessionEnd", about()));
    await Bun.sleep(600);
    expect([await read(), endless.keeps]).toEqual([text(), []]);
  });

  test("is rewritten: the original is kept, the input cleared, the observation put in, the last turn whole", async () => {
    const { hooks } = await open();
    await hooks.sequence("SessionEnd", clientEvent("SessionEnd", about()));
    await until(async () => kinds().includes("injected"));
    const now = await read();
    expect(now).toMatch(
      /"input":\{"_cleared":true,"message":"\[Input removed to save ~\d+ tokens; memoir recall t1\]"\}/,
    );
    expect(now).toContain('"name":"mcp__memoir__get","input":{"ids":["o1"]}');
    expect(now.split("const price").length - 1).toBe(200);
    expect(endless.keeps).toMatchObject([
      { session, toolUseId: "t1", tool: "Write", part: "input", value: { content } },
    ]);
    expect(kinds()).toEqual(["rewrote", "injected"]);
    const [place = ""] = await undoPlaces(undoFolder(home), session);
    await restoreFile(place, { mayReplace: async () => true, drainMs: 0 });
    expect(await read()).toBe(text());
  });

  test("waits while a client has it open, also over the end of this process", async () => {
    const registered = join(root, "claude/sessions/1.json");
    await writeFile(registered, JSON.stringify({ pid: process.pid, sessionId: session }));
    const first = await open();
    await first.hooks.sequence("SessionEnd", clientEvent("SessionEnd", about()));
    await Bun.sleep(300);
    expect(await read()).toBe(text());
    // A server that was killed: nobody stopped the plugin, its list is on disk.
    await rm(registered);
    await open();
    await until(async () => (await read()).includes("_cleared"));
    await until(async () => (await readFile(join(home, "endless/ended.json"), "utf8")) === "{}");
    expect(endless.keeps.length).toBeGreaterThan(0);
  });

  test("that goes on is left alone", async () => {
    const registered = join(root, "claude/sessions/1.json");
    await writeFile(registered, JSON.stringify({ pid: process.pid, sessionId: session }));
    const { hooks } = await open();
    await hooks.sequence("SessionEnd", clientEvent("SessionEnd", about()));
    await hooks.sequence("SessionStart", clientEvent("SessionStart", about()));
    expect(await readFile(join(home, "endless/ended.json"), "utf8")).toBe("{}");
    expect(await read()).toBe(text());
  });

  test.each<[string, object, () => unknown]>([
    ["nothing may be kept", {}, () => Object.assign(endless, { mayKeep: false })],
    ["the tool is spared", { spareTools: ["Wri*"] }, () => {}],
    ["more turns are kept", { keepTurns: 2 }, () => {}],
    ["it is never to be", { rewrite: "never" }, () => {}],
    [
      "the client does not say what it has open",
      {},
      () => rm(join(root, "claude/sessions"), { recursive: true }),
    ],
  ])("stays as it is where %s", async (_, config, prepare) => {
    await prepare();
    const { hooks } = await open(config);
    await hooks.sequence("SessionEnd", clientEvent("SessionEnd", about()));
    const list = join(home, "endless/ended.json");
    await until(async () => (await readFile(list, "utf8").catch(() => "{}")) === "{}");
    expect(await read()).toBe(text());
    expect(kinds()).not.toContain("rewrote");
  });

  test("a file that only bears the name of another is never touched", async () => {
    const victim = join(root, "victim.jsonl");
    await writeFile(victim, text());
    const linked = join(
      root,
      "claude/projects/-shop",
      "22222222-2222-4333-8444-555555555555.jsonl",
    );
    await symlink(victim, linked);
    const { hooks } = await open();
    const other = { ...event, session: "22222222-2222-4333-8444-555555555555" };
    await hooks.sequence(
      "SessionEnd",
      clientEvent("SessionEnd", { ...other, transcriptPath: linked }),
    );
    await hooks.sequence(
      "SessionEnd",
      clientEvent("SessionEnd", { ...event, transcriptPath: victim }),
    );
    await until(async () => (await readFile(join(home, "endless/ended.json"), "utf8")) === "{}");
    expect(await readFile(victim, "utf8")).toBe(text());
  });

  test("its subagents' files are rewritten too; what is left is the last message", async () => {
    const agent = join(root, "claude/projects/-shop", session, "subagents/agent-a1b2.jsonl");
    await writeFile(agent, text({ isSidechain: true, agentId: "a1b2" }));
    const { hooks } = await open();
    await hooks.sequence("SessionEnd", clientEvent("SessionEnd", about()));
    await until(async () => (await readFile(agent, "utf8")).includes("_cleared"));
    await until(async () => (await readFile(join(home, "endless/ended.json"), "utf8")) === "{}");
    expect((await readFile(agent, "utf8")).split("_cleared").length - 1).toBe(2);
    expect(endless.keeps.filter((kept) => kept.agent === "a1b2").length).toBe(2);
    expect((await readdir(join(root, "claude/projects/-shop", session, "subagents"))).length).toBe(
      1,
    );
  });

  test("an observation that a hook told already is not put in again", async () => {
    const lines = text().trimEnd().split("\n");
    const told = {
      parentUuid: "u3",
      type: "attachment",
      uuid: "told",
      attachment: { content: ['<memoir-context tool-use="t1">\nSaw it.\n</memoir-context>'] },
    };
    const next = (lines[3] ?? "").replace('"parentUuid":"u3"', '"parentUuid":"told"');
    await writeFile(
      path,
      `${[...lines.slice(0, 3), JSON.stringify(told), next, ...lines.slice(4)].join("\n")}\n`,
    );
    const { hooks } = await open();
    await hooks.sequence("SessionEnd", clientEvent("SessionEnd", about()));
    await until(async () => kinds().includes("rewrote"));
    expect(await read()).not.toContain("mcp__memoir__get");
  });
});

describe("at tool time", () => {
  test("what earlier turns left is cleared before the tool's answer goes out, once a prompt", async () => {
    const { hooks } = await open({ rewrite: "live" });
    await hooks.sequence("PostToolUse", toolUse());
    expect(await read()).toBe(text());
    await hooks.sequence("UserPromptSubmit", clientEvent("UserPromptSubmit", about()));
    await hooks.sequence("PostToolUse", toolUse());
    expect(await read()).toContain("_cleared");
    expect(kinds()).toContain("rewrote");
  });
});
