// A store of records in one SQLite database, behind the one lazy import that keeps SQL off everybody else's path.
import {
  clearMark,
  keepDeleted,
  markOfThis,
  noteUnreadable,
  type Replacement,
  readMark,
} from "../home/database-file.ts";
import { type Database, isCorrupt } from "../host/sqlite.ts";
import { takeUnreadable } from "../host/unreadable-rows.ts";
import { giveBack, writeAnew } from "../host/write-anew.ts";
import { MemoirError } from "../sdk/errors.ts";
import type { HookInput } from "../sdk/hooks.ts";
import type { PutRequest } from "../sdk/storage.ts";
import { within } from "../sdk/within.ts";
import { hasDamagedPages } from "../search/index/check.ts";
import { deleteRecords } from "./delete.ts";
import { getRecords } from "./get.ts";
import {
  listMemory,
  listObservations,
  listPrompts,
  listSessions,
  listSummaries,
  listTurns,
} from "./list.ts";
import { createMarker } from "./marker.ts";
import { noteRecords, openOrRecover, readable, recoverStorage } from "./open-database.ts";
import { putter } from "./put.ts";
import type { RecordStore } from "./record-store.ts";
import { openRecordIndex, type RecordIndex, takeOutIndex } from "./search/record-index.ts";
import { searchRecords } from "./search/search.ts";
import { storageStats } from "./stats.ts";

/** An open file. */
interface Opened {
  db: Database;
  index: RecordIndex;
  put: ReturnType<typeof putter>;
}

/** After damage to its index up to so many bytes are written anew at once, without the pages that it left. */
const compactedBytes = 1_000_000_000;

/** How long an answer waits for what is carried over from a damaged file; a put, nobody waits for, so much longer. */
const readPatienceMs = 400;
const putPatienceMs = 10_000;
/** Between two notes of how many records there are. */
const notedEveryMs = 5_000;

/** See `openRecords`. Long because every answer goes through the same open file, which may be opened again in between. */
export async function open(path: string, now: () => number, home?: string): Promise<RecordStore> {
  const file = createFile(path, now, home);
  const about = { now, ...(home !== undefined && { home }) };
  let notedAt = Number.NEGATIVE_INFINITY;
  await file.begun;
  let mending: Promise<boolean> | undefined;

  /** Answers as a client does. Damage to the index is mended and the question asked again; after any other, of what could be saved. */
  function answering<Input, Output>(
    work: (input: Input, file: Opened) => Output,
    patienceMs = readPatienceMs,
  ) {
    return async (input: Input): Promise<Awaited<Output>> => {
      for (let time = 0; ; time++) {
        await mending;
        const asked = await file.get(patienceMs);
        try {
          const answer = await work(input, asked);
          const unreadable = takeUnreadable(asked.db);
          if (unreadable.length > 0) noteUnreadable(path, unreadable, about);
          return answer;
        } catch (error) {
          if (!isCorrupt(error) || time === 2) throw readable(error, path);
          if (file.is(asked) && !(time === 0 && (await isMended(asked)))) file.replace(error);
        }
      }
    };
  }

  /** Whether it was the index alone that was damaged. */
  async function isMended(met: Opened): Promise<boolean> {
    if (!hasDamagedPages(met.db)) return false;
    mending ??= file
      .withoutIndex()
      .then(() => true)
      .finally(() => {
        mending = undefined;
      });
    return await mending;
  }

  /** The ledger is brought up to date now and then: it has to know that there are records, and about how many. */
  async function noted(db: Database): Promise<void> {
    if (now() - notedAt < notedEveryMs) return;
    notedAt = now();
    await noteRecords(path, db, about);
    replaceDamaged();
  }

  /** What the daily check found in the file that is open; an index waits for the next start, or until it is met. */
  function replaceDamaged(): void {
    const mark = markOfThis(path);
    if (mark && !mark.isDerived) file.replace(new Error(`malformed: ${mark.found}`));
  }

  /** What is gone is forgotten. */
  const forgetDeleted = answering((_: undefined, { index }) => index.ask(() => undefined));

  return {
    // The journal forgets a piece of work once its put has resolved.
    put: answering(async (request: PutRequest) => {
      file.putBack();
      const { db, index, put } = await file.get(putPatienceMs);
      const result = put(request);
      // Nothing of a put is still being written once it is answered.
      await Promise.all([db.flush(), noted(db)]);
      index.packLater();
      return result;
    }, putPatienceMs),
    search: answering((query: HookInput<"storage.search">, { db, index }) =>
      index.ask((whole) => searchRecords(db, whole, query, now())),
    ),
    get: answering((asked: HookInput<"storage.get">, { db }) => getRecords(db, asked)),
    observations: answering((query: HookInput<"storage.observations">, { db }) =>
      listObservations(db, query),
    ),
    summaries: answering((query: HookInput<"storage.summaries">, { db }) =>
      listSummaries(db, query),
    ),
    prompts: answering((query: HookInput<"storage.prompts">, { db }) => listPrompts(db, query)),
    sessions: answering((query: HookInput<"storage.sessions">, { db }) => listSessions(db, query)),
    memory: answering((query: HookInput<"storage.memory">, { db }) => listMemory(db, query)),
    turns: answering((query: HookInput<"storage.turns">, { db }) => listTurns(db, query)),
    stats: answering(async (_: HookInput<"storage.stats">, { db, index }) => ({
      ...(await storageStats(db, path)),
      index: index.state(),
    })),
    delete: answering(async ({ ids, gently }: HookInput<"storage.delete">, { db }) => {
      // First: no backup from before may bring it back, whatever comes in between.
      await noteRecords(path, db, about, true);
      const result = deleteRecords(db, ids);
      await forgetDeleted(undefined);
      // Also when nothing was deleted: a crash may have come between the two.
      (gently ? giveBack : writeAnew)((await file.get(putPatienceMs)).db);
      return result;
    }),
    amend: answering(async (request: HookInput<"storage.amend">, { db, index }) => {
      file.putBack();
      const marker = createMarker(db, index);
      const amended = db.transaction(() => marker.amend(request, now()));
      await Promise.all([db.flush(), noted(db)]);
      return amended;
    }, putPatienceMs),
    reindex: answering((_: HookInput<"storage.reindex">, { index }) => {
      index.rebuildLater();
      return index.state();
    }),
    close: file.close,
  };
}

