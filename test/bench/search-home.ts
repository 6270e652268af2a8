// A database of any number of made turns, for search to be measured over: 12,500 are put as any record is, more are copies of them.
import { mkdir, rm } from "node:fs/promises";
import { dirname } from "node:path";
import process from "node:process";
import { sumRows } from "../../src/home/database/intact.ts";
import { type Database, openDatabase } from "../../src/host/sqlite.ts";
import { openRecords } from "../../src/records/record-store.ts";
import { openRecordIndex } from "../../src/records/search-index.ts";
import { blocksInSpan, spanSize } from "../../src/search/index/schema.ts";
import { createIndex } from "../../src/search/index.ts";
import { turnSessions } from "../support/synthetic-turns.ts";

/** Turns that are made; any other number is a multiple. */
export const baseTurns = 12_500;
/** The newest turn, epoch ms. */
export const newestTurn = Date.UTC(2026, 10, 1);

/** Of the words that so few records have, one in so many is another word in each copy: vocabularies grow. */
const rare = 2;
const renewed = 6;

/** Fills `path` with 12,500 turns through the records' own door, packs all of them, and gives the CPU time of storing one, in ms. */
export async function fillBase(path: string): Promise<number> {
  await mkdir(dirname(path), { recursive: true });
  for (const ending of ["", "-wal", "-shm"]) await rm(path + ending, { force: true });
  const records = await openRecords(path);
  let number = 0;
  const begin = process.cpuUsage();
  for (const session of turnSessions({ turns: baseTurns, end: newestTurn }))
    await records.put({ key: `made-${number++}`, records: session });
  const put = cpuMs(begin);
  records.close();
  const db = await openDatabase(path);
  createIndex(db).pack(Number.MAX_SAFE_INTEGER);
  db.close();
  return put / baseTurns;
}

function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}

/** CPU time of making the whole index anew, in ms. */
export async function indexMs(path: string): Promise<number> {
  const db = await openDatabase(path);
  const begin = process.cpuUsage();
  const index = openRecordIndex(db);
  index.rebuildLater();
  while (!index.state().isWhole) await Bun.sleep(1);
  const ms = cpuMs(begin);
  db.close();
  return ms;
}

/** Bytes of the pages that the index takes. */
export async function indexBytes(path: string): Promise<number> {
  const db = await openDatabase(path);
  const found = db
    .prepare<{ n: number }>("SELECT sum(pgsize) AS n FROM dbstat WHERE name LIKE '%search_%'")
    .get();
  db.close();
  return found?.n ?? 0;
}

