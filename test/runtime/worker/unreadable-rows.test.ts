// Rows of the journal whose JSON does not parse: each costs what it said, and neither its session's work nor the worker's peace.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { dirname } from "node:path";
import { checkFindings } from "../../../src/health/home-checks.ts";
import { readFindings } from "../../../src/home/findings.ts";
import type { Paths } from "../../../src/home/paths.ts";
import { openDatabase } from "../../../src/host/sqlite.ts";
import type { ClientEvent } from "../../../src/sdk/events.ts";
import { clientEvent, toolEvent } from "../../support/client-events.ts";
import {
  clock,
  closeRoom,
  crash,
  drained,
  hooks,
  journal,
  journalPath,
  log,
  newWorker,
  openRoom,
  storage,
  worker,
} from "./worker-room.ts";

beforeEach(async () => {
  await openRoom();
  await worker.stop();
  newWorker(undefined, () => Promise.resolve(undefined));
  worker.start();
});
afterEach(closeRoom);

const spoiled = '{"name":"PostToo';

/** Ten events of one session. */
function ten(): ClientEvent[] {
  return [
    clientEvent("UserPromptSubmit", { prompt: "Why does login fail?" }),
    ...["a", "b", "c", "d", "e", "f", "g"].map((id) => toolEvent(id)),
    clientEvent("Stop", { lastAssistantMessage: "It was the cookie." }),
    clientEvent("SessionEnd"),
  ];
}

async function onFile<Result>(sql: string): Promise<Result[]> {
  const db = await openDatabase(journalPath());
  try {
    return db.prepare<Result & Record<string, never>>(sql).all();
  } finally {
    db.close();
  }
}

/** Appends, damages the payload of one, and has the worker look. */
async function handSpoiled(seq: number): Promise<void> {
  for (const event of ten()) await journal.append(event);
  await onFile(`UPDATE payloads SET json = '${spoiled}' WHERE seq = ${seq}`);
  worker.wake("s1");
  await drained();
}

function named(): string[] {
  return readFindings(dirname(journalPath())).map(({ what }) => what);
}

test("a tool use that does not parse costs itself alone", async () => {
  await handSpoiled(4);
  expect(hooks.inputs("observe").map(({ toolUses }) => toolUses.map(({ id }) => id))).toEqual([
    ["a", "b", "d", "e", "f", "g"],
  ]);
  expect(storage.summaries.map(({ scope }) => scope)).toEqual(["prompt", "session"]);
  expect(storage.turns).toHaveLength(1);
  expect(await onFile("SELECT outcome, reason FROM events WHERE seq = 4")).toEqual([
    { outcome: "skipped", reason: "could not be read" },
  ]);
  expect(await onFile("SELECT json FROM payloads WHERE seq = 4")).toEqual([{ json: spoiled }]);
  expect(journal.status()).toMatchObject({ pendingEvents: 0, pendingWork: 0, parkedWork: 0 });
  expect(hooks.inputs("settled").find(({ toolUseId }) => toolUseId === "c")).toMatchObject({
    outcome: "skipped",
    reason: "could not be read",
  });
  expect(await worker.waitFor("c", 10)).toMatchObject({ outcome: "skipped" });
});

test("it is named once, across restarts too, and nothing is done again", async () => {
  await handSpoiled(4);
  expect(named()).toEqual([
    "has a row of which a part cannot be read: event 4 of session s1 (payload); that part is left out, and the row stays as it is",
  ]);
  const paths = { home: dirname(journalPath()) } as Paths;
  expect(checkFindings({ paths, now: clock.now() })).toMatchObject([
    { message: expect.stringContaining("event 4 of session s1") },
  ]);
  const calls = hooks.calls.length;
  const stopped = worker.stop();
  clock.advance(5_000);
  await stopped;
  await crash();
  newWorker(undefined, () => Promise.resolve(undefined));
  worker.start();
  clock.advance(60_000);
  await drained();
  expect(hooks.calls.length).toBe(calls);
  expect(named()).toHaveLength(1);
  expect(journal.prompt(1, 1)?.seq).toBe(1);
  expect(journal.toolEvents(1, 1, { events: 10, bytes: 1e6 })).toHaveLength(6);
  expect(named()).toHaveLength(1);
});

test("each event may be the one: the others are worked on, and nothing is tried again", async () => {
  for (const seq of [1, 9, 10]) {
    await closeRoom();
    await openRoom();
    await worker.stop();
    newWorker(undefined, () => Promise.resolve(undefined));
    worker.start();
    await handSpoiled(seq);
    expect(storage.prompts).toHaveLength(seq === 1 ? 0 : 1);
    expect(hooks.inputs("observe")[0]?.toolUses).toHaveLength(7);
    expect(storage.summaries.map(({ scope }) => scope)).toEqual(["prompt", "session"]);
    expect(storage.turns).toHaveLength(1);
    expect(log.lines.filter(({ level }) => level === "warn" || level === "error")).toEqual([]);
    expect(await onFile(`SELECT outcome, reason FROM events WHERE seq = ${seq}`)).toEqual([
      { outcome: "skipped", reason: "could not be read" },
    ]);
    expect(named()).toHaveLength(1);
  }
});

test("no strategy is asked about tool uses of which none can be read", async () => {
  for (const event of ten()) await journal.append(event);
  await onFile(
    `UPDATE payloads SET json = '${spoiled}' WHERE seq IN (SELECT seq FROM events WHERE tool_use IS NOT NULL)`,
  );
  worker.wake("s1");
  await drained();
  expect(hooks.inputs("observe")).toEqual([]);
  expect(storage.summaries.map(({ scope }) => scope)).toEqual(["prompt", "session"]);
  expect(named()).toHaveLength(7);
});

test("a session's project and a list of what was told read as little as there is of them", async () => {
  for (const event of ten()) await journal.append(event);
  journal.inject({
    ...{ client: "claude-code", session: "s1", project: "p", event: "SessionStart" },
    ...{ time: clock.now(), characters: 4, tokens: 1, records: ["o1"] },
  });
  journal.injections(0);
  await onFile("UPDATE sessions SET project = '{'");
  await onFile("UPDATE injections SET records = '[\"o'");
  expect(journal.injections(0)).toMatchObject([{ session: "s1", records: [] }]);
  expect(journal.session("s1")?.project).toEqual({
    id: "github.com/acme/shop",
    name: "shop",
    root: "",
  });
  worker.wake("s1");
  await drained();
  expect(storage.observations).toMatchObject([{ project: "github.com/acme/shop" }]);
  expect(storage.summaries).toHaveLength(2);
  expect(named()).toHaveLength(2);
});

test("what does not parse is forgotten like the rest", async () => {
  await handSpoiled(4);
  await onFile("UPDATE payloads SET json = '5' WHERE seq = 5");
  expect(journal.forget(1)).toContain("c");
  expect(await onFile("SELECT json FROM payloads WHERE json LIKE '%\"PostToo'")).toEqual([]);
  expect(journal.isBuried({ kind: "tool-use", client: "claude-code", toolUseId: "c" })).toBe(true);
  journal.forgetSession(1);
  expect(named()).toHaveLength(1);
  expect(journal.toolEvents(1, 1, { events: 10, bytes: 1e6 })).toHaveLength(7);
});
