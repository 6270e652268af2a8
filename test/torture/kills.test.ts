// The server killed -9 at any instant while several sessions talk to it and its records are worked on: what was answered is
// there once, the index is in step, and every file it writes is whole. The instant of a kill is the machine's as much as the
// seed's: a failure that does not come back at once is played with more cases from its seed.
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { readFindings } from "../../src/home/findings.ts";
import { readServerInfo } from "../../src/server/life/server-info.ts";
import { type PluginServer, withPluginServer } from "../support/plugin-server.ts";
import { runMemoir } from "../support/run-memoir.ts";
import { payloadsOf } from "./payloads.ts";
import { type Draw, torture, tortureMs } from "./seeds.ts";

const cwd = "/nonexistent/shop";

/** One session that talks: its next event is sent again until it is answered. */
interface Talker {
  session: string;
  /** Events of the turn under way that were not answered. */
  next: Array<{ id: string; payload: Record<string, unknown> }>;
  serial: number;
}

/** What was answered, by what tells it from all others. */
interface Answered {
  /** Texts, by their id. */
  prompts: Map<string, string>;
  tools: Set<string>;
}

let server: PluginServer;
let finish: () => void = () => undefined;
let ended: Promise<void>;
const answered: Answered = { prompts: new Map(), tools: new Set() };
const talkers: Talker[] = [];
let serial = 0;

beforeAll(async () => {
  const ready = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  finish = over.resolve;
  ended = withPluginServer({ "config.json": { log: { level: "warn" } } }, async (made) => {
    server = made;
    ready.resolve();
    await over.promise;
  });
  await Promise.race([ready.promise, ended]);
  for (let n = 0; n < 4; n++) talkers.push({ session: `s-${n}`, next: [], serial: 0 });
});
afterAll(async () => {
  finish();
  await ended;
});

/** The events of a talker's next turn; now and then a new session begins. */
function turnOf(talker: Talker): Talker["next"] {
  serial++;
  if (serial % 23 === 0) talker.session = `${talker.session}-${serial}`;
  return payloadsOf(talker.session, serial, cwd)
    .filter(({ hook_event_name: name }) => name !== "SessionEnd" || serial % 23 === 22)
    .map((payload) => ({ id: crypto.randomUUID(), payload }));
}

async function send(id: string, payload: object): Promise<boolean> {
  try {
    const response = await fetch("http://localhost/hook/claude-code", {
      ...{ method: "POST", body: JSON.stringify(payload) },
      headers: { "x-memoir-event": id, "x-memoir-time": String(Date.now()) },
      unix: join(server.home, "memoir.sock"),
    });
    await response.text();
    return response.ok;
  } catch {
    return false;
  }
}

/** Talks until the server is gone. */
async function talk(talker: Talker): Promise<void> {
  for (;;) {
    if (talker.next.length === 0) talker.next = turnOf(talker);
    const [event] = talker.next;
    if (!event || !(await send(event.id, event.payload))) return;
    talker.next.shift();
    const { hook_event_name: name, prompt_id, prompt, tool_use_id } = event.payload;
    if (name === "UserPromptSubmit") answered.prompts.set(`${prompt_id}`, `${prompt}`);
    if (name === "PostToolUse") answered.tools.add(`${tool_use_id}`);
  }
}

/** Sessions whose forgetting was answered: nothing of them may be there again. */
const forgotten = new Set<string>();

/** Work on what is kept that a kill may meet, beside the talk. */
const works: Record<string, () => Promise<unknown>> = {
  nothing: async () => undefined,
  reindex: () => server.ask("/api/reindex", {}),
  backup: () => memoir("memory", "backup"),
  async forget() {
    const session = `s-gone-${++serial}`;
    for (const payload of payloadsOf(session, serial, cwd))
      if (!(await send(crypto.randomUUID(), payload))) return;
    await server.ask("/api/drain", { session });
    await server.ask("/api/forget", { ids: [session] });
    forgotten.add(session);
  },
  async hook() {
    const payload = payloadsOf("s-hook", ++serial, cwd)[3];
    const { code, out } = await memoir("hook", "claude-code", JSON.stringify(payload));
    expect([code, out]).toEqual([0, ""]);
    answered.tools.add(`${payload?.tool_use_id}`);
  },
};

