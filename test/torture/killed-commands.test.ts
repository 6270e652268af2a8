// The compiled binary killed -9 while it forgets, redacts, migrates, imports, copies and goes back: what it worked on is as before or as
// after, never half, and the same command ends it. The instant of a kill is the machine's as much as the seed's.
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseClaudeCode } from "../../src/clients/normal/payload.ts";
import { listBackups, verifyBackup } from "../../src/home/backups/read-backups.ts";
import { openDatabaseFile } from "../../src/home/database/open-file.ts";
import { silentLog } from "../../src/home/log.ts";
import { memoirPaths } from "../../src/home/paths.ts";
import { migrations } from "../../src/records/migrations.ts";
import { journalForm } from "../../src/runtime/journal/schema.ts";
import { createRuntime } from "../../src/runtime/runtime.ts";
import { compiledBinary } from "../support/compiled.ts";
import { payloadsOf } from "./payloads.ts";
import { type Draw, torture, tortureMs } from "./seeds.ts";

let folder: string;
let binary: string;
/** A home with twelve sessions, numbered from 10, so that no name begins another's; all that each says bears its number. */
let filled: string;
/** An export of it, and a database of claude-mem's. */
let exported: string;
let claudeMem: string;
/** What both come to in an empty home. */
const imported = new Map<string, string[]>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-killed-"));
  binary = await compiledBinary();
  filled = join(folder, "filled");
  await fill(filled);
  exported = join(folder, "memory.jsonl");
  claudeMem = join(folder, "claude-mem.db");
  makeClaudeMem(claudeMem);
  await run(filled, ["memory", "export", exported]);
  await run(filled, ["memory", "backup"]);
  await run(filled, ["server", "stop"]);
  for (const args of [importing, importingClaudeMem]) {
    const home = join(folder, "whole");
    await run(home, args());
    await run(home, ["server", "stop"]);
    imported.set(args().join(), await recordsOf(home));
    await rm(home, { recursive: true });
  }
}, 180_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const importing = () => ["import", exported];
const importingClaudeMem = () => ["import", "--from", "claude-mem", claudeMem];
const environment = (home: string) => ({
  PATH: process.env.PATH ?? "",
  HOME: home,
  MEMOIR_HOME: home,
});
const spawned = (home: string, args: readonly string[]) =>
  Bun.spawn([binary, ...args], {
    ...{ cwd: folder, stdin: "ignore", stdout: "ignore", stderr: "pipe" },
    env: environment(home),
  });

/** What it said to stderr, where it failed. */
async function run(home: string, args: readonly string[]): Promise<string> {
  const child = spawned(home, args);
  const said = await new Response(child.stderr).text();
  return (await child.exited) === 0 ? "" : said || "failed";
}

async function fill(home: string): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  const runtime = await createRuntime({ home, log: silentLog, env: { HOME: home, PATH: "" } });
  for (let n = 10; n < 22; n++)
    for (let turn = 0; turn < 3; turn++)
      for (const [at, payload] of payloadsOf(`session-${n}`, n * 10 + turn).entries()) {
        const isEnd = payload.hook_event_name === "SessionEnd" && turn < 2;
        if (isEnd || (payload.hook_event_name === "SessionStart" && turn > 0)) continue;
        const text = JSON.stringify(payload).replaceAll("zebra", `zebra${n}x`);
        const delivery = { id: `${n}-${turn}-${at}`, time: Date.now() - 3_600_000 + at * 1_000 };
        await runtime.handle(parseClaudeCode(JSON.parse(text), delivery));
      }
  await runtime.drain({ timeoutMs: 60_000, flush: true });
  await runtime.stop();
}

function makeClaudeMem(path: string): void {
  const db = new Database(path);
  db.exec(`
    CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY, claude_session_id TEXT, sdk_session_id TEXT, project TEXT,
      user_prompt TEXT, started_at TEXT, started_at_epoch INTEGER, completed_at TEXT, completed_at_epoch INTEGER, status TEXT);
    CREATE TABLE observations (id INTEGER PRIMARY KEY, sdk_session_id TEXT, project TEXT, text TEXT, type TEXT,
      created_at TEXT, created_at_epoch INTEGER);
    CREATE TABLE session_summaries (id INTEGER PRIMARY KEY, sdk_session_id TEXT, project TEXT, request TEXT, investigated TEXT,
      learned TEXT, completed TEXT, next_steps TEXT, files_read TEXT, files_edited TEXT, notes TEXT, created_at TEXT, created_at_epoch INTEGER)`);
  const time = Date.UTC(2026, 1, 1);
  for (let n = 0; n < 40; n++) {
    db.run("INSERT INTO sdk_sessions VALUES (?, ?, ?, 'shop', ?, '', ?, NULL, NULL, 'completed')", [
      ...[n + 1, `client-${n}`, `mem-${n}`, `Why does ${n} stop?`, time + n * 60_000],
    ]);
    for (let at = 0; at < 12; at++)
      db.run("INSERT INTO observations VALUES (NULL, ?, 'shop', ?, 'discovery', '', ?)", [
        ...[`mem-${n}`, `The counter ${n}-${at} loses its first tick.`, time + n * 60_000 + at],
      ]);
  }
  db.close();
}

