// A store of records in one SQLite database, behind the one lazy import that keeps SQL off everybody else's path.
import type { Database } from "../host/sqlite.ts";
import type { HookInput } from "../sdk/hooks.ts";
import type { PutRequest } from "../sdk/storage.ts";
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
import { openRecordIndex, type RecordIndex } from "./search/record-index.ts";
import { searchRecords } from "./search/search.ts";
import { storageStats } from "./stats.ts";

/** See `openRecords`. */
export async function open(path: string, now: () => number): Promise<RecordStore> {
  const db = await openStorage(path);
  // What is deleted is overwritten wherever its page is written anyway. The cache, in KB, holds what searches read most.
  db.exec("PRAGMA secure_delete = FAST; PRAGMA cache_size = -16000");
  const index = opened(db, path);
  const put = putter(db, index, now);

  /** Answers as a client does; a damaged file is told by its name. */
  function answering<Input, Output>(work: (input: Input) => Output) {
    return async (input: Input): Promise<Awaited<Output>> => {
      try {
        return await work(input);
      } catch (error) {
        throw readable(error, path);
      }
    };
  }

  return {
    // The journal forgets a piece of work once its put has resolved.
    put: answering(async (request: PutRequest) => {
      const result = put(request);
      await db.flush();
      index.packLater();
      return result;
    }),
    search: answering((query: HookInput<"storage.search">) =>
      index.ask((current) => searchRecords(db, current, query, now())),
    ),
    get: answering(({ ids }: HookInput<"storage.get">) => getRecords(db, ids)),
    observations: answering((query: HookInput<"storage.observations">) =>
      listObservations(db, query),
    ),
    summaries: answering((query: HookInput<"storage.summaries">) => listSummaries(db, query)),
    prompts: answering((query: HookInput<"storage.prompts">) => listPrompts(db, query)),
    sessions: answering((query: HookInput<"storage.sessions">) => listSessions(db, query)),
    memory: answering((query: HookInput<"storage.memory">) => listMemory(db, query)),
    turns: answering((query: HookInput<"storage.turns">) => listTurns(db, query)),
    stats: answering(async (_: HookInput<"storage.stats">) => ({
      ...(await storageStats(db, path)),
      index: index.state(),
    })),
    delete: answering(async ({ ids }: HookInput<"storage.delete">) => {
      const result = deleteRecords(db, ids);
      // What is gone is forgotten.
      index.ask(() => undefined);
      if (result.deleted.length > 0) overwriteFree(db);
      // The log is emptied: else the words would stay in it.
      db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      return result;
    }),
    reindex: answering((_: HookInput<"storage.reindex">) => {
      index.rebuildLater();
      return index.state();
    }),
    close() {
      index.close();
      db.close();
    },
  };
}

function opened(db: Database, path: string): RecordIndex {
  try {
    return openRecordIndex(db);
  } catch (error) {
    db.close();
    throw readable(error, path);
  }
}