function memoir(command: string, argument?: string, stdin?: string) {
  const args = argument === undefined ? [command] : [command, argument];
  return runMemoir(args, { HOME: server.home, MEMOIR_HOME: server.home }, server.home, stdin);
}

function rows<Row>(file: string, sql: string): Row[] {
  const db = new Database(join(server.home, file), { readonly: true });
  try {
    return db.query<Row, []>(sql).all();
  } finally {
    db.close();
  }
}

/** Each answered event stands once in the journal, once the spool is taken in. */
function expectJournal(): void {
  const found = rows<{ id: string; n: number }>(
    "journal.db",
    "SELECT coalesce(tool_use, prompt_id) AS id, count(*) AS n FROM events WHERE name IN ('PostToolUse', 'UserPromptSubmit') GROUP BY 1",
  );
  const counts = new Map(found.map(({ id, n }) => [id, n]));
  const ids = [...answered.tools, ...answered.prompts.keys()];
  expect(ids.filter((id) => counts.get(id) !== 1)).toEqual([]);
  expect(found.filter(({ n }) => n > 1)).toEqual([]);
}

/** What was made of them stands once in storage, and what was forgotten does not. */
async function expectStorage(): Promise<void> {
  await server.ask("/api/drain", {});
  const prompts = rows<{ text: string; n: number }>(
    "memory.db",
    "SELECT user_prompt AS text, count(*) AS n FROM prompts GROUP BY 1",
  );
  const counts = new Map(prompts.map(({ text, n }) => [text, n]));
  const missing = [...answered.prompts.values()].filter((text) => counts.get(text) !== 1);
  expect(missing).toEqual([]);
  expect(prompts.filter(({ n }) => n > 1)).toEqual([]);
  const made = rows<object>(
    "memory.db",
    "SELECT tool_use_ids, title, count(*) AS n FROM observations GROUP BY 1, 2 HAVING n > 1",
  );
  expect(made).toEqual([]);
  const sessions = rows<{ id: string }>(
    "memory.db",
    "SELECT client_session_id AS id FROM sessions",
  );
  expect(sessions.filter(({ id }) => forgotten.has(id))).toEqual([]);
  expect(rows<object>("memory.db", "PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
  const { storage } = await server.status();
  if ("error" in storage) throw new Error(storage.error);
  if (storage.index?.isWhole) expect(storage.index.indexed).toBe(storage.index.records);
}

/** Every file that is replaced as a whole is whole. */
async function expectFiles(): Promise<void> {
  const names = await readdir(server.home, { recursive: true });
  for (const name of names.filter((one) => one.endsWith(".json") && !one.includes("node_modules")))
    expect(JSON.parse(await readFile(join(server.home, name), "utf8")), name).toBeDefined();
  expect(names.filter((name) => name.includes(".damaged-"))).toEqual([]);
  // A kill is no damage: nothing is missed.
  expect(readFindings(server.home)).toEqual([]);
}

/** A hook that met a killed server starts one by itself: it goes like the others. */
async function startAnew(): Promise<number> {
  for (;;) {
    const pid = await server.start().catch(() => undefined);
    if (pid !== undefined) return pid;
    const other = await readServerInfo(join(server.home, "server.json"));
    if (other) killIfThere(other.pid);
    await Bun.sleep(50);
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It is gone already.
  }
}

async function killOnce(draw: Draw): Promise<void> {
  const pid = await startAnew();
  let talks: Array<Promise<unknown>> = [];
  try {
    // What a killed server left has been taken up by now: it counts before more is said.
    await server.ask("/api/drain", {});
    expectJournal();
    await expectFiles();
    if (draw.chance(0.2)) await expectStorage();
    const work = works[draw.pick(Object.keys(works))]?.().catch(() => undefined);
    talks = [...talkers.map(talk), Promise.resolve(work)];
    await Bun.sleep(draw.chance(0.2) ? draw.below(2_500) : draw.below(700));
  } finally {
    killIfThere(pid);
    await server.exited();
    await Promise.all(talks);
  }
}

test(
  "what was answered is there once, after every kill",
  async () => {
    await torture("test/torture/kills.test.ts", 10, killOnce);
    await startAnew();
    expectJournal();
    await expectFiles();
    await expectStorage();
    expect(answered.prompts.size).toBeGreaterThan(0);
  },
  tortureMs,
);