/** All that a home remembers, as lines without ids. */
async function recordsOf(home: string): Promise<string[]> {
  const runtime = await createRuntime({ home, log: silentLog, env: { HOME: home, PATH: "" } });
  try {
    const page = { limit: 10_000, order: "oldest" as const };
    const { hooks } = runtime;
    const lists = [
      await hooks.first("storage.sessions", page),
      await hooks.first("storage.prompts", page),
      await hooks.first("storage.turns", page),
      await hooks.first("storage.observations", { ...page, superseded: true }),
      await hooks.first("storage.summaries", page),
    ];
    return lists
      .flatMap((list, kind) =>
        (list?.result ?? []).map((record: object) => {
          const { id, supersededBy: _, ...told } = record as Record<string, unknown>;
          return JSON.stringify([kind, kind === 0 ? id : "", told]);
        }),
      )
      .sort();
  } finally {
    await runtime.stop();
  }
}

/** A server of the home's own; resolves once it answers, or after it was killed. */
async function serve(home: string): Promise<Bun.Subprocess> {
  const server = spawned(home, ["serve", "--json"]);
  for (let waited = 0; waited < 400 && server.exitCode === null; waited++) {
    const isThere = await fetch("http://localhost/api/health", { unix: join(home, "memoir.sock") })
      .then(() => true)
      .catch(() => false);
    if (isThere) break;
    await Bun.sleep(20);
  }
  return server;
}

/** A command may have started a server just before it was killed, which nobody announced yet: by the home that it was given. */
async function killServersOf(home: string): Promise<void> {
  if (process.platform !== "linux") return;
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const given = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
    if (!given.split("\0").includes(`MEMOIR_HOME=${home}`)) continue;
    try {
      process.kill(Number(pid), "SIGKILL");
    } catch {
      // It ended by itself.
    }
  }
}

/** Begins a command against a server and kills it somewhere on its way, its server in most cases too. */
async function killOnTheWay(home: string, args: readonly string[], draw: Draw, withinMs: number) {
  const server = await serve(home);
  const child = spawned(home, args);
  const at = draw.below(withinMs);
  const isAlone = draw.chance(0.2);
  await Promise.race([child.exited, Bun.sleep(at)]);
  // It may be about to end.
  if (child.exitCode !== null) await Bun.sleep(draw.below(20));
  child.kill("SIGKILL");
  if (isAlone) await Bun.sleep(draw.below(60));
  server.kill("SIGKILL");
  await Promise.all([child.exited, server.exited]);
  await killServersOf(home);
  return child.exitCode === 0;
}

/** Runs a command to its end, and ends the server that it used; answers what it said where it failed. */
async function finish(home: string, args: readonly string[]): Promise<string> {
  const server = await serve(home);
  const said = await run(home, args);
  server.kill("SIGTERM");
  await server.exited;
  return said;
}

async function wordsIn(home: string, words: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of await readdir(home, { recursive: true })) {
    const bytes = await readFile(join(home, name)).catch(() => undefined);
    if (bytes?.includes(words)) found.push(name);
  }
  return found;
}

type Work = (home: string, draw: Draw) => Promise<void>;

/** How a long run's kills fell: by the work, what was found after them. */
const fell = new Map<string, number>();
function found(work: string, what: string): void {
  fell.set(`${work}: ${what}`, (fell.get(`${work}: ${what}`) ?? 0) + 1);
}

async function forgetting(home: string, draw: Draw): Promise<void> {
  await cp(filled, home, { recursive: true });
  await rm(join(home, "backups"), { recursive: true });
  const n = 10 + draw.below(12);
  const before = await recordsOf(home);
  const of = (records: readonly string[]) =>
    records.filter((line) => line.includes(`session-${n}"`)).length;
  const args = ["forget", "--session", `session-${n}`, "--yes"];
  await killOnTheWay(home, args, draw, 150);
  const after = await recordsOf(home);
  found("forget", of(after) === 0 ? "after" : "before");
  expect([0, of(before)]).toContain(of(after));
  expect(after.length - of(after)).toBe(before.length - of(before));
  // What was forgotten already is found no more.
  expect(await finish(home, args)).toMatch(/^$|[Nn]othing|record_not_found|There is no/);
  expect(of(await recordsOf(home))).toBe(0);
  expect(await wordsIn(home, `zebra${n}x`)).toEqual([]);
}

