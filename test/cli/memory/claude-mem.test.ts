// claude-mem's database taken in: every rule of its rows, old forms and new, and its file as it was.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  isTyped,
  listOf,
  observationOf,
  timeOf,
} from "../../../src/cli/memory/claude-mem/import-claude-mem.ts";
import { type Database, openDatabase } from "../../../src/host/sqlite.ts";
import { ownHome } from "../../support/own-home.ts";
import { runMemoir } from "../../support/run-memoir.ts";

const noon = Date.UTC(2026, 2, 1, 12);
const iso = (time: number) => new Date(time).toISOString();

/** Version 52, as far as it is read. */
const newest = `
CREATE TABLE schema_versions (id INTEGER PRIMARY KEY, version INTEGER UNIQUE, applied_at TEXT);
CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY AUTOINCREMENT, content_session_id TEXT NOT NULL, memory_session_id TEXT UNIQUE,
  project TEXT NOT NULL, platform_source TEXT NOT NULL DEFAULT 'claude', user_prompt TEXT, started_at TEXT NOT NULL, started_at_epoch INTEGER NOT NULL,
  completed_at TEXT, completed_at_epoch INTEGER, status TEXT NOT NULL DEFAULT 'active', worker_port INTEGER, prompt_counter INTEGER DEFAULT 0,
  custom_title TEXT, observed_model TEXT, UNIQUE (platform_source, content_session_id));
CREATE TABLE observations (id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL, text TEXT, type TEXT NOT NULL,
  title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT, files_read TEXT, files_modified TEXT, prompt_number INTEGER,
  created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL, discovery_tokens INTEGER DEFAULT 0, content_hash TEXT, generated_by_model TEXT,
  relevance_count INTEGER DEFAULT 0, merged_into_project TEXT, agent_type TEXT, agent_id TEXT, metadata TEXT);
CREATE TABLE session_summaries (id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL, request TEXT, investigated TEXT,
  learned TEXT, completed TEXT, next_steps TEXT, files_read TEXT, files_edited TEXT, notes TEXT, prompt_number INTEGER,
  created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL, discovery_tokens INTEGER DEFAULT 0);
CREATE TABLE user_prompts (id INTEGER PRIMARY KEY AUTOINCREMENT, session_db_id INTEGER, content_session_id TEXT NOT NULL, prompt_number INTEGER NOT NULL,
  prompt_text TEXT NOT NULL, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
CREATE TABLE tool_uses (id INTEGER PRIMARY KEY AUTOINCREMENT, tool_use_id TEXT NOT NULL, content_session_id TEXT NOT NULL, project TEXT NOT NULL,
  tool_name TEXT NOT NULL, cwd TEXT, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
CREATE TABLE pending_messages (id INTEGER PRIMARY KEY, tool_response TEXT);`;

/** Before version 17: the sessions' ids have other names; no table of prompts, one sentence an observation. */
const oldest = `
CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY AUTOINCREMENT, claude_session_id TEXT UNIQUE NOT NULL, sdk_session_id TEXT UNIQUE, project TEXT NOT NULL,
  user_prompt TEXT, started_at TEXT NOT NULL, started_at_epoch INTEGER NOT NULL, completed_at TEXT, completed_at_epoch INTEGER, status TEXT NOT NULL);
CREATE TABLE observations (id INTEGER PRIMARY KEY AUTOINCREMENT, sdk_session_id TEXT NOT NULL, project TEXT NOT NULL, text TEXT NOT NULL, type TEXT NOT NULL,
  created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
CREATE TABLE session_summaries (id INTEGER PRIMARY KEY AUTOINCREMENT, sdk_session_id TEXT UNIQUE NOT NULL, project TEXT NOT NULL, request TEXT, investigated TEXT,
  learned TEXT, completed TEXT, next_steps TEXT, files_read TEXT, files_edited TEXT, notes TEXT, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);`;

function insert(db: Database, table: string, row: Record<string, string | number | null>): void {
  const names = Object.keys(row);
  db.prepare(
    `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map((name) => `$${name}`).join(", ")})`,
  ).run(row);
}
const at = (minutes: number) => ({
  created_at: iso(noon + minutes * 60_000),
  created_at_epoch: noon + minutes * 60_000,
});

let place: Awaited<ReturnType<typeof ownHome>>;
let folder: string;
beforeAll(async () => {
  place = await ownHome();
  folder = join(place.root, ".claude-mem");
  await mkdir(folder, { recursive: true });
});
afterAll(() => place.end());
const memoir = (...args: string[]) =>
  runMemoir(args, { HOME: place.root, MEMOIR_HOME: place.home }, place.root);
const records = async (kind: string) => {
  const { out } = await memoir("memory", "export");
  const lines = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  return lines.filter((line) => line.kind === kind).map((line) => line.record);
};