/** Makes the database at `path` from that of `base`: `copies` times its records, each copy a while before the one after it. */
export async function multiply(base: string, path: string, copies: number): Promise<void> {
  for (const ending of ["", "-wal", "-shm"]) await rm(path + ending, { force: true });
  (await openRecords(path)).close();
  const db = await openDatabase(path);
  db.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF;
    PRAGMA cache_size = -400000; PRAGMA temp_store = MEMORY; ATTACH '${base}' AS base;
    CREATE TEMP TABLE copies (c INTEGER PRIMARY KEY, suffix TEXT NOT NULL);
    CREATE TEMP TABLE rare (number INTEGER PRIMARY KEY)`);
  const add = db.prepare("INSERT INTO copies VALUES (?, ?)");
  for (let c = 0; c < copies; c++) add.run([c, c === copies - 1 ? "" : suffix(c)]);
  const sizes = sizesOf(db);
  copyRecords(db, copies, sizes);
  copyIndex(db, copies, sizes);
  while (sumRows(db, 10_000) > 0) progress("checksums");
  db.exec("DETACH base; PRAGMA journal_mode = WAL");
  db.close();
}

/** Two letters and more, so that what they end stays one word. */
function suffix(number: number): string {
  const letter = (at: number) => String.fromCharCode(97 + (at % 26));
  return `${letter(number)}${letter(Math.floor(number / 26))}o`;
}

/** By how much each copy's numbers are higher than those of the one before. */
interface Sizes {
  rows: Record<string, number>;
  terms: number;
  sessions: number;
  /** ms. */
  time: number;
}

const recordTables = ["sessions", "prompts", "observations", "session_summaries", "turns"] as const;

function sizesOf(db: Database): Sizes {
  const highest = (column: string, from: string) =>
    db.prepare<{ n: number }>(`SELECT max(${column}) AS n FROM base.${from}`).get()?.n ?? 0;
  const oldest =
    db.prepare<{ n: number }>("SELECT min(started_at) AS n FROM base.sessions").get()?.n ?? 0;
  return {
    rows: Object.fromEntries(recordTables.map((table) => [table, highest("id", table)])),
    terms: highest("number", "search_terms"),
    sessions: highest("number", "search_names WHERE what = 'session'"),
    time: highest("last_active_at", "sessions") - oldest + 3_600_000,
  };
}

/** How the columns of a table differ from copy to copy; all others stay. */
function copyRecords(db: Database, copies: number, { rows, time }: Sizes): void {
  const later = (column: string) => ({ [column]: `${column} - (${copies - 1} - c) * ${time}` });
  const shifted = (column: string, table: string) => ({
    [column]: `${column} + c * ${rows[table]}`,
  });
  const own = (table: string) => ({
    ...shifted("id", table),
    ...shifted("session_id", "sessions"),
  });
  const changes: Record<string, Record<string, string>> = {
    projects: {},
    sessions: {
      ...shifted("id", "sessions"),
      ...{ client_session_id: "client_session_id || suffix" },
      ...{ ...later("started_at"), ...later("last_active_at"), ...later("ended_at") },
    },
    prompts: { ...own("prompts"), ...later("created_at") },
    observations: { ...own("observations"), ...later("created_at") },
    session_summaries: { ...own("session_summaries"), ...later("created_at") },
    turns: { ...own("turns"), ...later("created_at"), ...later("last_at") },
    observation_files: shifted("observation_id", "observations"),
    observation_concepts: shifted("observation_id", "observations"),
    summary_files: shifted("summary_id", "session_summaries"),
    turn_files: shifted("turn_id", "turns"),
  };
  for (const [table, change] of Object.entries(changes)) {
    // A checksum is over what a row says, which differs from copy to copy.
    const columns = columnsOf(db, table).filter((column) => column !== "sum");
    const from = table === "projects" ? "" : ", copies";
    db.exec(`INSERT INTO main.${table} (${columns.join(", ")})
      SELECT ${columns.map((column) => change[column] ?? column).join(", ")}
      FROM base.${table} CROSS JOIN (SELECT 1)${from} ORDER BY ${from === "" ? 1 : "c"}`);
    progress(table);
  }
}

function columnsOf(db: Database, table: string): string[] {
  return db
    .prepare<{ name: string }>(`SELECT name FROM pragma_table_info('${table}')`)
    .all()
    .map(({ name }) => name);
}

function copyIndex(db: Database, copies: number, sizes: Sizes): void {
  const { terms, sessions, time } = sizes;
  db.exec(`
    INSERT INTO rare SELECT number FROM base.search_terms
      WHERE documents <= ${rare} AND number % ${renewed} = 0 AND term NOT GLOB '=*';
    INSERT INTO search_names SELECT * FROM base.search_names WHERE what <> 'session';
    INSERT INTO search_names SELECT what, number + c * ${sessions}, name || suffix
      FROM copies CROSS JOIN base.search_names WHERE what = 'session';
    INSERT INTO search_terms (number, term, word, documents, passages)
      SELECT number, term, word, documents * ${copies}, passages * ${copies} FROM base.search_terms
      WHERE number NOT IN rare ORDER BY number;
    INSERT INTO search_terms (number, term, word, documents, passages)
      SELECT number + c * ${terms}, term || suffix, word || suffix, documents, passages
      FROM copies CROSS JOIN base.search_terms WHERE number IN rare ORDER BY c, number;
    UPDATE search_state SET complete = 1, documents = b.documents * ${copies}, length = b.length * ${copies},
      passages = b.passages * ${copies}, passage_length = b.passage_length * ${copies}
      FROM base.search_state AS b;`);
  progress("terms");
  // In the order of the table, or every page would be written many times.
  db.exec(`
    INSERT INTO search_postings SELECT p.term, c, p.project, p.last, p.postings
      FROM (SELECT number FROM base.search_terms WHERE number NOT IN rare ORDER BY number) g
      CROSS JOIN copies CROSS JOIN base.search_postings p ON p.term = g.number;
    INSERT INTO search_postings SELECT p.term + c * ${terms}, c, p.project, p.last, p.postings
      FROM copies CROSS JOIN rare CROSS JOIN base.search_postings p ON p.term = rare.number;`);
  progress("postings");
  copyBlocks(db, copies, time);
  copyDocuments(db, copies, sizes);
}

function copyBlocks(db: Database, copies: number, time: number): void {
  const all = db
    .prepare<
      { block: number; oldest: number; newest: number } & Record<string, number | Uint8Array>
    >("SELECT * FROM base.search_blocks")
    .all();
  const write = db.prepare(
    `INSERT INTO search_blocks (block, stamp, oldest, newest, lengths, kinds, times)
     VALUES (?, abs(random()) >> 12, ?, ?, ?, ?, ?)`,
  );
  for (let copy = 0; copy < copies; copy++)
    for (const { block, oldest, newest, lengths, kinds, times } of all) {
      const earlier = (copies - 1 - copy) * time;
      const moved = new Float64Array((times as Uint8Array).slice().buffer).map((at) =>
        at === 0 ? 0 : at - earlier,
      );
      write.run([
        ...[block + copy * blocksInSpan, oldest - earlier, newest - earlier],
        ...[lengths, kinds, new Uint8Array(moved.buffer)],
      ]);
    }
}

interface DocumentRow {
  number: number;
  id: string;
  kind: number;
  session: number;
  project: number;
  time: number;
  position: number;
  forward: Uint8Array;
}

/** The only thing that SQL cannot copy: inside a packed document rare words get their other numbers. */
function copyDocuments(db: Database, copies: number, { rows, terms, sessions, time }: Sizes): void {
  const isRare = new Uint8Array(terms + 1);
  for (const { number } of db.prepare<{ number: number }>("SELECT number FROM rare").all())
    isRare[number] = 1;
  const read = db.prepare<DocumentRow & Record<string, number | string | Uint8Array>>(
    "SELECT * FROM base.search_documents ORDER BY number LIMIT ? OFFSET ?",
  );
  const write = db.prepare(
    `INSERT INTO search_documents (number, id, kind, session, project, time, position, forward)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const page = 2_000;
  for (let copy = 0; copy < copies; copy++) {
    for (let offset = 0; ; offset += page) {
      const found = read.all([page, offset]);
      for (const { number, id, kind, session, project, position, ...row } of found)
        write.run([
          number + copy * spanSize,
          otherId(id, copy, rows),
          ...[kind, session + copy * sessions, project],
          row.time - (copies - 1 - copy) * time,
          ...[position, renumbered(row.forward, isRare, copy * terms)],
        ]);
      if (found.length < page) break;
    }
    if (copy % 10 === 9) progress(`documents of ${copy + 1} copies`);
  }
}

