// Sharing memory through a PostgreSQL on loopback: what it costs hooks and searches, how soon another home finds what was stored, and a home that begins.
// MEMOIR_SYNC_RECORDS says how many records the shared memory has (100,000).
import { copyFile, mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import postgresHub from "../../plugins/hub-postgres/index.ts";
import { openDatabase } from "../../src/host/sqlite.ts";
import { recordTables } from "../../src/records/fields.ts";
import { testHost } from "../../src/testing/test-host.ts";
import { postgresPrograms, startPostgres, type TestPostgres } from "../support/postgres.ts";
import { madeProject, turnSessions } from "../support/synthetic-turns.ts";
import { type Figure, median, quantile } from "./figures.ts";
import { fillRecords } from "./filled-records.ts";
import { promptPayload, readPayload } from "./payloads.ts";
import { cpuMs, interleaved, type Program } from "./process-cost.ts";
import { binary, type ServedHome, withHome } from "./served-home.ts";

const part = "sync";
const records = Number(process.env.MEMOIR_SYNC_RECORDS ?? 100_000);
/** Of a made turn, with its prompt, its summary and its part of observations and a session. */
const recordsInTurn = 4;
const found = 40;
const pairs = 30;
const searches = 150;
const busiest = madeProject(0);

/** All figures of sharing; none, with a word why, where there is no PostgreSQL. */
export async function benchSync(): Promise<Figure[]> {
  const programs = await postgresPrograms();
  if (!programs) {
    console.error("skipped: there is no PostgreSQL on this machine");
    return [];
  }
  const server = await startPostgres(programs);
  try {
    return await withHome((alone) =>
      withHome((first) => withHome((second) => measure(server, { alone, first, second }))),
    );
  } finally {
    await server.stop();
  }
}

type Homes = Record<"alone" | "first" | "second", ServedHome>;

async function measure(server: TestPostgres, { alone, first, second }: Homes): Promise<Figure[]> {
  const turns = Math.ceil(records / recordsInTurn);
  const end = Date.now();
  await fillRecords(join(alone.home, "memory.db"), turnSessions({ turns, end }));
  await copyFile(join(alone.home, "memory.db"), join(first.home, "memory.db"));
  const pids = [await alone.start(), await first.start()];
  const hub = { type: "postgres", address: server.url };
  const pushed = await timed(async () => {
    await first.ask("/api/sync/spaces", JSON.stringify({ kind: "mine", hub, person: "Ada" }));
    await until(() => isSent(first), 100);
  });
  const bytes = await serverSide(server);
  const key = memoir(first, "sync", "invite", "--key", "--label", "bench").invitation;
  const begun = await begin(second, String(key), await stored(first));
  return [
    { part, name: `${records.toLocaleString("en")} records sent`, value: pushed / 1e3, unit: "s" },
    ...bytes,
    ...begun,
    ...(await foundElsewhere(first, second)),
    ...(await beside(alone, first, pids)),
    ...(await million(server)),
  ];
}

/** Rows and bytes that the hub has for a record. */
async function serverSide(server: TestPostgres): Promise<Figure[]> {
  const [rows = 0, held = 0, disk = 0] = (
    await server.sql(`select count(*) || ' ' || sum(octet_length(bytes)) || ' ' ||
      (select sum(pg_total_relation_size(inhrelid)) from pg_inherits) from memoir.batches`)
  )
    .split(" ")
    .map(Number);
  return [
    { part, name: "rows on the server for 1,000 records", value: (rows / records) * 1e3, unit: "" },
    { part, name: "sealed bytes a record", value: held / records, unit: "B" },
    { part, name: "bytes a record on the server's disk", value: disk / records, unit: "B" },
  ];
}

/** The same sealed batches once more under other names until there are a million changes: what the server holds, and how soon it answers. */
async function million(server: TestPostgres): Promise<Figure[]> {
  const copies = Math.ceil(1_000_000 / records);
  const [heads, batches] = ["heads", "batches"].map((table) => {
    const more = table === "heads" ? "digest" : "bytes";
    return `insert into memoir.${table} (space, stream, number, ${more})
      select md5('many'), stream || '-' || n, number, ${more} from memoir.${table}, generate_series(1, ${copies}) n`;
  });
  const size = () =>
    server.sql("select sum(pg_total_relation_size(inhrelid)) from pg_inherits").then(Number);
  const before = await size();
  for (const text of [heads, batches]) await server.sql(text ?? "");
  await server.sql("analyze memoir.batches");
  const disk = (await size()) - before;
  const host = await hubOn(server.url);
  const [space] = (await server.sql("select md5('many')")).split("\n");
  const ask = (after: Record<string, number>, newest?: number) =>
    host.call("hub.pull", {
      ...{ space: space ?? "", after, bytes: newest ? 256 << 10 : 4 << 20 },
      ...(newest && { newest }),
    });
  const first = await timed(() => ask({}, 64));
  const after: Record<string, number> = {};
  let bytes = 0;
  const all = await timed(async () => {
    for (let more = true; more; ) {
      const page = await ask(after);
      for (const one of page?.batches ?? []) {
        after[one.stream] = one.number;
        bytes += one.bytes.byteLength;
      }
      more = page?.more ?? false;
    }
  });
  await host.stop();
  const name = "a million changes on the server";
  return [
    { part, name: `${name}: disk`, value: disk / (1 << 20), unit: "MB" },
    { part, name: `${name}: the newest of them`, value: first, unit: "ms" },
    { part, name: `${name}: all read`, value: all / 1e3, unit: "s" },
    { part, name: `${name}: bytes read of each`, value: bytes / (copies * records), unit: "B" },
  ];
}

async function hubOn(address: string) {
  const home = await mkdtemp(join(tmpdir(), "memoir-bench-hub-"));
  await writeFile(join(home, "keys.json"), JSON.stringify({ "hub-postgres": address }));
  return testHost(postgresHub, { home, config: { timeoutSeconds: 25 } });
}

/** A home that has nothing but the variable, from its start on. */
async function begin(home: ServedHome, key: string, all: number): Promise<Figure[]> {
  const cwd = await checkout(home.home);
  home.env.MEMOIR_SYNC = key;
  const pid = await home.start();
  const at = performance.now();
  const since = () => (performance.now() - at) / 1_000;
  await until(async () => {
    const answer = await home.ask(`/api/context?${new URLSearchParams({ cwd })}`);
    return (JSON.parse(answer) as { context: string }).context.length > 0;
  });
  const context = since();
  await until(async () => (await stored(home)) >= all, 500);
  const there = since();
  const waiting = "SELECT count(*) FROM search_waiting";
  await until(async () => (await looked(home, "memory.db", waiting)) === 0, 500);
  const limit = (seconds: number) => ({ limit: seconds, better: "lower" }) as const;
  const cpu = cpuMs(pid) ?? Number.NaN;
  const name = "a home that begins";
  return [
    { part, name: `${name}: first context`, value: context, unit: "s", target: limit(2) },
    { part, name: `${name}: all of it`, value: there, unit: "s", target: limit(90) },
    { part, name: `${name}: all of it found`, value: since(), unit: "s" },
    { part, name: `${name}: CPU of its server a record`, value: cpu / records, unit: "ms" },
  ];
}

/** Asks one of a home's databases, whoever writes it. */
async function looked(home: ServedHome, name: string, sql: string): Promise<number> {
  const db = await openDatabase(join(home.home, name), { readonly: true });
  try {
    return db.get<{ n: number }>(`SELECT (${sql}) AS n`)?.n ?? 0;
  } finally {
    db.close();
  }
}

const counted = recordTables.map((table) => `(SELECT count(*) FROM ${table})`).join(" + ");
const stored = (home: ServedHome) => looked(home, "memory.db", counted).catch(() => 0);

async function isSent(home: ServedHome): Promise<boolean> {
  const own = "SELECT position FROM replicas WHERE own = 1";
  const sent = await looked(home, "sync.db", "SELECT sent FROM spaces");
  return sent > 0 && sent >= (await looked(home, "memory.db", own));
}

/** From when a prompt is found where it was typed until it is found in the other home. */
async function foundElsewhere(first: ServedHome, second: ServedHome): Promise<Figure[]> {
  const times: number[] = [];
  for (let at = 0; at < found; at++) {
    const word = `wombat${letters(at)}`;
    const prompt = `Look at the ${word}, please.`;
    const isFound = (home: ServedHome) => async () => (await search(home, word)).includes(prompt);
    await first.ask("/hook/claude-code", promptPayload(`shared-${at}`, prompt));
    await until(isFound(first));
    times.push(await timed(() => until(isFound(second))));
    await Bun.sleep(250);
  }
  const target = { limit: 1_000, better: "lower" } as const;
  const name = "stored here, found there";
  return [
    { part, name: `${name}: p50`, value: median(times), unit: "ms" },
    { part, name: `${name}: p95`, value: quantile(times, 0.95), unit: "ms", target },
  ];
}

/** A hook and a search of a home that shares, beside those of one that does not, by turns. */
async function beside(alone: ServedHome, first: ServedHome, pids: number[]): Promise<Figure[]> {
  let serial = 0;
  const hook = ({ env }: ServedHome): Program => ({
    command: [binary, "hook", "claude-code"],
    env,
    get stdin() {
      return Buffer.from(readPayload(`beside-${serial}`, serial++));
    },
  });
  const { a, b } = interleaved(hook(alone), hook(first), pairs);
  const off: number[] = [];
  const on: number[] = [];
  const cpu = pids.map((pid) => cpuMs(pid) ?? 0);
  for (let at = 0; at < searches; at++) {
    const text = ["invoice", "session token", "fix broken cache"][at % 3] ?? "";
    for (const isOn of at % 2 === 0 ? [false, true] : [true, false])
      (isOn ? on : off).push(await timed(() => search(isOn ? first : alone, text)));
  }
  const [cpuOff = 1, cpuOn = 1] = pids.map((pid, at) => (cpuMs(pid) ?? 0) - (cpu[at] ?? 0));
  const target = { limit: 1.1, better: "lower" } as const;
  const ratio = (name: string, value: number, promised?: typeof target): Figure => ({
    ...{ part, name: `${name}, shared ÷ alone`, value, unit: "×" },
    ...(promised && { target: promised }),
  });
  const wall = (costs: typeof a) => median(costs.map(({ wallMs }) => wallMs));
  const used = (costs: typeof a) => median(costs.map(({ cpuMs: ms }) => ms));
  return [
    ratio("hook: wall, median", wall(b) / wall(a), target),
    ratio("hook: CPU, median", used(b) / used(a), target),
    ratio("search: wall, median", median(on) / median(off), target),
    ratio("search: CPU of the server", cpuOn / cpuOff),
  ];
}

function letters(at: number): string {
  return at.toString(10).replace(/\d/g, (digit) => "bcdfghklmn"[Number(digit)] ?? "");
}

function memoir(home: ServedHome, ...args: string[]): Record<string, unknown> {
  const { stdout, stderr, exitCode } = Bun.spawnSync([binary, ...args, "--json"], {
    env: home.env,
  });
  if (exitCode !== 0) throw new Error(`memoir ${args.join(" ")}: ${stderr}`);
  return JSON.parse(stdout.toString());
}

/** A checkout whose git remote gives the project its id. */
async function checkout(home: string): Promise<string> {
  const folder = join(home, "code", busiest.name);
  await mkdir(join(folder, ".git"), { recursive: true });
  await writeFile(join(folder, ".git", "HEAD"), "ref: refs/heads/main\n");
  const config = `[remote "origin"]\n\turl = https://${busiest.id}.git\n`;
  await writeFile(join(folder, ".git", "config"), config);
  return folder;
}

function search(home: ServedHome, text: string): Promise<string> {
  return home.ask(`/api/search?${new URLSearchParams({ text })}`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const at = performance.now();
  await work();
  return performance.now() - at;
}

async function until(is: () => Promise<boolean>, everyMs = 10): Promise<void> {
  const end = Date.now() + 30 * 60_000;
  while (!(await is())) {
    if (Date.now() > end) throw new Error("it did not come");
    await Bun.sleep(everyMs);
  }
}