async function makeNewest(path: string) {
  const db = await openDatabase(path);
  db.exec(`PRAGMA journal_mode = WAL; ${newest}`);
  const started = { started_at: iso(noon), started_at_epoch: noon };
  insert(db, "sdk_sessions", {
    content_session_id: "client-1",
    memory_session_id: "mem-1",
    project: "shop",
    ...started,
    custom_title: "Login",
  });
  insert(db, "sdk_sessions", {
    content_session_id: "client-2",
    memory_session_id: "mem-2",
    project: "shop",
    ...started,
  });
  insert(db, "sdk_sessions", {
    content_session_id: "watched",
    memory_session_id: "mem-3",
    project: "observer-sessions",
    ...started,
  });
  insert(db, "sdk_sessions", {
    content_session_id: "client-1",
    memory_session_id: "mem-4",
    project: "blog",
    platform_source: "cursor",
    ...started,
  });
  insert(db, "tool_uses", {
    tool_use_id: "t1",
    content_session_id: "client-1",
    project: "shop",
    tool_name: "Read",
    cwd: "/home/me/shop/src",
    ...at(0),
  });
  const prompt = (session_db_id: number | null, text: string, number = 1) =>
    insert(db, "user_prompts", {
      session_db_id,
      content_session_id: "client-1",
      prompt_number: number,
      prompt_text: text,
      ...at(1),
    });
  prompt(1, "Why does login loop?");
  prompt(null, "And logout?", 2);
  prompt(1, "[media prompt]", 3);
  prompt(1, "look <observed_from_primary_session> …", 4);
  prompt(4, "From the other client");
  const base = { project: "shop", type: "bugfix", ...at(2) };
  insert(db, "observations", {
    ...base,
    memory_session_id: "mem-1",
    title: "Token loops",
    subtitle: "It called itself",
    facts: '["one","two"]',
    narrative: "story",
    concepts: '["how-it-works: about tokens","gotcha"]',
    files_read: '["/home/me/shop/src/a.ts"]',
    files_modified: "[]",
    prompt_number: 1,
    discovery_tokens: 900,
    generated_by_model: "haiku",
    agent_id: "a1",
    agent_type: "Explore",
  });
  insert(db, "observations", {
    ...base,
    memory_session_id: "mem-2",
    title: "In the other shop",
    facts: "not json, but two",
    files_modified: '["/srv/code/shop/b.ts"]',
    type: "Security Alert",
    created_at_epoch: Math.floor(noon / 1000),
  });
  insert(db, "observations", {
    ...base,
    memory_session_id: "mem-3",
    project: "observer-sessions",
    title: "I observe myself",
  });
  insert(db, "observations", {
    ...base,
    memory_session_id: "manual-shop",
    type: "discovery",
    title: "Deploy",
    subtitle: "Manual memory",
    narrative: "Deploy only on Tuesdays.",
  });
  insert(db, "observations", {
    ...base,
    memory_session_id: "mem-1",
    title: "A key",
    narrative: `AKIA${"IOSFODNN7"}QRSTUVW`,
  });
  insert(db, "session_summaries", {
    memory_session_id: "mem-1",
    project: "shop",
    request: "Stop the loop",
    completed: "Done",
    next_steps: "Rest",
    files_edited: '["/home/me/shop/src/a.ts"]',
    prompt_number: 1,
    ...at(3),
  });
  return db;
}

test("sessions, prompts, observations, summaries and manual memories come in, under the client's own sessions and in their folders", async () => {
  const path = join(folder, "claude-mem.db");
  // It stays open, and much of it stands in the log, as while its worker runs.
  const db = await makeNewest(path);
  const bytes = async () =>
    createHash("sha256")
      .update(await readFile(path))
      .update(await readFile(`${path}-wal`))
      .digest("hex");
  const before = [await bytes(), await readdir(folder)];
  const dry = await memoir("memory", "import", "--from", "claude-mem", "--dry-run");
  expect([dry.code, dry.err]).toEqual([0, ""]);
  expect(await records("session")).toEqual([]);
  const { code, out } = await memoir("memory", "import", "--from", "claude-mem");
  expect([code, out]).toEqual([
    0,
    expect.stringContaining("3 sessions, 3 prompts, 3 observations, 1 summary, 1 memory item."),
  ]);
  expect([await bytes(), await readdir(folder)]).toEqual(before);
  db.close();

  const sessions = await records("session");
  expect(sessions.map(({ client, id }) => `${client} ${id}`).sort()).toEqual([
    "claude-code client-1",
    "claude-code client-2",
    "cursor client-1",
  ]);
  const first = sessions.find(({ client, id }) => client === "claude-code" && id === "client-1");
  expect(first).toMatchObject({
    title: "Login",
    status: "ended",
    project: { id: "/home/me/shop" },
    prompts: 4,
    lastActiveAt: noon + 180_000,
  });
  // Nobody named it: it is called by what came of it.
  expect(sessions.find(({ id }) => id === "client-2")?.title).toBe("In the other shop");
  const prompts = await records("prompt");
  expect(
    prompts.map(({ client, promptNumber, text }) => `${client} ${promptNumber} ${text}`).sort(),
  ).toEqual([
    "claude-code 1 Why does login loop?",
    "claude-code 2 And logout?",
    "cursor 1 From the other client",
  ]);
  const observations = await records("observation");
  expect(observations.find(({ title }) => title === "Token loops")).toMatchObject({
    ...{
      session: "client-1",
      project: "/home/me/shop",
      type: "bugfix",
      subtitle: "It called itself",
      facts: ["one", "two"],
      narrative: "story",
    },
    ...{
      concepts: ["how-it-works", "gotcha"],
      filesRead: ["src/a.ts"],
      agent: { id: "a1", type: "Explore" },
      discoveryTokens: 900,
    },
    ...{
      promptNumber: 1,
      time: noon + 120_000,
      provenance: { strategy: "claude-mem", model: "haiku" },
    },
  });
  expect(observations.find(({ session }) => session === "client-2")).toMatchObject({
    ...{
      project: "/srv/code/shop",
      facts: ["not json", "but two"],
      type: "security-alert",
      time: Math.floor(noon / 1000) * 1000,
    },
  });
  expect(JSON.stringify(observations)).not.toContain("IOSFODNN7");
  expect(await records("summary")).toMatchObject([
    { request: "Stop the loop", filesEdited: ["src/a.ts"], scope: "prompt" },
  ]);
  expect(await records("memory")).toMatchObject([
    { kind: "facts", content: "Deploy only on Tuesdays.", context: "Deploy" },
  ]);
  const again = await memoir("memory", "import", "--from", "claude-mem", "--json");
  expect(JSON.parse(again.out)).toMatchObject({ stored: {}, known: 11, bad: 0 });
}, 180_000);

