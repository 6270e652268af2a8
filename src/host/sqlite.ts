// The SQLite driver leaf: one small synchronous interface over bun:sqlite (Bun) and node:sqlite (Deno).

import type { FileHandle } from "node:fs/promises";
import process from "node:process";

/** What a column holds when read. Integers come back as numbers. */
type SqlValue = null | number | string | Uint8Array;

/**
 * What can be bound, with one meaning under both drivers: `undefined` is NULL, booleans are 0 and 1, NaN is NULL,
 * a bigint must fit a safe integer (else RangeError; keep larger ones as text), a NUL character becomes U+FFFD.
 */
export type SqlInput = SqlValue | bigint | boolean | undefined;

/** Positional (`?`) as an array, named (`$name`) as an object whose keys carry no prefix; unknown keys are ignored. */
export type SqlParams = readonly SqlInput[] | { readonly [name: string]: SqlInput };

/** A row by column name. */
export type Row = Record<string, SqlValue>;

/** What a statement that writes did. */
interface RunResult {
  /** Rows changed by this statement alone, without triggers. */
  changes: number;
  lastInsertRowid: number;
}

/** A prepared statement. Do not run it again while its own `iterate` is under way. */
export interface SqlStatement<Result = Row> {
  run(params?: SqlParams): RunResult;
  /** The first row, or undefined. */
  get(params?: SqlParams): Result | undefined;
  all(params?: SqlParams): Result[];
  iterate(params?: SqlParams): IterableIterator<Result>;
}

/** An open database; synchronous, like its drivers. */
export interface Database {
  /** Runs one or more statements without parameters. */
  exec(sql: string): void;
  /** Prepared once per SQL text and kept until close: build few distinct texts. `Result` is the caller's word for the row's shape. */
  prepare<Result = Row>(sql: string): SqlStatement<Result>;
  /** Of a statement that is prepared like that: the first row, all rows, what it wrote. */
  get<Result = Row>(sql: string, params?: SqlParams): Result | undefined;
  all<Result = Row>(sql: string, params?: SqlParams): Result[];
  run(sql: string, params?: SqlParams): RunResult;
  /**
   * Runs `work` in an immediate transaction and commits; a throw rolls back and passes on. Inside another transaction
   * it is a savepoint. `work` must be synchronous.
   */
  transaction<Result>(work: () => Result): Result;
  /**
   * In WAL mode: resolves once everything committed so far is on disk, without holding up the process meanwhile. With
   * `synchronous = NORMAL` a commit and a flush are as safe as a commit under FULL; commits at the same time share it.
   */
  flush(): Promise<void>;
  /** Safe to call twice. The last connection to close folds the write-ahead log into the file. */
  close(): void;
}

/** How a database is opened. */
interface OpenOptions {
  readonly?: boolean;
  /** Default true, except when `readonly`: a missing file (and its folders, private to the user) is made, with mode 0600. When false a missing file rejects with ENOENT. */
  create?: boolean;
  /** How long a statement waits for another process's lock. Default 5,000. */
  busyTimeoutMs?: number;
}

