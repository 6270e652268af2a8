// A batch is given the conversation around its tool uses, cleaned, from the right files; nothing wrong with a file hurts.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { wrapContext } from "../../../src/privacy/marker.ts";
import { scrubDeep } from "../../../src/privacy/redact.ts";
import { createContextReader, scrubThrough } from "../../../src/runtime/context/read-contexts.ts";
import type { ClientEvent } from "../../../src/sdk/events.ts";
import type { ObservationBatch, ToolUse } from "../../../src/sdk/work.ts";
import { defaultContextLimits } from "../../../src/transcript/context.ts";
import { keptLog } from "../../support/kept-log.ts";
import { said, thought, transcriptScript, used } from "../../support/transcript-lines.ts";

let home = "";
let projects = "";
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "memoir-contexts-"));
  projects = join(home, "projects");
  await mkdir(join(projects, "p"), { recursive: true });
});
afterEach(() => rm(home, { recursive: true, force: true }));

const scrubbing = (event: ClientEvent): ClientEvent => ({
  ...event,
  extra: scrubDeep(event.extra).value as Record<string, unknown>,
});

function reader(
  capture: (
    event: ClientEvent,
  ) => Promise<{ event: ClientEvent; failed: string[] } | { drop: string; by: string }> = async (
    event,
  ) => ({ event: scrubbing(event), failed: [] }),
) {
  const log = keptLog();
  const limits = { ...defaultContextLimits, reasoning: 60 };
  const read = createContextReader({
    folders: [projects],
    limits,
    scrub: scrubThrough(capture),
    log,
  });
  return { read, log };
}

function use(id: string, more: Partial<ToolUse> = {}): ToolUse {
  return {
    id,
    name: "Read",
    input: {},
    time: Date.UTC(2026, 2, 1, 10, 5),
    cwd: "/home/kim/shop",
    ...more,
  };
}

function batch(
  toolUses: ToolUse[],
  transcriptPath = join(projects, "p/s1.jsonl"),
): ObservationBatch {
  const project = { id: "shop", name: "shop", root: "/home/kim/shop" };
  const session = { id: "s1", client: "claude-code", project, transcriptPath };
  return { key: "k", session, toolUses, waiting: false };
}

const put = (name: string, text: string) => writeFile(join(projects, "p", name), text);

function talk() {
  const script = transcriptScript();
  script.user("Rotate the key, please");
  script.assistant("m1", [thought("Where is it kept?"), said("Looking."), used("t1")], {
    input_tokens: 100,
    output_tokens: 20,
  });
  script.result("t1", "found");
  return script;
}

