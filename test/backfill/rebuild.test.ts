// What storage or the journal lost is made again: of the journal's events, else of transcripts; as it was, once, and without what was forgotten.
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createRebuild } from "../../src/backfill/rebuild.ts";
import {
  addFinding,
  findingText,
  isRebuildWanted,
  openFindings,
  type RebuildWanted,
  readFindings,
  wantRebuild,
} from "../../src/home/findings.ts";
import { silentLog } from "../../src/home/log.ts";
import { createRuntime } from "../../src/runtime/runtime.ts";
import type { Turn } from "../../src/sdk/turn.ts";
import { busySession, type RecordedLines, recordedSession } from "../support/recorded-session.ts";
import {
  closeRoom,
  feed,
  home,
  live,
  openRoom,
  projects,
  runtime,
  start,
  stored,
  useRuntime,
} from "./feed-room.ts";

const damage: RebuildWanted = { time: 5, file: "memory.db", why: "damage" };

beforeEach(openRoom);
afterEach(closeRoom);

async function rebuilt(...wanted: RebuildWanted[]): Promise<void> {
  for (const one of wanted) wantRebuild(home, one);
  const deps = { ...runtime.transcripts, hooks: () => runtime.hooks };
  await createRebuild({ ...deps, home, log: silentLog, now: Date.now, waitMs: 0 }).look();
  expect(isRebuildWanted(home)).toBe(false);
}

/** Changes a database of the home while no runtime is there. */
async function without(change: () => Promise<void> | void): Promise<void> {
  await runtime.stop();
  await change();
  await useRuntime(createRuntime({ home, log: silentLog }));
}

function execute(file: string, sql: string): void {
  const db = new Database(join(home, file));
  db.exec(`PRAGMA foreign_keys = ON; ${sql}`);
  db.close();
}

async function removed(name: string): Promise<void> {
  for (const ending of ["", "-wal", "-shm"]) await rm(join(home, name + ending), { force: true });
}

/** What memory says, without what differs by the time at which it was written. */
async function told() {
  const all = await stored();
  const turns = (await runtime.hooks.first("storage.turns", { limit: 200, order: "oldest" }))
    ?.result as Turn[];
  const bare = (records: readonly object[]) =>
    records.map((record) => ({ ...record, id: "", provenance: null }));
  return {
    sessions: all.sessions.map(({ id, title, prompts, status }) => ({
      ...{ id, title, prompts, status },
    })),
    prompts: bare(all.prompts),
    turns: bare(turns),
    summaries: bare(all.summaries),
    observations: bare(all.observations),
  };
}

async function liveOf(recorded: RecordedLines): Promise<void> {
  await live(recorded, 0, recorded.lines.length, await recorded.write(projects));
}

/** As after a month: the journal knows only that it happened. */
const pruned =
  "DELETE FROM payloads; DELETE FROM work_events; DELETE FROM work; DELETE FROM events";
const secondPrompt = ["prompts", "turns", "session_summaries", "observations"]
  .map((table) => `DELETE FROM ${table} WHERE prompt_number = 2`)
  .join(";");

test("a memory that is gone is made of the journal as it was, and once", async () => {
  await live(busySession("s1", "/gone/shop", start, 3));
  const before = await told();
  expect([before.turns.length, before.prompts.length]).toEqual([3, 3]);
  expect(before.observations.length).toBeGreaterThan(0);
  await without(() => removed("memory.db"));
  await rebuilt({ ...damage, time: readFindings(home)[0]?.time ?? 0 });
  expect(await told()).toEqual(before);
  await rebuilt(damage);
  expect(await told()).toEqual(before);
});

test("of a memory that lost a part, that part alone is made", async () => {
  await live(busySession("s1", "/gone/shop", start, 3));
  const before = await told();
  const ids = (await stored()).observations.map(({ id }) => id);
  await without(() => execute("memory.db", secondPrompt));
  expect(await told()).not.toEqual(before);
  await rebuilt(damage);
  const after = await told();
  const byTime = (all: object[]) =>
    all.map((one) => JSON.stringify({ ...one, supersededBy: null })).sort();
  expect(byTime(after.turns)).toEqual(byTime(before.turns));
  expect(byTime(after.observations)).toEqual(byTime(before.observations));
  const kept = (await stored()).observations.map(({ id }) => id);
  expect(ids.filter((id) => kept.includes(id)).length).toBeGreaterThan(0);
});

test("what the journal let go of comes from the transcript, under the numbers it had", async () => {
  await liveOf(busySession("s1", "/gone/shop", start, 4));
  const before = await told();
  await without(() => {
    execute("journal.db", pruned);
    execute("memory.db", secondPrompt);
  });
  await rebuilt(damage);
  const after = await told();
  expect(after.prompts.map((one) => Reflect.get(one, "promptNumber"))).toEqual([1, 2, 3, 4]);
  const texts = (all: object[]) => all.map((one) => Reflect.get(one, "text"));
  expect(texts(after.prompts)).toEqual(texts(before.prompts));
  expect(after.turns.map((one) => Reflect.get(one, "promptNumber"))).toEqual([1, 2, 3, 4]);
  const said = (all: object[]) => all.map((one) => JSON.stringify(Reflect.get(one, "pieces")));
  expect(said(after.turns)).toEqual(said(before.turns));
  expect(after.observations.length).toBe(before.observations.length);
  expect(after.summaries.length).toBe(before.summaries.length);
  await rebuilt({ ...damage, time: 6 });
  expect((await told()).turns.length).toBe(4);
});

