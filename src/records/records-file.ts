// How the file that records lie in is opened, carried over, or given a new index where it is damaged.
import { damageOfTable, tablesOf } from "../home/database/check-databases.ts";
import { clearMark, readMark } from "../home/database/intact.ts";
import type { DatabaseForm, Replacement } from "../home/database/open-file.ts";
import { beginAnew, openOrBeginAnew } from "../home/database/replace.ts";
import { type Database, isCorrupt } from "../host/sqlite.ts";
import { MemoirError } from "../sdk/errors.ts";
import { hasDamagedPages } from "../search/index.ts";
import { baseName } from "../text/text.ts";
import { type FileKind, kinds, recordTables } from "./fields.ts";
import { readKind } from "./list.ts";
import { mendLog } from "./log-schema.ts";
import { migrations } from "./migrations.ts";
import { putter } from "./put.ts";
import { lookUpWriter } from "./rows.ts";
import schema from "./schema.sql.txt" with { type: "text" };
import { openRecordIndex, type RecordIndex, takeOutIndex } from "./search-index.ts";

/** An open file. */
export interface Opened {
  db: Database;
  index: RecordIndex;
  put: ReturnType<typeof putter>;
}

/** After damage to its index up to so many bytes are written anew at once, without the pages that it left. */
const compactedBytes = 1_000_000_000;
/** How long a put waits for what is carried over from a damaged file: nobody waits for it. */
export const putPatienceMs = 10_000;

export function shut({ db, index }: Opened): void {
  index.close();
  db.close();
}

/** Opens the file; where only its index is damaged, with a new one. */
export async function openFile(path: string, now: () => number, how: Replacement): Promise<Opened> {
  const db = await tuned(openOrRecover(path, how));
  let isIndex = readMark(path) !== undefined && hasDamagedPages(db);
  await clearMark(path);
  try {
    if (!isIndex) return withIndex(db, now, path);
    db.close();
  } catch (error) {
    isIndex = isCorrupt(error) && hasDamagedPages(db);
    db.close();
    if (!isCorrupt(error)) throw error;
    if (!isIndex) return await replaceFile(path, now, how, error);
  }
  return await openWithoutIndex(path, now, how);
}

export async function replaceFile(
  path: string,
  now: () => number,
  how: Replacement,
  cause: unknown,
): Promise<Opened> {
  return withIndex(await tuned(recoverStorage(path, how, cause)), now, path);
}

/** Opens a file whose index is damaged, after that was taken out. */
export async function openWithoutIndex(
  path: string,
  now: () => number,
  how: Replacement,
): Promise<Opened> {
  await takeOutIndex(path);
  const db = await tuned(openOrRecover(path, how));
  try {
    const file = withIndex(db, now, path);
    // Words of the old index stand in pages that nothing uses.
    if (storedBytes(db) <= compactedBytes) db.exec("VACUUM");
    return file;
  } catch (error) {
    db.close();
    if (!isCorrupt(error)) throw error;
    return await replaceFile(path, now, how, error);
  }
}

async function tuned(opening: Promise<Database>): Promise<Database> {
  const db = await opening;
  // What is deleted is overwritten wherever its page is written anyway. The cache, in KB, holds what searches read most.
  // A file that was made without that gives free pages back from the time on that it is written anew.
  db.exec(
    "PRAGMA secure_delete = FAST; PRAGMA cache_size = -16000; PRAGMA auto_vacuum = INCREMENTAL",
  );
  return db;
}

function withIndex(db: Database, now: () => number, path: string): Opened {
  const index = openRecordIndex(db, now, path === ":memory:" ? undefined : path);
  return { db, index, put: putter(db, index, now) };
}

function storedBytes(db: Database): number {
  const { bytes } = db
    .prepare<{ bytes: number }>(
      "SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size",
    )
    .get() ?? { bytes: 0 };
  return bytes;
}

// What has to be minded when a damaged file's records are carried over: whose they were, and the look-ups made from them.

/** SQLite's own index of each session's client and id: it tells who a session was whose row is lost. */
const sessionKeys = "sqlite_autoindex_sessions_1";

const recordsRecovery: NonNullable<DatabaseForm["recovery"]> = {
  counted: recordTables,
  fromBackup: true,
  rebuilt: true,
  derived: [
    ...["observation_files", "observation_concepts", "summary_files", "turn_files"],
    "unsearched",
  ],
  indexes(from, into) {
    const keys = from.prepare<{ id: number; client: string; session: string }>(
      `SELECT id, client, client_session_id AS session FROM sessions INDEXED BY ${sessionKeys}`,
    );
    into.exec(
      "CREATE TEMP TABLE IF NOT EXISTS session_keys (id INTEGER PRIMARY KEY, client, session)",
    );
    const add = into.prepare("INSERT OR IGNORE INTO session_keys VALUES ($id, $client, $session)");
    for (const key of keys.iterate()) add.run(key);
  },
  async settle(db, _, others) {
    db.exec(
      "CREATE TEMP TABLE IF NOT EXISTS session_keys (id INTEGER PRIMARY KEY, client, session)",
    );
    db.transaction(() => addLostParents(db));
    db.exec("DROP TABLE temp.session_keys");
    for (const kind of ["observation", "summary", "turn"] as const)
      for (let after: number | undefined = 0; after !== undefined; ) {
        const from: number = after;
        after = db.transaction(() => makeLookUps(db, kind, from));
        await others();
      }
  },
};

