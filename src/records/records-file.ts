// The file that records lie in: opened, put back where it was deleted, carried over or given a new index where it is damaged.
import {
  clearMark,
  keepDeleted,
  readMark,
  type Standing,
  standingAt,
} from "../home/database/contents.ts";
import type { Replacement } from "../home/database/open-file.ts";
import { type Database, isCorrupt } from "../host/sqlite.ts";
import { MemoirError } from "../sdk/errors.ts";
import { within } from "../sdk/within.ts";
import { hasDamagedPages } from "../search/index/check.ts";
import { openOrRecover, recoverStorage } from "./open-database.ts";
import { putter } from "./put.ts";
import { openRecordIndex, type RecordIndex, takeOutIndex } from "./search/record-index.ts";

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

/** The file that is in place, whatever happens to it; begins to open it. Long because its steps share which file that is. */
export function createRecordsFile(path: string, now: () => number, home: string | undefined) {
  let current: Opened | undefined;
  let standing: Standing = { file: undefined, log: undefined };
  let savedSoFar: (() => number) | undefined;
  let isClosed = false;
  const { promise: damage, resolve: damaged } = Promise.withResolvers<void>();
  const how: Replacement = {
    now,
    ...(home !== undefined && { home }),
    begins(_, saved) {
      savedSoFar = saved;
      damaged();
    },
    replaced() {
      savedSoFar = undefined;
    },
  };
  let opening = taken(opened(path, now, how));

  function taken(made: Promise<Opened>): Promise<Opened> {
    const taking = made.then((file) => {
      if (isClosed) shut(file);
      else [current, standing] = [file, standingAt(path)];
      return file;
    });
    // Whoever asks hears of it.
    taking.catch(() => undefined);
    return taking;
  }

  return {
    /** Resolves when it is open, or is known to take longer; rejects when it cannot be opened. */
    begun: Promise.race([opening, damage.then(() => within(putPatienceMs, opening, undefined))]),
    /** Rejects with `storage_recovering` when a damaged file's rows take longer than this to be carried over. */
    async get(patienceMs: number): Promise<Opened> {
      if (current) return current;
      const late = new MemoirError(
        "storage_recovering",
        `The database ${path} was damaged; what can be read of it is being carried over, ${savedSoFar?.() ?? 0} rows so far.`,
      );
      return await within(patienceMs, opening, late);
    },
    is: (file: Opened): boolean => file === current,
    /** Begins to carry over what can be read. */
    replace(cause: unknown): void {
      if (!current) return;
      shut(current);
      current = undefined;
      opening = taken(replaced(path, now, how, cause));
    },
    /** What is written into a file that was deleted would be gone with this process: begins to put it back. */
    putBack(): void {
      const open = current;
      if (!open || !keepDeleted(path, open.db, standing, () => shut(open))) return;
      current = undefined;
      opening = taken(opened(path, now, how));
    },
    /** Opens it again with a new index. */
    async withoutIndex(): Promise<void> {
      if (!current) return;
      shut(current);
      current = undefined;
      opening = taken(withoutIndex(path, now, how));
      await opening;
    },
    close(): void {
      isClosed = true;
      const open = current;
      if (!open) return;
      try {
        keepDeleted(path, open.db, standing, () => shut(open));
      } finally {
        shut(open);
      }
    },
  };
}

function shut({ db, index }: Opened): void {
  index.close();
  db.close();
}

/** Opens the file; where only its index is damaged, with a new one. */
async function opened(path: string, now: () => number, how: Replacement): Promise<Opened> {
  const db = await tuned(openOrRecover(path, how));
  let isIndex = readMark(path) !== undefined && hasDamagedPages(db);
  await clearMark(path);
  try {
    if (!isIndex) return withIndex(db, now);
    db.close();
  } catch (error) {
    isIndex = isCorrupt(error) && hasDamagedPages(db);
    db.close();
    if (!isCorrupt(error)) throw error;
    if (!isIndex) return await replaced(path, now, how, error);
  }
  return await withoutIndex(path, now, how);
}

async function replaced(
  path: string,
  now: () => number,
  how: Replacement,
  cause: unknown,
): Promise<Opened> {
  return withIndex(await tuned(recoverStorage(path, how, cause)), now);
}

/** Opens a file whose index is damaged, after that was taken out. */
async function withoutIndex(path: string, now: () => number, how: Replacement): Promise<Opened> {
  await takeOutIndex(path);
  const db = await tuned(openOrRecover(path, how));
  try {
    const file = withIndex(db, now);
    // Words of the old index stand in pages that nothing uses.
    if (storedBytes(db) <= compactedBytes) db.exec("VACUUM");
    return file;
  } catch (error) {
    db.close();
    if (!isCorrupt(error)) throw error;
    return await replaced(path, now, how, error);
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

function withIndex(db: Database, now: () => number): Opened {
  const index = openRecordIndex(db, now);
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