/** The file that is in place, whatever happens to it. */
interface RecordsFile {
  /** Resolves when it is open, or is known to take longer; rejects when it cannot be opened. */
  begun: Promise<unknown>;
  /** Rejects with `storage_recovering` when a damaged file's rows take longer than this to be carried over. */
  get(patienceMs: number): Promise<Opened>;
  is(file: Opened): boolean;
  /** Begins to carry over what can be read. */
  replace(cause: unknown): void;
  /** What is written into a file that was deleted would be gone with this process: begins to put it back. */
  putBack(): void;
  /** Opens it again with a new index. */
  withoutIndex(): Promise<void>;
  close(): void;
}

/** Long because its steps share which file is in place. */
function createFile(path: string, now: () => number, home: string | undefined): RecordsFile {
  let current: Opened | undefined;
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
      else current = file;
      return file;
    });
    // Whoever asks hears of it.
    taking.catch(() => undefined);
    return taking;
  }

  return {
    begun: Promise.race([opening, damage.then(() => within(putPatienceMs, opening, undefined))]),
    async get(patienceMs) {
      if (current) return current;
      const late = new MemoirError(
        "storage_recovering",
        `The database ${path} was damaged; what can be read of it is being carried over, ${savedSoFar?.() ?? 0} rows so far.`,
      );
      return await within(patienceMs, opening, late);
    },
    is: (file) => file === current,
    replace(cause) {
      if (!current) return;
      shut(current);
      current = undefined;
      opening = taken(replaced(path, now, how, cause));
    },
    putBack() {
      const open = current;
      if (!open || !keepDeleted(path, open.db, () => shut(open))) return;
      current = undefined;
      opening = taken(opened(path, now, how));
    },
    async withoutIndex() {
      if (!current) return;
      shut(current);
      current = undefined;
      opening = taken(withoutIndex(path, now, how));
      await opening;
    },
    close() {
      isClosed = true;
      const open = current;
      if (!open) return;
      try {
        keepDeleted(path, open.db, () => shut(open));
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