const tableOf: Record<string, (typeof recordTables)[number]> = {
  ...{
    o: "observations",
    s: "session_summaries",
    p: "prompts",
    t: "turns",
    "session ": "sessions",
  },
};

function otherId(id: string, copy: number, rows: Sizes["rows"]): string {
  const [, head = "", row = ""] = /^(\D+)(\d+)$/.exec(id) ?? [];
  return `${head}${Number(row) + copy * (rows[tableOf[head] ?? ""] ?? 0)}`;
}

function progress(what: string): void {
  process.stderr.write(`  ${what}\n`);
}

/** A packed document in which the rare ones of its terms have numbers higher by `shift`. See `packForward`. */
function renumbered(bytes: Uint8Array, isRare: Uint8Array, shift: number): Uint8Array {
  let at = 0;
  const out = new Uint8Array(bytes.length * 2 + 16);
  let length = 0;
  const next = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  const add = (value: number) => {
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) out[length++] = (rest % 128) | 128;
    out[length++] = rest;
    return value;
  };
  const copyList = () => {
    for (let left = add(next()); left > 0; left--) {
      const term = next();
      add(isRare[term] === 1 ? term + shift : term);
    }
  };
  for (let left = add(next()); left > 0; left--) {
    for (let fact = 0; fact < 4; fact++) add(next());
    copyList();
    copyList();
  }
  copyList();
  return out.slice(0, length);
}
