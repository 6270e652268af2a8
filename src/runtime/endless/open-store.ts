// Endless Mode's database file: opened when it is first needed, put aside when it is damaged, written in groups.
import { dirname, join } from "node:path";
import {
  closeDatabase,
  createNoting,
  isAway,
  noteContents,
  type Standing,
  standingAt,
} from "../../home/database/intact.ts";
import type { DatabaseForm } from "../../home/database/open-file.ts";
import { beginAnew, openOrBeginAnew } from "../../home/database/replace.ts";
import type { Log } from "../../home/log.ts";
import { isThere } from "../../home/read-file.ts";
import { type Database, isBusy, isCorrupt, openDatabase } from "../../host/sqlite.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { createGroupCommit } from "../journal/append.ts";
import { decisionsTable, oldBookName, takeOverOldBook } from "./decisions.ts";
import tables from "./migrations/1-tables.sql.txt" with { type: "text" };
import happenings from "./migrations/3-happenings.sql.txt" with { type: "text" };

interface FileDeps {
  /** Epoch ms. */
  now: () => number;
  log: Log;
  /** Replaceable to see what a failing disk does. */
  open?: typeof openDatabase;
}

/** A database whose every access may fail, and none of which the agent's work depends on. */
export interface EndlessFile {
  /** Committed to disk when it resolves; shares its commit with others. */
  write<Result>(change: (db: Database) => Result): Promise<Result>;
  /** Undefined where there is no file yet: reading makes none. */
  read<Result>(look: (db: Database) => Result): Promise<Result | undefined>;
  /** Waits for what is being written. Safe to call twice. */
  close(): Promise<void>;
}

/** What could not be opened, or was locked, is not tried again before this. */
const tryAgainMs = 5_000;

/** Opens nothing yet. Long because its short steps share the open file and what is known of it. */
export function createEndlessFile(path: string, deps: FileDeps): EndlessFile {
  const { now, log, open = openDatabase } = deps;
  let opened: Promise<Database> | undefined;
  let failed: { at: number; error: unknown } | undefined;
  let locked: { at: number; error: unknown } | undefined;
  let standing: Standing = { file: undefined, log: undefined };
  let closed = false;
  const oldBook = join(dirname(path), oldBookName);

  function database(): Promise<Database> {
    if (closed) return Promise.reject(new MemoirError("endless_unwritable", "It is closed."));
    if (failed && Math.abs(now() - failed.at) < tryAgainMs) return Promise.reject(failed.error);
    opened ??= openSound().catch((error: unknown) => {
      opened = undefined;
      failed = { at: now(), error };
      throw error;
    });
    return opened;
  }

  async function openSound(): Promise<Database> {
    const db = await openOrBeginAnew(path, endlessForm, { now, open, replaced });
    standing = standingAt(path);
    await takeOverOldBook(db, oldBook, log);
    return db;
  }

  function replaced(file: string, _: Database, error: unknown): void {
    log.error("What Endless Mode keeps was damaged: it was put aside and a new file was begun.", {
      file,
      error,
    });
  }

  /** What is written into a file that was deleted or replaced would be gone with this process. */
  async function inPlace(): Promise<Database> {
    for (;;) {
      const own = database();
      const known = opened;
      const db = await own;
      if (opened !== known) continue;
      if (!isAway(path, standing)) return db;
      opened = undefined;
      closeDatabase(path, db, standing);
      log.warn("The database of Endless Mode was deleted or replaced: what it held is kept.");
    }
  }

  /** Damage that shows here costs the file, not the access. */
  async function use<Result>(access: (db: Database) => Result): Promise<Result> {
    const db = await inPlace();
    try {
      return access(db);
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      opened = undefined;
      db.close();
      (await beginAnew(path, endlessForm, { now, open, replaced }, error)).close();
      return access(await inPlace());
    }
  }

  const noted = async () => {
    const db = await opened;
    if (db) await noteContents(path, db, endlessForm, { now });
  };
  const noting = createNoting(noted, now);

  const writes = createGroupCommit<(db: Database) => unknown, unknown>(
    async (group) => {
      if (locked && Math.abs(now() - locked.at) < tryAgainMs) throw locked.error;
      try {
        return await use((db) => db.transaction(() => group.map((change) => change(db))));
      } catch (error) {
        locked = isBusy(error) ? { at: now(), error } : undefined;
        throw error;
      }
    },
    {
      async flush() {
        await (await database()).flush();
        // Nobody waits for what only tells later that there was something.
        noting.written().catch(() => undefined);
      },
    },
  );

  return {
    write: <Result>(change: (db: Database) => Result) => writes.add(change) as Promise<Result>,
    async read(look) {
      if (!opened && !(await isThere(path)) && !(await isThere(oldBook))) return undefined;
      return use(look);
    },
    async close() {
      if (closed) return;
      await writes.idle();
      const db = await opened?.catch(() => undefined);
      noting.stop();
      await noted().catch(() => undefined);
      closed = true;
      if (db) closeDatabase(path, db, standing);
    },
  };
}

// The tables of Endless Mode's database: what was kept, what was decided, the books, and what sessions took.

/** Of which kind what was kept is, in its strategy's words. */
const kinds = "ALTER TABLE refs ADD COLUMN kind TEXT NOT NULL DEFAULT ''";

/** What an agent turned out to need: no line of it stays once what was kept is gone. */
const misses = `
CREATE TABLE misses (
  ref INTEGER NOT NULL REFERENCES refs (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  used TEXT
);
CREATE INDEX misses_ref ON misses (ref);
`;

/** Its file. Waiting for another program's lock holds up the whole server. */
export const endlessForm: DatabaseForm = {
  name: "The database of Endless Mode",
  migrations: [tables, kinds, happenings, misses, decisionsTable],
  tables: ["refs", "contents", "blobs"],
  isHomes: true,
  autoVacuum: true,
  busyTimeoutMs: 250,
  recovery: {
    counted: ["refs"],
    fromBackup: true,
    // What is only half there could not be given back.
    settle: (db) =>
      db.exec(`
        DELETE FROM blobs WHERE content NOT IN (SELECT id FROM contents);
        DELETE FROM refs WHERE content NOT IN (SELECT content FROM blobs);
        DELETE FROM contents WHERE id NOT IN (SELECT content FROM blobs)`),
  },
};