/** The rows of a database's tables, of the columns that an older schema has too. */
function rowsOf(path: string, columns: ReadonlyMap<string, string[]>): string {
  const db = new Database(path);
  try {
    const rows = [...columns].map(([table, names]) =>
      db
        .query(`SELECT ${names.map((name) => `"${name}"`).join()} FROM "${table}" ORDER BY 1, 2`)
        .values(),
    );
    return JSON.stringify(rows);
  } finally {
    db.close();
  }
}

const tablesOf = (db: Database) =>
  (db.query("SELECT name FROM sqlite_schema WHERE type = 'table'").values() as string[][]).flatMap(
    ([name = ""]) => (/^(sqlite_|search_|.*_fts)/.test(name) ? [] : name),
  );
const columnsOf = (db: Database, table: string) =>
  db.query(`SELECT name FROM pragma_table_info('${table}')`).values().flat() as string[];

/** The same rows in a database of an older schema, in the place of the new one; answers what was copied. */
async function makeOlder(path: string, version: number): Promise<Map<string, string[]>> {
  const isJournal = path.endsWith("journal.db");
  const all = isJournal ? journalForm.migrations : migrations;
  const form = { name: "older", migrations: all.slice(0, version), checkedBytes: 0 };
  const older = `${path}.older`;
  const made = await openDatabaseFile(
    older,
    isJournal ? form : { ...form, applicationId: 0x6d656d6f },
  );
  made.close();
  const db = new Database(older);
  db.exec(`PRAGMA foreign_keys = OFF; ATTACH '${path}' AS newer`);
  const columns = new Map<string, string[]>();
  for (const table of tablesOf(db)) {
    const isThere = db.query("SELECT 1 FROM newer.sqlite_schema WHERE name = ?").get(table);
    if (!isThere) continue;
    const newer = db.query(`SELECT name FROM newer.pragma_table_info('${table}')`).values().flat();
    const names = columnsOf(db, table).filter((name) => newer.includes(name));
    if (names.length === 0) continue;
    const list = names.map((name) => `"${name}"`).join();
    db.exec(`INSERT OR IGNORE INTO main."${table}" (${list}) SELECT ${list} FROM newer."${table}"`);
    if (/^(sessions|prompts|observations|session_summaries|turns|events|payloads)$/.test(table))
      columns.set(table, names);
  }
  db.exec("DETACH newer");
  db.close();
  for (const ending of ["", "-wal", "-shm"]) await rm(path + ending, { force: true });
  await cp(older, path);
  return columns;
}

const migrating =
  (file: "memory.db" | "journal.db", version: number): Work =>
  async (home, draw) => {
    await cp(filled, home, { recursive: true });
    await rm(join(home, "backups"), { recursive: true });
    const path = join(home, file);
    const newest = file === "journal.db" ? journalForm.migrations.length : migrations.length;
    const columns = await makeOlder(path, version);
    const before = rowsOf(path, columns);
    for (let kills = 1 + draw.below(2); kills > 0; kills--) {
      const server = spawned(home, ["serve", "--json"]);
      await Promise.race([server.exited, Bun.sleep(20 + draw.below(700))]);
      server.kill("SIGKILL");
      await server.exited;
      const copy = join(folder, "copy.db");
      for (const ending of ["", "-wal"]) {
        await rm(copy + ending, { force: true });
        await cp(path + ending, copy + ending).catch(() => undefined);
      }
      await rm(`${copy}-shm`, { force: true });
      const is = versionOf(copy);
      found(`migrate ${file} ${version}`, is === newest ? "after" : "before");
      expect([version, newest]).toContain(is);
      expect(rowsOf(copy, columns)).toBe(before);
    }
    await recordsOf(home);
    expect(versionOf(path)).toBe(newest);
    expect(rowsOf(path, columns)).toBe(before);
    await expectWholeBackups(home);
  };

function versionOf(path: string): number {
  const db = new Database(path);
  try {
    expect(db.query("PRAGMA quick_check").values()).toEqual([["ok"]]);
    return (db.query("PRAGMA user_version").values()[0]?.[0] as number) ?? 0;
  } finally {
    db.close();
  }
}

async function expectWholeBackups(home: string): Promise<void> {
  for (const backup of await listBackups(memoirPaths(home)))
    expect([backup.fault, await verifyBackup(backup)]).toEqual([undefined, []]);
}