test("an old database of one sentence an observation, its prompts in sessions, and a project's folder by --map", async () => {
  const path = join(place.root, "old.db");
  const db = await openDatabase(path);
  db.exec(oldest);
  insert(db, "sdk_sessions", {
    claude_session_id: "old-1",
    sdk_session_id: "m1",
    project: "attic",
    user_prompt: "Sweep it",
    started_at: iso(noon),
    started_at_epoch: noon,
    status: "completed",
  });
  insert(db, "observations", {
    sdk_session_id: "m1",
    project: "attic",
    type: "change",
    text: "The broom stands behind the door of the attic, which only opens inwards, and is old.",
    ...at(1),
  });
  insert(db, "session_summaries", {
    sdk_session_id: "m1",
    project: "attic",
    learned: "Dust",
    ...at(2),
  });
  db.close();
  const { code, err } = await memoir(
    "memory",
    "import",
    "--from",
    "claude-mem",
    path,
    "--map",
    `attic=${place.root}/attic`,
  );
  expect([code, err]).toEqual([0, ""]);
  const mine = (list: Array<{ session: string }>) =>
    list.filter(({ session }) => session === "old-1");
  expect(mine(await records("prompt"))).toMatchObject([
    { text: "Sweep it", promptNumber: 1, project: `${place.root}/attic` },
  ]);
  expect(mine(await records("observation"))).toMatchObject([
    {
      type: "change",
      title: "The broom stands behind the door of the attic, which …",
      narrative: expect.stringContaining("and is old."),
      facts: [],
    },
  ]);
  expect(mine(await records("summary"))).toMatchObject([{ learned: "Dust", promptNumber: 0 }]);
}, 180_000);

test("a log that is damaged is left out; what is no such database is refused", async () => {
  const path = join(place.root, "torn.db");
  (await makeNewest(path)).close();
  await writeFile(`${path}-wal`, Buffer.alloc(40_000, 7));
  const dry = await memoir("memory", "import", "--from", "claude-mem", path, "--dry-run");
  expect([dry.code, dry.out]).toEqual([0, expect.stringContaining("11 there already")]);
  const other = join(place.root, "other.db");
  const db = await openDatabase(other);
  db.exec("CREATE TABLE list (x)");
  db.close();
  expect((await memoir("memory", "import", "--from", "claude-mem", other)).err).toContain(
    "is no database of claude-mem",
  );
  await writeFile(other, "text".repeat(3_000));
  expect((await memoir("memory", "import", "--from", "claude-mem", other)).err).toContain(
    "is damaged",
  );
  await rm(other);
  expect((await memoir("memory", "import", "--from", "claude-mem", other)).err).toContain(
    "cannot be read",
  );
  expect(
    (await memoir("memory", "import", "--from", "claude-mem", path, "--map", "shop")).code,
  ).toBe(2);
}, 180_000);

test("what rows hold is read whatever it is", () => {
  expect(listOf("- one\n- two\n\n- one")).toEqual(["one", "two"]);
  expect(listOf('[1,null,"a",["b"]]')).toEqual(["a"]);
  expect([listOf(undefined), listOf("null"), listOf(7)]).toEqual([[], [], []]);
  expect(timeOf({ created_at: "2026-03-01T12:00:00.000Z" })).toBe(noon);
  expect(timeOf({ created_at: "never" })).toBeUndefined();
  expect([isTyped("Hello memory agent, you are"), isTyped(" "), isTyped("Hello")]).toEqual([
    false,
    false,
    true,
  ]);
  const session = { id: "s", client: "claude-code", project: "p", root: "" };
  expect(observationOf({ created_at_epoch: noon, type: "", text: "  " }, session)).toBeUndefined();
  expect(observationOf({ created_at_epoch: noon, type: "???", text: "a" }, session)?.type).toBe(
    "discovery",
  );
});
