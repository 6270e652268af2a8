// A home of an earlier version gets its turns: of the journal, of transcripts, of prompts alone; the same as they would have been, once.

import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { feedSession } from "../../src/backfill/feed-session.ts";
import { startTurnMigration } from "../../src/backfill/turn-migration.ts";
import { silentLog } from "../../src/home/log.ts";
import { createRuntime, type Runtime } from "../../src/runtime/runtime.ts";
import { importLines } from "../../src/server/memory/transfer/import-lines.ts";
import { samplePrompt, sampleSession } from "../../src/testing/samples.ts";
import { discoverTranscripts } from "../../src/transcript/discover.ts";
import { busySession, recordedSession } from "../support/recorded-session.ts";

const start = Date.parse("2025-03-01T10:00:00Z");
let root: string;
let runtime: Runtime;
const home = () => join(root, "home");
const projects = () => join(root, "projects");
const open = async () => {
  runtime = await createRuntime({ home: home(), log: silentLog });
};

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "memoir-turns-"));
  await open();
});
afterEach(async () => {
  await runtime.stop();
  await rm(root, { recursive: true, force: true });
});

async function feed(): Promise<void> {
  const { sessions } = await discoverTranscripts(projects());
  for (const files of sessions)
    await feedSession(files, {
      runtime: runtime.transcripts,
      reader: "backfill",
      modelFree: true,
      now: Date.now,
      home: home(),
    });
}

/** As a home of the version before turns: the memory has none. */
async function forgetTurns(): Promise<void> {
  await runtime.stop();
  const db = new Database(join(home(), "memory.db"));
  db.exec("DELETE FROM turns");
  db.close();
  await open();
}

async function migrate(): Promise<void> {
  await startTurnMigration({
    ...runtime.transcripts,
    hooks: () => runtime.hooks,
    home: home(),
    now: Date.now,
    log: silentLog,
    waitMs: 0,
    pauseMs: 0,
  }).done;
}

async function turns() {
  const answer = await runtime.hooks.first("storage.turns", { order: "oldest" });
  return (answer?.result ?? []).map(({ id: _, branch: __, ...turn }) => turn);
}

test("from transcripts they are what they would have been, with what subagents did", async () => {
  const main = busySession("s1", "/gone/shop", start, 2);
  const agent = recordedSession("s1", "/gone/shop", "a7");
  agent.prompt("Look for callers", start + 2_000);
  agent.run("grep -r header src", "src/a.ts: header()", start + 2_500);
  agent.say("Only src/a.ts calls header.", start + 2_900);
  await main.write(projects());
  await agent.write(projects());
  await busySession("s2", "/gone/shop", start + 3_600_000, 1).write(projects());
  await feed();
  const before = await turns();
  expect(before.map(({ session, promptNumber }) => session + promptNumber)).toEqual([
    "s11",
    "s12",
    "s21",
  ]);
  expect(before[0]?.pieces.map(({ kind }) => kind)).toContain("report");
  await forgetTurns();
  await migrate();
  const after = await turns();
  const sorted = (all: typeof before) =>
    all.map((turn) => ({
      ...turn,
      pieces: turn.pieces.map((piece) => JSON.stringify(piece)).sort(),
    }));
  expect(sorted(after)).toEqual(sorted(before));
});

test("without a transcript the prompt is kept, and what is missing is told; later it is filled", async () => {
  const recorded = busySession("s1", "/gone/shop", start, 1);
  const path = await recorded.write(projects());
  await feed();
  await rm(path);
  await forgetTurns();
  await migrate();
  const [bare] = await turns();
  expect(bare).toMatchObject({ gaps: true, end: "open", pieces: [{ kind: "prompt" }] });
  await recorded.write(projects());
  runtime.transcripts.mark("turns", [
    { path: "claude-code:s1", bytes: 0, changedAt: 0, offset: 0, lines: 0 },
  ]);
  await migrate();
  const [whole] = await turns();
  expect([whole?.gaps, whole?.end]).toEqual([undefined, "closed"]);
});

test("of a session that hooks told of lately they are made of the journal", async () => {
  const event = { session: "s1", client: "claude-code", cwd: "/gone/shop", time: Date.now() };
  const base = (id: string) => ({ ...event, id, key: id });
  await runtime.handle({ ...base("e1"), name: "UserPromptSubmit", prompt: "Why?" });
  await runtime.handle({
    ...base("e2"),
    name: "Stop",
    stopHookActive: false,
    lastAssistantMessage: "Because.",
  });
  await runtime.drain({ timeoutMs: 5_000 });
  await forgetTurns();
  await migrate();
  expect((await turns())[0]?.pieces.map(({ text }) => text)).toEqual(["Why?", "Because."]);
});

test("it is done once, and stops when it is told to", async () => {
  await busySession("s1", "/gone/shop", start, 1).write(projects());
  await feed();
  await forgetTurns();
  const stopped = startTurnMigration({
    ...runtime.transcripts,
    hooks: () => runtime.hooks,
    home: home(),
    now: Date.now,
    log: silentLog,
  });
  await stopped.stop();
  expect(await turns()).toEqual([]);
  await migrate();
  expect(await turns()).toHaveLength(1);
  await forgetTurns();
  await migrate();
  expect(await turns()).toEqual([]);
});

test("what an import brings is left alone: its turns may come with a later line", async () => {
  await busySession("s1", "/gone/shop", start, 1).write(projects());
  await feed();
  await forgetTurns();
  const lines = [
    { kind: "session", record: sampleSession({ id: "s2" }) },
    { kind: "prompt", record: samplePrompt({ session: "s2" }) },
  ].map((one, at) => ({ line: at + 1, text: JSON.stringify(one) }));
  await importLines(runtime, lines, false);
  await migrate();
  const answer = await runtime.hooks.first("storage.turns", { order: "oldest" });
  expect(answer?.result.map(({ session }) => session)).toEqual(["s1"]);
});

test("it goes on where it was left, and makes nothing twice", async () => {
  for (const at of [0, 1, 2])
    await busySession(`s${at}`, "/gone/shop", start + at * 3_600_000, 1).write(projects());
  await feed();
  const before = await turns();
  await forgetTurns();
  const puts: string[] = [];
  let one: ReturnType<typeof startTurnMigration> | undefined;
  const left = new Promise<void>((resolve) => {
    one = startTurnMigration({
      ...runtime.transcripts,
      hooks: () => runtime.hooks,
      home: home(),
      now: Date.now,
      log: silentLog,
      waitMs: 0,
      pauseMs: 600_000,
      mark(reader, marks) {
        runtime.transcripts.mark(reader, marks);
        puts.push(...marks.map(({ path }) => path));
        resolve();
      },
    });
  });
  await left;
  await one?.stop();
  expect(puts).toEqual(["claude-code:s2"]);
  expect(await turns()).toHaveLength(1);
  await migrate();
  expect(await turns()).toEqual(before);
});

test("a session that goes on meanwhile is left alone: its turn is made when it ends", async () => {
  const event = {
    session: "s1",
    client: "claude-code",
    cwd: "/gone/shop",
    time: Date.now() + 1_000,
  };
  const base = (id: string) => ({ ...event, id, key: id });
  await runtime.handle({ ...base("e1"), name: "UserPromptSubmit", prompt: "Why?" });
  await runtime.drain({ timeoutMs: 5_000 });
  await migrate();
  expect(await turns()).toEqual([]);
});