const takingIn =
  (args: () => string[]): Work =>
  async (home, draw) => {
    await mkdir(home, { mode: 0o700 });
    const whole = imported.get(args().join()) ?? [];
    expect(whole.length).toBeGreaterThan(40);
    await killOnTheWay(home, args(), draw, 700);
    const texts = new Set(whole);
    const half = await recordsOf(home);
    const part = half.length === 0 ? "before" : half.length < whole.length ? "part" : "after";
    found(args().slice(0, 3).join(" "), part);
    // A session is completed by what comes after it; every other record is whole, and there once.
    const others = half.filter((line) => !line.startsWith("[0,"));
    expect(others.filter((line) => !texts.has(line))).toEqual([]);
    expect(new Set(others).size).toBe(others.length);
    expect(await finish(home, args())).toBe("");
    expect(await recordsOf(home)).toEqual(whole);
  };

async function copying(home: string, draw: Draw): Promise<void> {
  await cp(filled, home, { recursive: true });
  const before = await recordsOf(home);
  const isDone = await killOnTheWay(home, ["backup"], draw, 600);
  found("backup", isDone ? "after" : "before");
  await expectWholeBackups(home);
  expect((await listBackups(memoirPaths(home))).length).toBeGreaterThanOrEqual(isDone ? 2 : 1);
  expect(await recordsOf(home)).toEqual(before);
  expect(await finish(home, ["backup"])).toBe("");
  await expectWholeBackups(home);
}

async function goingBack(home: string, draw: Draw): Promise<void> {
  await cp(filled, home, { recursive: true });
  const then = await recordsOf(home);
  // What came after the backup was by an import: nothing but the backup and the file tells of it.
  await finish(home, importingClaudeMem());
  const now = await recordsOf(home);
  expect(now.length).toBeGreaterThan(then.length);
  const back = (await listBackups(memoirPaths(home)))[0]?.name ?? "";
  const args = ["restore", back, "--yes"];
  await killOnTheWay(home, args, draw, 1_200);
  const after = await recordsOf(home);
  found("restore", after.length === now.length ? "before" : "after");
  expect([then.length, now.length]).toContain(after.length);
  expect([JSON.stringify(then), JSON.stringify(now)]).toContain(JSON.stringify(after));
  await expectWholeBackups(home);
  expect(await run(home, args)).toBe("");
  await run(home, ["server", "stop"]);
  expect(await recordsOf(home)).toEqual(then);
}

/** By a rule of the user's own, which what was stored before does not know. */
async function redacting(home: string, draw: Draw): Promise<void> {
  await cp(filled, home, { recursive: true });
  await rm(join(home, "backups"), { recursive: true });
  const before = await recordsOf(home);
  const rules = { counter: "zebra1\\dx" };
  await writeFile(join(home, "config.json"), JSON.stringify({ privacy: { redact: { rules } } }));
  const args = ["redact", "--stored", "--yes"];
  await killOnTheWay(home, args, draw, 1_200);
  const left = (await recordsOf(home)).filter((line) => /zebra1\dx/.test(line)).length;
  found("redact", left === 0 ? "after" : "before");
  expect(await finish(home, args)).toBe("");
  const after = await recordsOf(home);
  expect(after).toEqual(
    before.map((line) => line.replace(/zebra1\dx/g, "[redacted:counter]")).sort(),
  );
  // The rule itself is there.
  const holding = (await wordsIn(home, "zebra1")).filter((name) => !name.startsWith("config."));
  expect(holding).toEqual([]);
  expect(await wordsIn(home, "zebra20x")).not.toEqual([]);
}

/** In turn, so that each has its share of a run. */
const works: Record<string, Work> = {
  forget: forgetting,
  redact: redacting,
  "migrate memory 1": migrating("memory.db", 1),
  import: takingIn(importing),
  "migrate journal 1": migrating("journal.db", 1),
  backup: copying,
  restore: goingBack,
  "import claude-mem": takingIn(importingClaudeMem),
  ...Object.fromEntries(
    [2, 3].map((version) => [`migrate memory ${version}`, migrating("memory.db", version)]),
  ),
  ...Object.fromEntries(
    [2, 3, 4].map((version) => [`migrate journal ${version}`, migrating("journal.db", version)]),
  ),
};

async function killedCase(draw: Draw): Promise<void> {
  const names = Object.keys(works);
  const asked = process.env.TORTURE_KIND;
  const name = asked ?? names[(draw.seed - 1) % names.length] ?? "";
  const home = join(folder, `case-${draw.seed}`);
  try {
    await works[name]?.(home, draw);
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : error}`, { cause: error });
  } finally {
    await killServersOf(home);
    await rm(home, { recursive: true, force: true });
  }
}

test(
  "a command that is killed leaves what was or what is to be, and the same again ends it",
  async () => {
    try {
      await torture("test/torture/killed-commands.test.ts", 8, killedCase);
    } finally {
      if (process.env.TORTURE)
        for (const [what, n] of [...fell].sort()) console.log(`${what}: ${n}`);
    }
  },
  tortureMs,
);
