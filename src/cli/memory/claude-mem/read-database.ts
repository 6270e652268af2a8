// claude-mem's database, read without a byte of it being written: a copy is read, and columns that an older version has not are absent.
import { copyFile, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorMessage } from "../../../home/describe-error.ts";
import { type Database, isCorrupt, openDatabase } from "../../../host/sqlite.ts";
import { MemoirError } from "../../../sdk/errors.ts";

/** A row: texts and numbers by column; what the table has not, or holds no value, is undefined. */
export type SourceRow = Readonly<Record<string, string | number | undefined>>;

/** What is read, each with the columns that are wanted and the names they had before. */
const tables = {
  sdk_sessions: {
    columns:
      "id content_session_id memory_session_id project platform_source user_prompt started_at started_at_epoch completed_at completed_at_epoch status custom_title",
    formerly: { content_session_id: "claude_session_id", memory_session_id: "sdk_session_id" },
  },
  observations: {
    columns:
      "id memory_session_id project text type title subtitle facts narrative concepts files_read files_modified prompt_number created_at created_at_epoch discovery_tokens generated_by_model agent_type agent_id merged_into_project",
    formerly: { memory_session_id: "sdk_session_id" },
  },
  session_summaries: {
    columns:
      "id memory_session_id project request investigated learned completed next_steps files_read files_edited notes prompt_number created_at created_at_epoch discovery_tokens merged_into_project",
    formerly: { memory_session_id: "sdk_session_id" },
  },
  user_prompts: {
    columns:
      "id session_db_id content_session_id prompt_number prompt_text created_at created_at_epoch",
    formerly: { content_session_id: "claude_session_id" },
  },
  tool_uses: {
    columns: "id content_session_id project cwd created_at_epoch",
    formerly: {},
  },
} as const;
export type SourceTable = keyof typeof tables;

export interface SourceDatabase {
  /** Rows in the order they were made, a few at a time; none for a table that is not there. */
  rows(table: SourceTable): Iterable<SourceRow>;
  /** The log beside the file was damaged and is left out. */
  withoutLog: boolean;
  close(): Promise<void>;
}

/** Opens a copy of the database at `path`. Rejects with `file_unusable` where it cannot be read, with `import_unknown` where it is another program's. */
export async function openSource(path: string): Promise<SourceDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "memoir-import-"));
  const close = () => rm(folder, { recursive: true, force: true });
  try {
    if (!(await stat(path)).isFile()) throw new Error("it is no file");
    const copied = join(folder, "claude-mem.db");
    let db = await opened(path, copied, ["", "-wal"]);
    const withoutLog = db === undefined;
    // A damaged log says nothing of the file itself.
    db ??= await opened(path, copied, [""]);
    if (!db) throw new MemoirError("file_unusable", `${path} is damaged.`);
    const copy = db;
    return {
      ...source(copy, path),
      withoutLog,
      async close() {
        copy.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    if (error instanceof MemoirError) throw error;
    const message = `${path} cannot be read: ${errorMessage(error)}`;
    throw new MemoirError("file_unusable", message, { cause: error });
  }
}

/** Undefined where the copy, with what belongs to it, is damaged. */
async function opened(
  from: string,
  to: string,
  endings: readonly string[],
): Promise<Database | undefined> {
  // A file and its log belong together only where neither was written while they were copied.
  for (let attempt = 1; ; attempt++) {
    const before = await stateOf(from);
    for (const ending of ["", "-wal", "-shm"]) await rm(to + ending, { force: true });
    for (const ending of endings)
      await copyFile(from + ending, to + ending).catch((error) => {
        if (ending === "") throw error;
      });
    if ((await stateOf(from)) === before) break;
    if (attempt === copyAttempts) throw new Error("it is being written all the time");
  }
  let db: Database | undefined;
  try {
    db = await openDatabase(to, { create: false });
    const { quick_check: found } =
      db.prepare<{ quick_check: string }>("PRAGMA quick_check(1)").get() ?? {};
    if (found === "ok") return db;
  } catch (error) {
    if (!isCorrupt(error)) {
      db?.close();
      throw error;
    }
  }
  db?.close();
  return undefined;
}

const copyAttempts = 5;

/** Changes with whatever is written to a database or its log. */
async function stateOf(path: string): Promise<string> {
  const states = [path, `${path}-wal`].map((one) =>
    stat(one, { bigint: true }).then(
      ({ size, mtimeNs }) => `${size} ${mtimeNs}`,
      () => "",
    ),
  );
  return (await Promise.all(states)).join();
}

function source(db: Database, path: string): Pick<SourceDatabase, "rows"> {
  const queries = new Map<SourceTable, string>();
  for (const table of Object.keys(tables) as SourceTable[]) {
    const query = queryOf(db, table);
    if (query !== undefined) queries.set(table, query);
  }
  if (!queries.has("sdk_sessions") || !(queries.has("observations") || queries.has("user_prompts")))
    throw new MemoirError("import_unknown", `${path} is no database of claude-mem.`, {
      fix: "Name its `claude-mem.db`, as a rule in the folder `.claude-mem` of your home.",
    });
  return {
    *rows(table) {
      const query = queries.get(table);
      if (query !== undefined) for (const row of db.prepare(query).iterate([])) yield plain(row);
    },
  };
}

/** A SELECT of the columns that there are; undefined without the table. */
function queryOf(db: Database, table: SourceTable): string | undefined {
  const info = db.prepare<{ name: string }>(`PRAGMA table_info(${table})`).all();
  const there = new Set(info.map(({ name }) => name));
  if (there.size === 0) return undefined;
  const { columns, formerly } = tables[table];
  const wanted = columns.split(" ").flatMap((name) => {
    const before = (formerly as Record<string, string>)[name];
    if (there.has(name)) return [name];
    return before !== undefined && there.has(before) ? [`${before} AS ${name}`] : [];
  });
  return `SELECT ${wanted.join(", ")} FROM ${table} ORDER BY id`;
}

function plain(row: Record<string, unknown>): SourceRow {
  const values = Object.entries(row).filter(
    (entry): entry is [string, string | number] =>
      typeof entry[1] === "string" || (typeof entry[1] === "number" && Number.isFinite(entry[1])),
  );
  return Object.fromEntries(values);
}