test("a memory and a journal that are older than the transcript get what came after", async () => {
  const recorded = busySession("s1", "/gone/shop", start, 4);
  const path = await recorded.write(projects);
  // Each prompt has ten lines.
  await live(recorded, 0, 20, path);
  expect((await told()).turns.length).toBe(2);
  await rebuilt({ ...damage, file: "journal.db" });
  const after = await told();
  expect(after.prompts.map((one) => Reflect.get(one, "promptNumber"))).toEqual([1, 2, 3, 4]);
  expect(after.turns.length).toBe(4);
  expect(after.sessions[0]?.prompts).toBe(4);
});

test("a session that only its transcript tells of comes back where others of its folder are known", async () => {
  await liveOf(busySession("s1", "/gone/shop", start, 1));
  await busySession("s2", "/gone/shop", start + 3_600_000, 2).write(projects);
  await busySession("s0", "/gone/elsewhere", start + 3_600_000, 2).write(projects);
  await rebuilt({ ...damage, file: "journal.db" });
  const ids = (await told()).sessions.map(({ id }) => id).sort();
  expect(ids).toEqual(["s1", "s2"]);
});

test("nothing that was forgotten comes back", async () => {
  await liveOf(busySession("s1", "/gone/shop", start, 3));
  const turns = (await runtime.hooks.first("storage.turns", { limit: 9, order: "oldest" }))
    ?.result as Turn[];
  await runtime.forget([turns[1]?.id ?? ""]);
  await without(async () => {
    await removed("memory.db");
    execute("journal.db", pruned);
  });
  await rebuilt(damage);
  const after = JSON.stringify(await told());
  expect(after).toContain("exporter number 0");
  expect(after).toContain("exporter number 2");
  expect(after).not.toContain("exporter number 1");
  expect(after).not.toContain("header1");
});

test("the finding says what was made again, and is told once more", async () => {
  await liveOf(busySession("s1", "/gone/shop", start, 2));
  await live(busySession("s9", "/gone/shop", start, 1));
  await without(() => {
    execute("memory.db", secondPrompt);
    execute("memory.db", "DELETE FROM turns; DELETE FROM prompts");
    execute(
      "journal.db",
      "DELETE FROM payloads WHERE seq IN (SELECT seq FROM events WHERE session = 1)",
    );
  });
  addFinding(home, { time: 5, file: "memory.db", what: "was damaged", fix: "Wait." });
  await rebuilt(damage);
  const [finding] = openFindings(home);
  expect(findingText(finding as never)).toMatch(
    /^memory.db was damaged\. Added: \d+ records, made again from the journal and 1 transcript\.$/,
  );
});

test("with nothing known the finding says who asks which projects are wanted", async () => {
  addFinding(home, { time: 5, file: "memory.db", what: "was gone" });
  await rebuilt(damage);
  expect(findingText(openFindings(home)[0] as never)).toContain("`memoir backfill` reads");
});

test("fewer records than were counted last are looked for without a word, unless something was forgotten", async () => {
  await live(busySession("s1", "/gone/shop", start, 2));
  const before = await told();
  // Counted when it is opened.
  await without(() => undefined);
  await without(() => execute("memory.db", secondPrompt));
  expect(isRebuildWanted(home)).toBe(true);
  await rebuilt();
  expect((await told()).turns.length).toBe(before.turns.length);
  expect(openFindings(home).map(findingText)).toEqual([
    expect.stringMatching(
      /^memory.db held fewer records than when they were last counted\. Added: \d+ records, made again from the journal\.$/,
    ),
  ]);
  await runtime.forget(["s1"]);
  await without(() => undefined);
  expect(isRebuildWanted(home)).toBe(false);
});

test("after the journal is gone a session goes on behind its prompts, and no transcript tells them again", async () => {
  const recorded = busySession("s1", "/gone/shop", start, 3);
  const path = await recorded.write(projects);
  await live(recorded, 0, 20, path);
  const before = await told();
  await without(() => removed("journal.db"));
  await live(recorded, 20, 30, path);
  const numbers = (all: object[]) => all.map((one) => Reflect.get(one, "promptNumber"));
  const after = await told();
  expect(numbers(after.prompts)).toEqual([1, 2, 3]);
  expect(after.turns.slice(0, 2)).toEqual(before.turns);
  await rebuilt({ ...damage, file: "journal.db" });
  // A fork: the older session's lines under another id.
  const fork = recordedSession("fork", "/gone/shop");
  fork.lines.push(...recorded.lines.map((line) => ({ ...line, sessionId: "fork" })));
  await fork.write(projects);
  await feed();
  expect(numbers((await told()).prompts)).toEqual([1, 2, 3]);
  expect((await told()).turns.length).toBe(3);
});

test("what was forgotten stays so where the transcript's clock is an hour off", async () => {
  await liveOf(busySession("s1", "/gone/shop", start, 3));
  const turns = (await runtime.hooks.first("storage.turns", { limit: 9, order: "oldest" }))
    ?.result as Turn[];
  await runtime.forget([turns[1]?.id ?? ""]);
  const off = busySession("s1", "/gone/shop", start + 3_600_000, 3);
  // Not even its tool uses have the ids that hooks told.
  const text = JSON.stringify(off.lines).replaceAll("toolu_", "toolu_other_");
  off.lines.splice(0, off.lines.length, ...JSON.parse(text));
  await off.write(projects);
  await without(async () => {
    await removed("memory.db");
    execute("journal.db", pruned);
  });
  await rebuilt(damage);
  await feed();
  const after = JSON.stringify(await told());
  expect(after).toContain("exporter number 0");
  expect(after).toContain("exporter number 2");
  expect(after).not.toContain("exporter number 1");
  expect(after).not.toContain("header1");
});
