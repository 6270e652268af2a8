// A store of records in one SQLite database, behind the one lazy import that keeps SQL off everybody else's path.
import { createNoting, markOfThis, noteUnreadable } from "../home/database-file.ts";
import { isCorrupt } from "../host/sqlite.ts";
import { takeUnreadable } from "../host/unreadable-rows.ts";
import { giveBack, writeAnew } from "../host/write-anew.ts";
import type { HookInput } from "../sdk/hooks.ts";
import type { PutRequest } from "../sdk/storage.ts";
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
import { noteRecords, readable } from "./open-database.ts";
import type { RecordStore } from "./record-store.ts";
import { createRecordsFile, type Opened, putPatienceMs } from "./records-file.ts";
import { searchRecords } from "./search/search.ts";
import { storageStats } from "./stats.ts";

/** How long an answer waits for what is carried over from a damaged file. */
const readPatienceMs = 400;

/** See `openRecords`. Long because every answer goes through the same open file, which may be opened again in between. */
export async function open(path: string, now: () => number, home?: string): Promise<RecordStore> {
  const file = createRecordsFile(path, now, home);
  const about = { now, ...(home !== undefined && { home }) };
  const noting = createNoting(async () => {
    await noteRecords(path, (await file.get(putPatienceMs)).db, about);
    replaceDamaged();
  }, now);
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
          // Another was put into its place under the work, which is done again there.
          if (time < 2 && !file.is(asked)) continue;
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
      index.packLater();
      // Nothing of a put is still being written once it is answered.
      await db.flush();
      await noting.written();
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
      await db.flush();
      await noting.written();
      return amended;
    }, putPatienceMs),
    reindex: answering((_: HookInput<"storage.reindex">, { index }) => {
      index.rebuildLater();
      return index.state();
    }),
    close() {
      noting.stop();
      file.close();
    },
  };
}