/** Records whose session is lost keep their place: in a session of its client's id where an index still has that. */
function addLostParents(db: Database): void {
  const children = ["prompts", "observations", "session_summaries", "turns"]
    .map((table) => `SELECT session_id, project, prompt_number, created_at FROM ${table}`)
    .join(" UNION ALL ");
  db.exec(`
    INSERT OR IGNORE INTO sessions (id, client, client_session_id, project, root, prompts, status, started_at, last_active_at)
      SELECT session_id, coalesce(k.client, 'unknown'), coalesce(k.session, 'recovered-' || session_id), project, project,
        max(prompt_number), 'ended', min(created_at), max(created_at)
      FROM (${children}) LEFT JOIN temp.session_keys k ON k.id = session_id
      WHERE session_id NOT IN (SELECT id FROM sessions) GROUP BY session_id;
    UPDATE observations SET superseded_by = NULL
      WHERE superseded_by IS NOT NULL AND superseded_by NOT IN (SELECT id FROM observations)`);
  const kept = Object.entries(kinds).map(
    ([kind, { table }]) => `(kind = '${kind}' AND record IN (SELECT id FROM ${table}))`,
  );
  db.exec(`DELETE FROM marks WHERE NOT (${kept.join(" OR ")});
    UPDATE changes SET row = NULL WHERE row IS NOT NULL AND NOT (${kept.join(" OR ").replaceAll("record", "row")})`);
  mendLog(db);
  const lost = db
    .prepare<{ project: string }>(
      "SELECT DISTINCT project FROM sessions WHERE project NOT IN (SELECT id FROM projects)",
    )
    .all();
  for (const { project } of lost)
    db.prepare("INSERT INTO projects (id, name) VALUES (?, ?)").run([project, baseName(project)]);
}

/** Records of which look-ups are made in one step. */
const together = 200;

/** Makes the look-ups of some records; answers the last one's number, or undefined when there are no more. */
function makeLookUps(db: Database, kind: FileKind, after: number): number | undefined {
  const lookUps = lookUpWriter(db, kind);
  const found = readKind(db, kind, "WHERE r.id > ? ORDER BY r.id LIMIT ?", [after, together]);
  for (const { row, record } of found) lookUps(row, record);
  return found.at(-1)?.row;
}

// Opens the database file: refuses what is not memoir's, damaged or newer, and migrates what is older.

export const recordsForm: DatabaseForm = {
  name: "The database",
  migrations,
  schema,
  autoVacuum: true,
  // "memo" in ASCII: tells memoir's database from any other.
  applicationId: 0x6d656d6f,
  // Waiting blocks the whole process: rather fail soon and be tried again.
  busyTimeoutMs: 2_000,
  logBytes: 64 * 1024 * 1024,
  // What comes in bulk writes the same pages again and again: each fold-in waits for the disk.
  logPages: 4_000,
  // Its index is looked after apart; see `checkRecords`.
  checkedBytes: 0,
  recovery: recordsRecovery,
  isHomes: true,
};

/** Up to so many bytes the tables of records are read whole when the file is opened. */
const checkedBytes = 32 * 1024 * 1024;

const checkedTables = [
  ...recordTables,
  ...["observation_files", "observation_concepts", "summary_files", "turn_files"],
  ...["projects", "puts", "marks"],
];

/**
 * The database at `path`, migrated to the newest schema; of a damaged file what can be read, and the file itself is set aside. Rejects
 * with `storage_newer` or `storage_foreign` without having changed the file.
 */
export async function openOrRecover(path: string, how: Replacement): Promise<Database> {
  const db = await openOrBeginAnew(path, recordsForm, how).catch((error: unknown) => {
    throw readable(error, path);
  });
  try {
    checkRecords(db, readMark(path) !== undefined);
    return db;
  } catch (error) {
    db.close();
    if (!isCorrupt(error)) throw readable(error, path);
    return await beginAnew(path, recordsForm, how, error);
  }
}

/** Sets a file aside that turned out to be damaged (it must be closed), and carries over what can be read of it. */
function recoverStorage(path: string, how: Replacement, cause: unknown): Promise<Database> {
  return beginAnew(path, recordsForm, how, cause);
}

/** Throws as SQLite does where a table of records has a damaged page, in a file that is not large or is `suspect`. */
function checkRecords(db: Database, suspect: boolean): void {
  const bytes = db
    .prepare<{ n: number }>(
      "SELECT page_count * page_size AS n FROM pragma_page_count, pragma_page_size",
    )
    .get()?.n;
  if ((bytes ?? 0) > checkedBytes && !suspect) return;
  const tables = suspect
    ? tablesOf(db).filter((name) => !name.startsWith("search_"))
    : checkedTables;
  for (const table of tables) {
    const damage = damageOfTable(db, table);
    if (damage) throw new Error(`database disk image is malformed: ${table}: ${damage}`);
  }
}

/** Names a file that is damaged or out of reach; every other error passes unchanged. */
export function readable(error: unknown, path: string): unknown {
  if (error instanceof MemoirError) return error;
  // SQLite's own words name no file: it may be the log or the index beside it that nobody can read.
  if (/unable to open database file/i.test(String(error)))
    return new MemoirError(
      "file_unusable",
      `The database ${path}, or a file of its own beside it, cannot be opened. Nothing was changed.`,
      { cause: error },
    );
  if (!isCorrupt(error)) return error;
  return new MemoirError("storage_damaged", `The database ${path} is damaged.`, { cause: error });
}
