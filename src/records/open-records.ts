// A store of records in one SQLite database, behind the one lazy import that keeps SQL off everybody else's path.
import { type Database, isCorrupt } from "../host/sqlite.ts";
import type { HookInput } from "../sdk/hooks.ts";
import type { PutRequest } from "../sdk/storage.ts";
import { hasDamagedPages } from "../search/index/check.ts";
import { deleteRecords, overwriteFree } from "./delete.ts";
import { getRecords } from "./get.ts";
import {
  listMemory,
  listObservations,
  listPrompts,
  listSessions,
  listSummaries,
  listTurns,
} from "./list.ts";
import { openStorage, readable } from "./open-database.ts";
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

/** See `openRecords`. Long because every answer goes through the same open file, which may be opened again in between. */
export async function open(path: string, now: () => number): Promise<RecordStore> {
  let current = await opened(path, now);
  let mending: Promise<boolean> | undefined;

  /** Answers as a client does. Damage to the index is mended and the question asked again; any other is told by the file's name. */
  function answering<Input, Output>(work: (input: Input, file: Opened) => Output) {
    return async (input: Input): Promise<Awaited<Output>> => {
      await mending;
      const asked = current;
      try {
        return await work(input, asked);
      } catch (error) {
        try {
          if (isCorrupt(error) && (await isMended(asked))) return await work(input, current);
        } catch (again) {
          throw readable(again, path);
        }
        throw readable(error, path);
      }
    };
  }

  /** Whether the file is another now than that in which damage was met. */
  async function isMended(met: Opened): Promise<boolean> {
    if (met !== current) return true;
    mending ??= mend().finally(() => {
      mending = undefined;
    });
    return await mending;
  }

  async function mend(): Promise<boolean> {
    if (!hasDamagedPages(current.db)) return false;
    shut(current);
    current = await withoutIndex(path, now);
    return true;
  }

  /** What is gone is forgotten. */
  const forgetDeleted = answering((_: undefined, { index }) => index.ask(() => undefined));

  return {
    // The journal forgets a piece of work once its put has resolved.
    put: answering(async (request: PutRequest, { db, index, put }) => {
      const result = put(request);
      await db.flush();
      index.packLater();
      return result;
    }),
    search: answering((query: HookInput<"storage.search">, { db, index }) =>
      index.ask((whole) => searchRecords(db, whole, query, now())),
    ),
    get: answering(({ ids }: HookInput<"storage.get">, { db }) => getRecords(db, ids)),
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
    delete: answering(async ({ ids }: HookInput<"storage.delete">, file) => {
      const result = deleteRecords(file.db, ids);
      await forgetDeleted(undefined);
      if (result.deleted.length > 0) overwriteFree(current.db);
      // The log is emptied: else the words would stay in it.
      current.db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      return result;
    }),
    reindex: answering((_: HookInput<"storage.reindex">, { index }) => {
      index.rebuildLater();
      return index.state();
    }),
    close: () => shut(current),
  };
}

function shut({ db, index }: Opened): void {
  index.close();
  db.close();
}

/** Opens the file; where only its index is damaged, with a new one. */
async function opened(path: string, now: () => number): Promise<Opened> {
  const db = await openedFile(path);
  let isIndex = false;
  try {
    return withIndex(db, now);
  } catch (error) {
    isIndex = isCorrupt(error) && hasDamagedPages(db);
    db.close();
    if (!isIndex) throw readable(error, path);
  }
  return await withoutIndex(path, now);
}

/** Opens a file whose index is damaged, after that was taken out. */
async function withoutIndex(path: string, now: () => number): Promise<Opened> {
  await takeOutIndex(path);
  const db = await openedFile(path);
  try {
    const file = withIndex(db, now);
    // Words of the old index stand in pages that nothing uses.
    if (storedBytes(db) <= compactedBytes) db.exec("VACUUM");
    return file;
  } catch (error) {
    db.close();
    throw readable(error, path);
  }
}

async function openedFile(path: string): Promise<Database> {
  const db = await openStorage(path);
  // What is deleted is overwritten wherever its page is written anyway. The cache, in KB, holds what searches read most.
  db.exec("PRAGMA secure_delete = FAST; PRAGMA cache_size = -16000");
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