/** What both drivers' statements offer, as far as it is used here. */
interface DriverStatement {
  run(...params: never[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  get(...params: never[]): unknown;
  all(...params: never[]): unknown[];
  iterate(...params: never[]): Iterable<unknown>;
  /** bun:sqlite only: a statement that is not finalized keeps the closed file open, and its log unfolded. */
  finalize?(): void;
}
interface Driver {
  exec(sql: string): void;
  prepare(sql: string): DriverStatement;
  close(): void;
  /** Binds integers as what this driver stores as INTEGER. */
  integer(value: number): number | bigint;
  /** A row as a plain object. */
  row(value: unknown): unknown;
}

/**
 * Opens a database with foreign keys on; the caller chooses journal mode and synchronous. `:memory:` is a private one.
 * Driver errors pass unchanged; `isBusy` and `isCorrupt` read them.
 */
export async function openDatabase(path: string, options: OpenOptions = {}): Promise<Database> {
  const readonly = options.readonly ?? false;
  const create = options.create ?? !readonly;
  if (path !== ":memory:") await (create ? createPrivately(path) : assertExists(path));
  const driver = await (process.versions.bun ? bunDriver : nodeDriver)(path, readonly);
  try {
    driver.exec(
      `PRAGMA busy_timeout = ${Math.trunc(options.busyTimeoutMs ?? 5000)}; PRAGMA foreign_keys = ON`,
    );
  } catch (error) {
    driver.close();
    throw error;
  }
  return database(driver, path);
}

/** Connections by the path that they were opened with. */
const connections = new Map<string, number>();

/**
 * Whether this process has the database at `path` open. Then neither it nor its `-shm` may be opened as a file: closing any
 * descriptor of one drops all locks that the process holds on it.
 */
export function isOpenHere(path: string): boolean {
  return connections.has(path);
}

function countConnections(path: string, change: 1 | -1): void {
  const count = (connections.get(path) ?? 0) + change;
  if (count > 0) connections.set(path, count);
  else connections.delete(path);
}

/** True when another connection holds the lock: the same statement may work later. */
export function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code === 5 || code === 6 || /database (table )?is locked/i.test(messageOf(error));
}

/** True when the file is damaged or is no SQLite database. */
export function isCorrupt(error: unknown): boolean {
  const code = resultCode(error);
  return (
    code === 11 ||
    code === 26 ||
    /disk image is malformed|file is not a database/i.test(messageOf(error))
  );
}

/** True for what the database itself could not do (a full disk, a lock, a damaged file), whatever was to be written. */
export function isDatabaseFault(error: unknown): boolean {
  const code = resultCode(error);
  // Too big, against a constraint, of another type: the values are at fault.
  return code !== undefined && ![18, 19, 20].includes(code);
}

/** The same answer until something was written, through this connection or another. */
export function perState<Value>(ask: (db: Database) => Value): (db: Database) => Value {
  const known = new WeakMap<Database, { state: string; value: Value }>();
  return (db) => {
    const version = db.prepare<{ data_version: number }>("PRAGMA data_version").get();
    const changes = db.prepare<{ n: number }>("SELECT total_changes() AS n").get();
    const state = `${version?.data_version} ${changes?.n}`;
    const last = known.get(db);
    if (last?.state === state) return last.value;
    const value = ask(db);
    known.set(db, { state, value });
    return value;
  };
}

/** SQLite's primary result code: bun puts the extended one in `errno`, node in `errcode`. */
function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = "errcode" in error ? error.errcode : "errno" in error ? error.errno : undefined;
  return typeof code === "number" ? code & 0xff : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Only a missing file is opened here: closing any descriptor of an open database would drop this process's locks on it. */
async function createPrivately(path: string): Promise<void> {
  const [{ mkdir, open }, { dirname }] = await Promise.all([
    import("node:fs/promises"),
    import("node:path"),
  ]);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    const file = await open(path, "wx", 0o600);
    await file.close();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

/** node:sqlite would make the file. */
async function assertExists(path: string): Promise<void> {
  const { stat } = await import("node:fs/promises");
  await stat(path);
}

async function bunDriver(path: string, readonly: boolean): Promise<Driver> {
  const { Database: BunDatabase } = await import("bun:sqlite");
  const db = new BunDatabase(
    path,
    readonly ? { readonly, strict: true } : { readwrite: true, strict: true },
  );
  return {
    exec: (sql) => {
      db.exec(sql);
    },
    prepare: (sql) => db.prepare(sql) as unknown as DriverStatement,
    close: () => db.close(),
    integer: (value) => value,
    row: (value) => value ?? undefined,
  };
}

async function nodeDriver(path: string, readonly: boolean): Promise<Driver> {
  const { DatabaseSync } = await import("node:sqlite");
  const db = new DatabaseSync(path, { readOnly: readonly });
  return {
    exec: (sql) => db.exec(sql),
    prepare: (sql) => {
      const statement = db.prepare(sql);
      statement.setAllowUnknownNamedParameters(true);
      return statement as unknown as DriverStatement;
    },
    close: () => db.close(),
    // A JavaScript number would be bound as REAL: 5 in a text column would read "5.0".
    integer: (value) => BigInt(value),
    // Rows come without a prototype.
    row: (value) => (value ? { ...value } : undefined),
  };
}

function database(driver: Driver, path: string): Database {
  const statements = new Map<string, SqlStatement<unknown>>();
  const prepared: DriverStatement[] = [];
  const log = createLogFlush(path, () => {
    const folded = prepare("PRAGMA wal_checkpoint(TRUNCATE)").get() as { busy: number };
    if (folded.busy !== 0) throw new Error(`What was written to ${path} did not reach the disk.`);
  });
  let depth = 0;
  let open = true;
  countConnections(path, 1);

  function prepare(sql: string): SqlStatement<unknown> {
    const known = statements.get(sql);
    if (known) return known;
    const raw = driver.prepare(sql);
    prepared.push(raw);
    const made = statement(driver, raw);
    statements.set(sql, made);
    return made;
  }

  function transaction<Result>(work: () => Result): Result {
    const [begin, commit, rollback] =
      depth === 0
        ? ["BEGIN IMMEDIATE", "COMMIT", "ROLLBACK"]
        : [`SAVEPOINT s${depth}`, `RELEASE s${depth}`, `ROLLBACK TO s${depth}; RELEASE s${depth}`];
    prepare(begin).run();
    depth++;
    try {
      const result = work();
      if (result instanceof Promise)
        throw new TypeError("The work of a transaction must be synchronous.");
      prepare(commit).run();
      return result;
    } catch (error) {
      try {
        driver.exec(rollback);
      } catch {
        // SQLite rolled back by itself (disk full, say); the first error is the one that tells.
      }
      throw error;
    } finally {
      depth--;
    }
  }

  return {
    exec: (sql) => driver.exec(sql),
    prepare: <Result>(sql: string) => prepare(sql) as SqlStatement<Result>,
    get: <Result>(sql: string, params?: SqlParams) =>
      prepare(sql).get(params) as Result | undefined,
    all: <Result>(sql: string, params?: SqlParams) => prepare(sql).all(params) as Result[],
    run: (sql, params) => prepare(sql).run(params),
    transaction,
    flush: log.flush,
    close() {
      if (!open) return;
      open = false;
      log.close();
      for (const raw of prepared) raw.finalize?.();
      statements.clear();
      driver.close();
      countConnections(path, -1);
    },
  };
}

function statement(driver: Driver, raw: DriverStatement): SqlStatement<unknown> {
  const bind = (params: SqlParams | undefined) => bound(driver, params) as never[];
  return {
    run(params) {
      const { changes, lastInsertRowid } = raw.run(...bind(params));
      return { changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) };
    },
    get: (params) => driver.row(raw.get(...bind(params))),
    all: (params) => raw.all(...bind(params)).map(driver.row),
    *iterate(params) {
      for (const row of raw.iterate(...bind(params))) yield driver.row(row);
    },
  };
}

function bound(driver: Driver, params: SqlParams | undefined): unknown[] {
  if (params === undefined) return [];
  if (isPositional(params)) return params.map((value) => input(driver, value));
  const named: Record<string, unknown> = {};
  for (const name of Object.keys(params)) named[name] = input(driver, params[name]);
  return [named];
}

function isPositional(params: SqlParams): params is readonly SqlInput[] {
  return Array.isArray(params);
}

function input(driver: Driver, value: SqlInput): null | number | bigint | string | Uint8Array {
  if (value === undefined || value === null) return null;
  if (typeof value === "boolean") return driver.integer(value ? 1 : 0);
  if (typeof value === "number") return Number.isSafeInteger(value) ? driver.integer(value) : value;
  if (typeof value === "string")
    return value.includes("\0") ? value.replaceAll("\0", "\ufffd") : value;
  if (typeof value === "bigint") {
    if (!Number.isSafeInteger(Number(value)))
      throw new RangeError(`${value} is too large to be kept exactly; bind it as text.`);
    return driver.integer(Number(value));
  }
  return value;
}

// Waits for the disk without holding up the process: flushes the write-ahead log on a thread of the system's.

interface LogFlush {
  /** Resolves once everything committed before the call is on disk; calls that wait share one flush. */
  flush(): Promise<void>;
  /** Closes the file, after a flush under way. */
  close(): void;
}

/** The log of the database at `path`. `foldIn` puts on disk what the log holds some other way, or throws. */
function createLogFlush(path: string, foldIn: () => void): LogFlush {
  let file: Promise<FileHandle> | undefined;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  async function openLog(): Promise<FileHandle> {
    const { open } = await import("node:fs/promises");
    try {
      return await open(`${path}-wal`, "r+");
    } catch (error) {
      file = undefined;
      throw error;
    }
  }

  async function run(): Promise<void> {
    try {
      // Opened only now: the first commit makes the log.
      file ??= openLog();
      await (await file).datasync();
    } catch {
      // The system may have dropped what it could not write there, and say so only once.
      foldIn();
    }
  }

  function start(): Promise<void> {
    running = run().finally(() => {
      running = undefined;
    });
    return running;
  }

  async function closeLog(): Promise<void> {
    await running;
    await (await file)?.close();
  }

  return {
    flush() {
      if (!running) return start();
      // What is under way may have begun before the caller's commit.
      next ??= running
        .catch(() => undefined)
        .then(() => {
          next = undefined;
          return start();
        });
      return next;
    },
    close: () => void closeLog().catch(() => undefined),
  };
}

// JSON in columns of memoir's databases: a text that does not parse costs what it said, and its row is noted to be named.

/** Names of rows that were met, as `o12 (facts)`, by database. */
const met = new WeakMap<Database, Set<string>>();

/** What a column holds; undefined where its text does not parse, and the row is noted as `name`. */
export function readColumn(db: Database, json: string, name: () => string): unknown {
  const value = parsedJson(json);
  if (value === undefined) noteRow(db, name());
  return value;
}

/** The object in a column; what is no object is no more readable than what does not parse. */
export function readObject<Value extends object>(
  db: Database,
  json: string,
  name: () => string,
): Value | undefined {
  const value = parsedObject<Value>(json);
  if (value === undefined) noteRow(db, name());
  return value;
}

/** The object that a text tells, or undefined, for whoever writes the row anew. */
export function parsedObject<Value extends object>(json: string): Value | undefined {
  const value = parsedJson(json);
  return typeof value === "object" && value !== null ? (value as Value) : undefined;
}

function parsedJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Rows with a column that did not parse since this was asked last. */
export function takeUnreadable(db: Database): string[] {
  const names = met.get(db);
  if (!names) return [];
  met.delete(db);
  return [...names];
}

function noteRow(db: Database, name: string): void {
  met.set(db, (met.get(db) ?? new Set()).add(name));
}
