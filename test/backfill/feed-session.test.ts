// Recorded sessions become memory: once, with their own times, whatever hooks told of them and however often it is interrupted.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isRead } from "../../src/backfill/feed-session.ts";
import { parseClaudeCode } from "../../src/clients/normal/payload.ts";
import { silentLog } from "../../src/home/log.ts";
import { builtins } from "../../src/runtime/builtins.ts";
import { createRuntime } from "../../src/runtime/runtime.ts";
import { MemoirError } from "../../src/sdk/errors.ts";
import { definePlugin } from "../../src/sdk/plugin.ts";
import { discoverTranscripts } from "../../src/transcript/discover.ts";
import { memoryContent } from "../support/memory-content.ts";
import { busySession, recordedSession } from "../support/recorded-session.ts";
import {
  closeRoom,
  feed,
  home,
  live,
  openRoom,
  projects,
  root,
  runtime,
  start,
  stored,
  useRuntime,
} from "./feed-room.ts";

beforeEach(openRoom);
afterEach(closeRoom);

describe("a recorded session", () => {
  test("is remembered with its own id, times, branch and folder, and is over", async () => {
    await busySession("s1", "/gone/shop", start, 2).write(projects);
    const [counts] = await feed();
    expect(counts).toEqual({ committed: 14, recovered: 0, delivered: 0, dropped: 0 });
    const { sessions, prompts, observations, summaries } = await stored();
    expect(sessions).toMatchObject([
      {
        id: "s1",
        status: "ended",
        startedAt: start,
        endedAt: start + 69_000,
        prompts: 2,
        project: { id: "/gone/shop", name: "shop", branch: "then" },
      },
    ]);
    expect(prompts.map(({ promptNumber, time }) => [promptNumber, time - start])).toEqual([
      [1, 0],
      [2, 60_000],
    ]);
    expect(observations.length).toBeGreaterThanOrEqual(2);
    for (const { time, branch, discoveryTokens } of observations) {
      expect(time).toBeGreaterThan(start);
      expect(time).toBeLessThan(start + 70_000);
      expect(branch).toBe("then");
      expect(discoveryTokens).toBeGreaterThan(0);
    }
    expect(summaries.map(({ scope }) => scope).sort()).toEqual(["prompt", "prompt", "session"]);
    for (const { time } of summaries) expect(time).toBeLessThan(start + 70_000);
  });

  test("read again brings nothing, also when its texts were dropped from the journal", async () => {
    await busySession("s1", "/gone/shop", start, 2).write(projects);
    await feed();
    const before = memoryContent(home);
    const { sessions } = await discoverTranscripts(projects);
    const [files] = sessions;
    if (!files) throw new Error("no session");
    expect(isRead(files, runtime.transcripts.marks("backfill"))).toBe(true);
    expect(isRead(files, new Map())).toBe(false);
    runtime.transcripts.mark("backfill", [
      { path: files.main?.path ?? "", bytes: 0, changedAt: 0, offset: 0, lines: 0 },
    ]);
    const [again] = await feed();
    expect(again).toMatchObject({ committed: 0, recovered: 14 });
    expect(memoryContent(home)).toEqual(before);
  });

  test("that grew goes on from its last prompt", async () => {
    const recorded = busySession("s1", "/gone/shop", start, 2);
    const path = await recorded.write(projects);
    await feed();
    const whole = busySession("s1", "/gone/shop", start, 3);
    const added = whole.lines.slice(recorded.lines.length);
    await appendFile(path, added.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const [counts] = await feed();
    // The second prompt is read again, the first is not.
    expect(counts).toMatchObject({ committed: 7, recovered: 6 });
    const { prompts, sessions } = await stored();
    expect(prompts.map(({ promptNumber }) => promptNumber)).toEqual([1, 2, 3]);
    expect(sessions[0]).toMatchObject({ prompts: 3, endedAt: start + 129_000 });
  });

  test("that may still go on is not ended, and is when it was silent for ten minutes", async () => {
    await busySession("s1", "/gone/shop", start, 1).write(projects);
    await feed(projects, { now: start + 60_000 });
    expect((await stored()).sessions[0]).toMatchObject({ status: "active" });
    runtime.transcripts.mark("backfill", []);
    const { sessions } = await discoverTranscripts(projects);
    runtime.transcripts.mark("backfill", [
      { path: sessions[0]?.main?.path ?? "", bytes: 1, changedAt: 0, offset: 0, lines: 0 },
    ]);
    await feed();
    const { sessions: after, summaries } = await stored();
    expect(after[0]).toMatchObject({ status: "ended" });
    expect(summaries.map(({ scope }) => scope).sort()).toEqual(["prompt", "session"]);
  });

  test("brings its subagents along, from files of their own", async () => {
    const main = busySession("s1", "/gone/shop", start, 1);
    const agent = recordedSession("s1", "/gone/shop", "a7");
    agent.prompt("Look for callers", start + 2_000);
    agent.run("grep -r header src", "src/a.ts: header()", start + 2_500);
    agent.say("Only src/a.ts calls header; nothing else needs to change.", start + 2_900);
    await main.write(projects);
    await agent.write(projects);
    const [counts] = await feed();
    expect(counts).toMatchObject({ committed: 10 });
    const { prompts } = await stored();
    expect(prompts).toHaveLength(1);
  });

  test("of which only subagents' files are left is remembered, and over", async () => {
    for (const [at, id] of ["a1", "a2"].entries()) {
      const agent = recordedSession("s1", "/gone/shop", id);
      agent.edit("src/a.ts", "const a = 1;", "export function header() {}", start + at * 60_000);
      agent.say("The header function is exported now.", start + at * 60_000 + 2_000);
      await agent.write(projects);
    }
    await feed();
    expect((await stored()).sessions).toMatchObject([{ id: "s1", status: "ended" }]);
  });

  test("below a folder that is gone stands under the first folder; one that is there keeps its own", async () => {
    const gone = recordedSession("s1", "/gone/shop");
    gone.prompt("Fix the exporter in the sub folder", start);
    gone.lines.push({
      ...gone.lines[0],
      cwd: "/gone/shop/sub",
      uuid: "u2",
      timestamp: new Date(start + 9_000).toISOString(),
      message: { role: "user", content: "And now its header too" },
    });
    await gone.write(projects);
    await feed();
    const { sessions, prompts } = await stored();
    expect(sessions[0]?.project.id).toBe("/gone/shop");
    expect(prompts.map(({ project }) => project)).toEqual(["/gone/shop", "/gone/shop"]);
  });

  test("of memoir's own is left alone", async () => {
    await busySession("s1", join(home, "scratch"), start, 1).write(projects);
    const [counts] = await feed();
    expect(counts).toMatchObject({ committed: 0 });
  });

  test("does not come before newer ones in what a session is told", async () => {
    const cwd = join(root, "shop");
    await mkdir(cwd);
    const recent = busySession("new", cwd, Date.now() - 3_600_000, 1);
    await live(recent);
    await busySession("old", cwd, start, 1).write(projects);
    await feed();
    const event = parseClaudeCode(
      { session_id: "next", cwd, hook_event_name: "SessionStart", source: "startup" },
      { id: "hook-next", time: Date.now() },
    );
    const { context = "" } = await runtime.reply(event);
    expect(context).toContain("new");
    expect(context.indexOf("new exporter")).toBeLessThan(context.indexOf("old exporter"));
  });
});

test("what is older than asked for is passed over", async () => {
  await busySession("s1", "/gone/shop", start, 2).write(projects);
  await feed(projects, { since: start + 30_000 });
  expect((await stored()).prompts.map(({ text }) => text)).toEqual([
    "Make the s1 exporter number 1 write headers",
  ]);
});

test.each([
  [true, 0],
  [false, 1],
])(
  "with a provider in force and modelFree %p, it is asked at least %i times",
  async (modelFree, least) => {
    await runtime.stop();
    await writeFile(join(home, "config.json"), JSON.stringify({ slots: { provider: "counting" } }));
    let calls = 0;
    const counting = definePlugin({
      name: "counting",
      description: "Counts.",
      sdk: 1,
      slot: "provider",
      hooks: {
        complete: () => {
          calls++;
          throw new MemoirError("provider_connection", "it only counts");
        },
      },
    });
    await useRuntime(
      createRuntime({
        home,
        log: silentLog,
        builtins: { ...builtins, counting: async () => ({ default: counting }) },
      }),
    );
    await busySession("s1", "/gone/shop", start, 2).write(projects);
    await feed(projects, { modelFree });
    if (modelFree) expect(calls).toBe(0);
    expect(calls).toBeGreaterThanOrEqual(least);
    expect((await stored()).observations.length).toBeGreaterThan(modelFree ? 0 : -1);
  },
);

test("no model is asked about it, until a hook tells of the session again", async () => {
  await busySession("s1", "/gone/shop", start, 1).write(projects);
  await feed();
  const journaled = await import("../../src/runtime/journal/journal.ts");
  await runtime.stop();
  const journal = await journaled.createJournal(join(home, "journal.db"), {
    now: Date.now,
    log: silentLog,
  });
  expect(journal.isModelFree("s1")).toBe(true);
  await journal.append(
    parseClaudeCode(
      { session_id: "s1", cwd: "/gone/shop", hook_event_name: "UserPromptSubmit", prompt: "Hi" },
      { id: "hook-again", time: Date.now() },
    ),
  );
  expect(journal.isModelFree("s1")).toBe(false);
  await journal.close();
});