describe("createContextReader", () => {
  test("gives context and tokens", async () => {
    await put("s1.jsonl", talk().text());
    const { contexts, tokens } = await reader().read(batch([use("t1"), use("t2")]));
    expect(contexts.get("t1")).toEqual({
      userIntent: "Rotate the key, please",
      reasoning: "Where is it kept?",
      assistantText: "Looking.",
      result: "found",
      turns: [],
      model: "claude-test-1",
      usage: { input: 100, output: 20, cacheRead: 0, cacheWrite: 0 },
      cwd: "/home/kim/shop",
      branch: "main",
      version: "2.1.329",
      time: Date.UTC(2026, 2, 1, 10, 0, 2),
    });
    // The file is behind: what there is, and marked.
    expect(contexts.get("t2")).toMatchObject({
      userIntent: "Rotate the key, please",
      partial: true,
    });
    expect([...tokens]).toEqual([["t1", 120]]);
  });

  test("cleans texts before it shortens them", async () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const script = transcriptScript();
    script.user(`${wrapContext("old memories")}Use it <private>my diary</private>`);
    script.assistant("m1", [
      thought(`The token we need for this is called ${secret} and is secret`),
      said("<private>all of it"),
      used("t1"),
    ]);
    script.result("t1", `export const token = "${secret}";`);
    await put("s1.jsonl", script.text());
    const { contexts } = await reader().read(batch([use("t1")]));
    const told = JSON.stringify(contexts.get("t1"));
    for (const kept of ["ghp_", "diary", "all of it", "old memories"])
      expect(told).not.toContain(kept);
    expect(contexts.get("t1")).toMatchObject({
      userIntent: "Use it",
      reasoning: expect.stringMatching(
        /^The token we need for this is called \[redacted:.{1,22}…$/,
      ),
    });
    expect(contexts.get("t1")?.assistantText).toBeUndefined();
  });

  test.each([
    [
      "fails",
      async (event: ClientEvent) => ({ event: { ...event, withheld: true }, failed: ["x"] }),
    ],
    ["drops the event", async () => ({ drop: "no", by: "x" })],
    [
      "loses the texts",
      async ({ extra: _, ...event }: ClientEvent) => ({ event: event as ClientEvent, failed: [] }),
    ],
    [
      "merges texts",
      async (event: ClientEvent) => ({
        event: { ...event, extra: { texts: { 0: "all" } } },
        failed: [],
      }),
    ],
  ])("gives no text when capture %s", async (_, capture) => {
    await put("s1.jsonl", talk().text());
    const { contexts, tokens } = await reader(capture).read(batch([use("t1")]));
    expect(Object.keys(contexts.get("t1") ?? {}).sort()).toEqual(
      ["branch", "cwd", "model", "time", "turns", "usage", "version"].sort(),
    );
    expect(tokens.get("t1")).toBe(120);
  });

  test("sends many texts in several events, each text once", async () => {
    const script = transcriptScript();
    script.user("Read all of it");
    for (let n = 0; n < 400; n++) {
      script.assistant(`m${n}`, [used(`t${n}`)]);
      script.result(`t${n}`, `${n} ${"word ".repeat(400)}`);
    }
    await put("s1.jsonl", script.text());
    let events = 0;
    let texts = 0;
    const { contexts } = await reader(async (event) => {
      events++;
      texts += Object.keys((event.extra?.texts ?? {}) as object).length;
      return { event, failed: [] };
    }).read(batch(Array.from({ length: 400 }, (_, n) => use(`t${n}`))));
    expect(contexts.size).toBe(400);
    expect(contexts.get("t7")?.result).toStartWith("7 word");
    expect(texts).toBe(401);
    expect(events).toBeGreaterThan(3);
  });

  test("reads a subagent's own file, and its lines in the session's", async () => {
    const main = talk();
    main.user("Old task", { isSidechain: true, agentId: "old", parentUuid: null });
    main.assistant("mo", [used("to")], undefined, { isSidechain: true, agentId: "old" });
    await put("s1.jsonl", main.text());
    await mkdir(join(projects, "p/s1/subagents/deeper"), { recursive: true });
    const agent = transcriptScript({ isSidechain: true, agentId: "a1" });
    agent.user("Explore the code");
    agent.assistant("ma", [used("ta")], { output_tokens: 5 });
    await put("s1/subagents/deeper/agent-a1.jsonl", agent.text());
    const { contexts, tokens } = await reader().read(
      batch([use("t1"), use("ta", { agent: { id: "a1" } }), use("to", { agent: { id: "old" } })]),
    );
    expect(["t1", "ta", "to"].map((id) => contexts.get(id)?.userIntent)).toEqual([
      "Rotate the key, please",
      "Explore the code",
      "Old task",
    ]);
    expect(tokens.get("ta")).toBe(5);
  });

  test("begins where the batch was, however far the file has grown", async () => {
    const old = talk().text();
    const line = `${JSON.stringify({ type: "user", timestamp: "2026-04-01T00:00:00Z", x: "y".repeat(90_000) })}\n`;
    await put("s1.jsonl", old + line.repeat(60));
    const own = batch([use("t1")]);
    const limits = { ...defaultContextLimits, bytes: 2 * 1024 * 1024 };
    const scrub = scrubThrough(async (event) => ({ event, failed: [] }));
    const read = createContextReader({ folders: [projects], limits, scrub, log: keptLog() });
    // By the recorded size, and by time.
    expect((await read(own, old.length)).contexts.get("t1")?.result).toBe("found");
    expect((await read(own)).contexts.get("t1")?.result).toBe("found");
    expect((await read(own, 9_999_999)).contexts.get("t1")).toBeUndefined();
  });

  test.each([
    ["is missing", () => Promise.resolve()],
    ["is empty", () => put("s1.jsonl", "")],
    ["is binary", () => put("s1.jsonl", "\u0000\ufffd{".repeat(10_000))],
    ["is one endless line", () => put("s1.jsonl", "x".repeat(3_000_000))],
    ["is a folder", async () => void (await mkdir(join(projects, "p/s1.jsonl")))],
    [
      "is a link to elsewhere",
      async () => {
        await writeFile(join(home, "diary.jsonl"), talk().text());
        await symlink(join(home, "diary.jsonl"), join(projects, "p/s1.jsonl"));
      },
    ],
  ])("gives nothing for a file that %s", async (_, prepare) => {
    await prepare();
    const { read, log } = reader();
    const { contexts, tokens } = await read(batch([use("t1")]));
    expect([contexts.size, tokens.size]).toEqual([0, 0]);
    expect(log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  test("gives nothing for a path outside, or none", async () => {
    await writeFile(join(home, "other.jsonl"), talk().text());
    expect((await reader().read(batch([use("t1")], join(home, "other.jsonl")))).contexts.size).toBe(
      0,
    );
    const { session, ...rest } = batch([use("t1")]);
    const { transcriptPath: _, ...bare } = session;
    expect((await reader().read({ ...rest, session: bare })).contexts.size).toBe(0);
  });
});
