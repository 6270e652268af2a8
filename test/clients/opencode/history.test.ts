// OpenCode's database as history: what is in it is counted twice, it is read beside an OpenCode that writes, and what is broken in it costs itself only.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { clientAt, discoverOf, planBackfill } from "../../../src/backfill/plan.ts";
import { listTranscripts } from "../../../src/cli/history/transcript/find.ts";
import { dumpTranscript } from "../../../src/cli/history/transcript/print.ts";
import { recordedForm, transcriptForms } from "../../../src/clients/index.ts";
import { SessionEvents } from "../../../src/clients/normal/transcript-events.ts";
import {
  openCodeHistory,
  adapter as opencodeAdapter,
} from "../../../src/clients/opencode/index.ts";
import { type Database, openDatabase } from "../../../src/host/sqlite.ts";
import { createContextReader, trustedStored } from "../../../src/runtime/context/read-contexts.ts";
import { createTurnTranscripts } from "../../../src/runtime/worker/turn.ts";
import type { ClientEvent } from "../../../src/sdk/events.ts";
import type { SessionFiles } from "../../../src/transcript/discover.ts";
import { readEntries } from "../../../src/transcript/read.ts";
import { expectGolden } from "../../support/golden.ts";
import { keptLog } from "../../support/kept-log.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";
import { payloadsIn } from "../suite.ts";

type Json = Record<string, unknown>;
interface Rows {
  session: Array<{
    id: string;
    parent_id: string | null;
    directory: string;
    version: string;
    time_created: number;
    time_updated: number;
  }>;
  message: Array<{
    id: string;
    session_id: string;
    time_created: number;
    time_updated: number;
    data: Json;
  }>;
  part: Array<{
    id: string;
    message_id: string;
    session_id: string;
    time_created: number;
    time_updated: number;
    data: Json;
  }>;
}

const fixture = join(import.meta.dirname, "fixtures/_database.json");
const recorded = join(
  import.meta.dirname,
  "../../../../shared/data/other-clients/opencode/_opencode.db-rows.json",
);
const rowsOf = (path: string): Rows => JSON.parse(readFileSync(path, "utf8"));

let folder: string;
let path: string;
let db: Database;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-opencode-"));
  path = join(folder, "opencode.db");
});
afterEach(async () => {
  db?.close();
  await rm(folder, { recursive: true });
});

/** A database of OpenCode's form, which its writer keeps open. */
async function filled(rows: Rows): Promise<void> {
  db = await openDatabase(path);
  db.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text NOT NULL, version text NOT NULL, time_created integer, time_updated integer);
    CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data text);
    CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, time_created integer, time_updated integer, data text);`);
  for (const table of ["session", "message", "part"] as const)
    for (const row of rows[table]) insert(table, row);
}

function insert(table: string, row: object): void {
  const known = [
    "id",
    "parent_id",
    "directory",
    "version",
    "session_id",
    "message_id",
    "time_created",
    "time_updated",
    "data",
  ];
  const fields = Object.entries(row).filter(([name]) => known.includes(name));
  const values = fields.map(([name, value]) =>
    name === "data" && typeof value !== "string" ? JSON.stringify(value) : value,
  );
  const names = fields.map(([name]) => name).join(", ");
  db.prepare(`INSERT INTO ${table} (${names}) VALUES (${fields.map(() => "?").join(", ")})`).run(
    values,
  );
}

async function eventsOf(files: SessionFiles): Promise<ClientEvent[]> {
  const events: ClientEvent[] = [];
  const { transcripts } = opencodeAdapter;
  const of = { name: "opencode", ...(transcripts?.outcome && { outcome: transcripts.outcome }) };
  for (const file of [...(files.main ? [files.main] : []), ...files.agents]) {
    const agent = "agentId" in file ? { agent: { id: String(file.agentId), path: file.path } } : {};
    const session = new SessionEvents({
      session: files.session,
      transcriptPath: files.main?.path ?? "",
      of,
      ...agent,
    });
    for await (const entry of readEntries(openCodeHistory.chunks(file.path), {
      parse: (await recordedForm("opencode")).parse,
    })) {
      expect(entry.kind).not.toBe("broken");
      events.push(...session.add(entry).map(({ event }) => event));
    }
    events.push(...session.end(true).map(({ event }) => event));
  }
  return events;
}

const counts = (events: readonly ClientEvent[]) => {
  const of = (name: string) => events.filter((event) => event.name === name).length;
  return {
    prompts: of("UserPromptSubmit"),
    passed: of("PostToolUse"),
    failed: of("PostToolUseFailure"),
    subagents: of("SubagentStop"),
  };
};

/** The same, counted from the rows and from nothing else. */
function countedApart({ session, message, part }: Rows) {
  const count = {
    prompts: 0,
    passed: 0,
    failed: 0,
    subagents: session.filter((one) => one.parent_id !== null).length,
  };
  const roots = new Set(session.filter((one) => one.parent_id === null).map(({ id }) => id));
  for (const { id, session_id, data } of message)
    if (data.role === "user" && roots.has(session_id))
      count.prompts += part.some(
        (one) => one.message_id === id && one.data.type === "text" && !one.data.synthetic,
      )
        ? 1
        : 0;
  for (const { data } of part) {
    const { status, metadata } = (data.state ?? {}) as {
      status?: string;
      metadata?: { exit?: number; files?: unknown[] };
    };
    if (data.type !== "tool" || (status !== "completed" && status !== "error")) continue;
    const failed =
      status === "error" ||
      data.tool === "invalid" ||
      (data.tool === "bash" && metadata?.exit !== 0);
    if (failed) count.failed++;
    else count.passed += data.tool === "apply_patch" ? (metadata?.files?.length ?? 0) : 1;
  }
  return count;
}

describe.each([fixture, recorded].filter(existsSync).map((source) => [basename(source), source]))(
  "%s",
  (_, source) => {
    test("prompts, tool uses and how they ended, counted twice", async () => {
      const rows = rowsOf(source);
      await filled(rows);
      const { sessions, unreadable } = await openCodeHistory.discover(path);
      expect(unreadable).toEqual([]);
      const events = (await Promise.all(sessions.map(eventsOf))).flat();
      expect(counts(events)).toEqual(countedApart(rows));
      const plan = await planBackfill((await discoverOf(path, "opencode")).sessions, new Map(), {});
      const { prompts, passed, failed } = countedApart(rows);
      expect(plan.sessions.reduce((sum, one) => sum + one.prompts, 0)).toBe(prompts);
      expect(plan.sessions.reduce((sum, one) => sum + one.toolUses, 0)).toBe(passed + failed);
      const bytes = sessions.flatMap(({ main, agents }) => [...(main ? [main] : []), ...agents]);
      for (const file of bytes) {
        let seen = 0;
        for await (const chunk of openCodeHistory.chunks(file.path)) seen += chunk.length;
        expect(seen).toBe(file.bytes);
      }
    });
  },
);

test("what it tells, whole", async () => {
  await filled(rowsOf(fixture));
  const { sessions } = await openCodeHistory.discover(path);
  const told = (await Promise.all(sessions.map(eventsOf))).flat();
  const text = JSON.stringify(told, undefined, 1).replaceAll(
    folder,
    "/home/dev/.local/share/opencode",
  );
  expect(text).not.toContain("PROMPT-MARK");
  expect(text).not.toContain("TOOL-MARK");
  await expectGolden(join(import.meta.dirname, "recorded", "_database.txt"), `${text}\n`);
});

test("an event has one key, told by the plugin or read here", async () => {
  await filled(rowsOf(fixture));
  const { sessions } = await openCodeHistory.discover(path);
  const keys = new Set((await Promise.all(sessions.map(eventsOf))).flat().map(({ key }) => key));
  const delivery = { id: "5b2c7f0e-0000-4000-8000-000000000001", time: 1 };
  let met = 0;
  for (const { name, value } of payloadsIn(join(import.meta.dirname, "fixtures"))) {
    if (!/^(after-(?!read-part|bash-aborted|bash-silent)|tool-threw|prompt-quoted)/.test(name))
      continue;
    const event = opencodeAdapter.parse(value, delivery);
    expect([name, keys.has(event?.key ?? "")]).toEqual([name, true]);
    met++;
  }
  expect(met).toBeGreaterThan(10);
});

describe("what the runtime reads of a session", () => {
  const scrub = async (texts: readonly string[]) => [...texts];
  const form = transcriptForms({ HOME: "/nowhere" });
  const own = "ses_dfa81f57effe5Gq6Mw8625nH4o";
  const session = () => ({ id: own, client: "opencode", transcriptPath: `${path}/${own}.jsonl` });

  test("a turn, with what the agent said between", async () => {
    await filled(rowsOf(fixture));
    const read = createTurnTranscripts({ folders: [], form, scrub, log: keptLog() });
    const moments = await read({
      ...{ key: "k", session: session() as never, cwd: "/home/dev/project", from: 0 },
      marks: [
        {
          number: 1,
          text: 'Fix the "add" function',
          promptId: "msg_2057e0b23001bP0Hiu5AwUtVYX",
          time: 1_795_388_476_195,
        },
        {
          number: 2,
          text: "two",
          promptId: "msg_2057e2b6e001vLtDaAMte2u1Ea",
          time: 1_795_388_484_462,
        },
      ],
      relative: (file) => file,
    });
    const said = moments?.flatMap((moment) => (moment.what === "said" ? [moment.text] : []));
    expect(said).toEqual(["Let me look.", "Fixing.", "All done: add() now adds."]);
  });

  test("what led to a tool use, of the agent's and of a subagent's", async () => {
    await filled(rowsOf(fixture));
    const limits = {
      ...{ intent: 500, reasoning: 500, assistantText: 500, result: 500 },
      ...{ turns: 2, turn: 300, bytes: 1_000_000 },
    };
    const read = createContextReader({ folders: [], form, limits, scrub, log: keptLog() });
    const use = (id: string, agent?: string) => ({
      id,
      name: "Read",
      input: {},
      time: 1_795_388_480_565,
      cwd: "/",
      ...(agent && { agent: { id: agent } }),
    });
    const edited = "call_648816e0281fba2b64bdf934";
    const sub = "call_f30aefe820842f8d6a566b60";
    const { contexts } = await read({
      ...{ key: "k", session: session(), waiting: false },
      toolUses: [use(edited), use(sub, "ses_dfa81dc9cffeCAtIDnck3GVjmE")],
    } as never);
    expect(JSON.stringify(contexts.get(edited))).toContain("Fixing.");
    expect(JSON.stringify(contexts.get(sub))).toContain("SUB looks");
  });

  test("nothing of a path that is none in a database", async () => {
    await filled(rowsOf(fixture));
    expect(await trustedStored(`${path}/${own}.jsonl`, own)).toBeDefined();
    for (const named of [
      `${path}/other.jsonl`,
      `${folder}/${own}.jsonl`,
      `opencode.db/${own}.jsonl`,
      `${path}x/${own}.jsonl`,
    ])
      expect(await trustedStored(named, own)).toBeUndefined();
  });
});

test("what `memoir session` shows", async () => {
  await filled(rowsOf(fixture));
  const terminal = plainTerminal({ env: { HOME: folder, OPENCODE_DB: path }, cwd: folder });
  expect(await listTranscripts(undefined, { limit: 9 }, terminal)).toBe(0);
  const listed = terminal.out.splice(0).join("\n");
  const { sessions } = await openCodeHistory.discover(path);
  for (const { session } of sessions) expect(listed).toContain(session.slice(0, 8));
  expect(listed).toContain("/home/dev/project");
  await dumpTranscript(sessions[0]?.session, {}, terminal);
  expect(terminal.out.join("\n")).toContain("All done: add() now adds.");
});

test("one session by its own path, parts of it, and whose a path is", async () => {
  await filled(rowsOf(fixture));
  const { sessions } = await openCodeHistory.discover(path);
  const main = sessions[0]?.main;
  if (!main) throw new Error("no session");
  expect((await openCodeHistory.discover(main.path)).sessions).toEqual(sessions.slice(0, 1));
  const whole = Buffer.concat(await Array.fromAsync(openCodeHistory.chunks(main.path)));
  for (const [from, to] of [
    [0, 10],
    [37, 4_000],
    [main.bytes - 5, main.bytes],
    [main.bytes, main.bytes + 9],
  ] as const) {
    const part = Buffer.concat(
      await Array.fromAsync(openCodeHistory.chunks(main.path, { from, to })),
    );
    expect(part.equals(whole.subarray(from, to))).toBe(true);
  }
  expect(await clientAt(main.path, { HOME: "/nowhere", OPENCODE_DB: path })).toBe("opencode");
});

describe("beside an OpenCode that writes", () => {
  test("nothing of its files changes, and what is not committed is not seen", async () => {
    await filled(rowsOf(fixture));
    const before = (await openCodeHistory.discover(path)).sessions;
    db.exec("BEGIN IMMEDIATE");
    db.exec("DELETE FROM part");
    const files = ["opencode.db", "opencode.db-wal"].map((name) => join(folder, name));
    const bytes = await Promise.all(files.map((file) => readFile(file)));
    expect((await openCodeHistory.discover(path)).sessions).toEqual(before);
    for (const { main } of before) await Array.fromAsync(openCodeHistory.chunks(main?.path ?? ""));
    for (const [at, file] of files.entries())
      expect((await readFile(file)).equals(bytes[at] as Buffer)).toBe(true);
    db.exec("COMMIT");
    const after = (await openCodeHistory.discover(path)).sessions;
    expect(after.map(({ session }) => session)).toEqual(before.map(({ session }) => session));
    expect(after[0]?.bytes).toBeLessThan(before[0]?.bytes ?? 0);
  });

  test("what it goes on with comes after what was read", async () => {
    const rows = rowsOf(fixture);
    const done = rows.part.filter(({ data }) => data.type === "tool");
    const running = done.at(-1);
    if (!running) throw new Error("no tool");
    const state = running.data.state as Json;
    await filled({
      ...rows,
      part: rows.part
        .filter((one) => one.id <= running.id)
        .map((one) =>
          one === running
            ? { ...one, data: { ...one.data, state: { status: "running", input: state.input } } }
            : one,
        ),
    });
    const find = async () =>
      (await openCodeHistory.discover(path)).sessions
        .flatMap(({ main, agents }) => [...(main ? [main] : []), ...agents])
        .find((file) => file.path.includes(running.session_id));
    const read = async (file = "") =>
      Buffer.concat(await Array.fromAsync(openCodeHistory.chunks(file)));
    const file = await find();
    const early = await read(file?.path);
    db.prepare("UPDATE part SET data = ? WHERE id = ?").run([
      JSON.stringify(running.data),
      running.id,
    ]);
    const late = await read(file?.path);
    expect(late.length).toBeGreaterThan(early.length);
    expect(late.subarray(0, early.length).equals(early)).toBe(true);
    expect((await find())?.bytes).toBe(late.length);
  });
});

describe("what is broken", () => {
  test("a row that is not valid JSON, or of another form, costs itself", async () => {
    const rows = rowsOf(fixture);
    await filled(rows);
    const [session] = rows.session;
    const message = rows.message.find(({ data }) => data.role === "assistant");
    const shared = {
      message_id: message?.id,
      session_id: session?.id,
      time_created: 1,
      time_updated: 1,
    };
    for (const [at, data] of [
      '{"type":"te',
      "",
      "3",
      "null",
      '{"type":"tool"}',
      '{"type":"tool","state":3}',
      '{"type":"text","text":5}',
      '{"type":"tool","tool":3,"state":{"status":"completed","input":"ls","metadata":{"files":"x"}}}',
    ].entries())
      insert("part", { ...shared, id: `prt_odd${at}`, data });
    insert("message", {
      id: "msg_odd",
      session_id: session?.id,
      time_created: 1,
      time_updated: 1,
      data: '{"role":',
    });
    const { sessions } = await openCodeHistory.discover(path);
    const events = (await Promise.all(sessions.map(eventsOf))).flat();
    expect(counts(events)).toEqual(countedApart(rows));
  });

  test("a session whose id leads out of the database costs itself", async () => {
    const rows = rowsOf(fixture);
    const [one, ...others] = rows.session;
    if (!one) throw new Error("no sessions");
    await filled({ ...rows, session: [{ ...one, id: "../../elsewhere" }, ...others] });
    const message = { session_id: "../../elsewhere", time_created: 1, time_updated: 1 };
    insert("message", { ...message, id: "msg_away", data: '{"role":"user"}' });
    const found = await openCodeHistory.discover(path);
    const paths = found.sessions.flatMap(({ main, agents }) => [
      ...(main ? [main] : []),
      ...agents,
    ]);
    expect(found.unreadable).toEqual([]);
    expect(paths.map((file) => dirname(file.path))).toEqual(others.map(() => path));
  });

  test("subagents that are each other's parents end", async () => {
    const rows = rowsOf(fixture);
    const [one, two] = rows.session;
    if (!one || !two) throw new Error("no sessions");
    await filled({
      ...rows,
      session: [
        { ...one, parent_id: two.id },
        { ...two, parent_id: one.id },
      ],
    });
    expect((await openCodeHistory.discover(path)).unreadable).toEqual([]);
  });

  test("no database, another one, or none at all", async () => {
    expect(await openCodeHistory.discover(join(folder, "none.db"))).toEqual({
      sessions: [],
      unreadable: [],
    });
    await writeFile(path, "not a database, whatever its name says".repeat(100));
    expect(await openCodeHistory.discover(path)).toEqual({ sessions: [], unreadable: [path] });
    const other = join(folder, "other.db");
    const empty = await openDatabase(other);
    empty.exec("CREATE TABLE session (id text)");
    empty.close();
    expect(await openCodeHistory.discover(other)).toEqual({ sessions: [], unreadable: [other] });
  });
});
