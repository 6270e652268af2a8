// The engine of a storage: keeps records in one SQLite database and answers every question about them. The built-in `sqlite` storage
// runs on it; storages of others may, and tests do.
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import {
  type ChangedRow,
  clearMark,
  createNoting,
  keepDeleted,
  markOfThis,
  noteContents,
  readMark,
  type Standing,
  standingAt,
  sumRows,
  takeChanged,
} from "../home/database/intact.ts";
import { correctRows, noteUnreadable } from "../home/database/losses.ts";
import type { Replacement } from "../home/database/open-file.ts";
import { type Database, isCorrupt, takeUnreadable } from "../host/sqlite.ts";
import { giveBack, writeAnew } from "../host/write-anew.ts";
import type { StorageClient } from "../sdk/context.ts";
import { MemoirError } from "../sdk/errors.ts";
import type { HookSubscriptions } from "../sdk/handlers.ts";
import type { HookInput } from "../sdk/hooks.ts";
import type { ListQuery, PutRequest, RecordKind } from "../sdk/storage.ts";
import { within } from "../sdk/within.ts";
import { hasDamagedPages } from "../search/index.ts";
import { deleteRecords } from "./deleting.ts";
import { allKinds, documentOf, kinds } from "./fields.ts";
import { getRecords, listRecords, storageStats } from "./list.ts";
import { amendRecord } from "./marker.ts";
import { chooseProjects } from "./project-choices.ts";
import { listProjects } from "./project-list.ts";
import { sumsAtOnce } from "./put.ts";
import {
  type Opened,
  openFile,
  openWithoutIndex,
  putPatienceMs,
  readable,
  recordsForm,
  replaceFile,
  shut,
} from "./records-file.ts";
import { searchRecords } from "./search.ts";

/** Records with everything that storage promises of them: filters, order, pages, search, merging, superseding. */
export interface RecordStore extends StorageClient {
  /** Calls after it fail. Safe to call twice. */
  close(): void;
}

/** How long an answer waits for what is carried over from a damaged file. */
const readPatienceMs = 400;

const sumPauseMs = 50;

/**
 * Opens records in the SQLite file `path` (made when missing), or in memory with `:memory:`. It is what the built-in
 * `sqlite` storage runs on. Rejects with `storage_newer` or `storage_foreign`. Of a damaged file, which is set aside, what can
 * be read is carried over; while that takes its time, questions reject with `storage_recovering`. `home` is where such a
 * finding is noted: the file's folder by default.
 *
 * @example
 * ```ts
 * import { openRecords } from "memoir/records";
 *
 * const records = await openRecords(":memory:");
 * const found = await records.search({ text: "login", kinds: ["observation"], limit: 5 });
 * for (const { id, title } of found) console.log(`${id} ${title}`);
 * records.close();
 * ```
 */
// Long because it is the list of what a store does, over one open file.
export async function openRecords(
  path: string,
  now: () => number = Date.now,
  home?: string,
): Promise<RecordStore> {
  const file = createRecordsFile(path, now, home);
  const about = { now, ...(home !== undefined && { home }) };
  /** Rows whose bytes changed on the disk; whoever asked waits, and is answered with what could be corrected. */
  const correct = (db: Database, rows: readonly ChangedRow[]) =>
    correctRows(db, rows, {
      path,
      now,
      home: home ?? dirname(path),
      nameOf: rowName,
      madeAgain: ["turns", "prompts", "session_summaries"],
    });
  const noting = createNoting(async () => {
    const { db } = await file.get(putPatienceMs);
    await noteContents(path, db, recordsForm, about);
    void replaceDamaged(path, file, correct);
  }, now);
  const suspects = readMark(path)?.rows ?? [];
  await file.begun;
  if (suspects.length > 0) await correct((await file.get(putPatienceMs)).db, suspects);
  const closing = new AbortController();
  void sumOlder(file, closing.signal);
  const answering = createAnswering(file, path, about, correct);

  /** Nothing of what was written is still being written once it is answered: the journal forgets a piece of work then. */
  async function onDisk(db: Database): Promise<void> {
    await db.flush();
    await noting.written();
  }
  const listing = <Kind extends RecordKind>(kind: Kind) =>
    answering((query: ListQuery, { db }) => listRecords(db, kind, query));
  /** What is gone is forgotten. */
  const forgetDeleted = answering((_: undefined, { index }) => index.forgetDeleted());

  return {
    put: answering(async (request: PutRequest) => {
      file.putBack();
      const { db, index, put } = await file.get(putPatienceMs);
      const result = put(request);
      index.packLater();
      await onDisk(db);
      return result;
    }, writing),
    search: answering((query: HookInput<"storage.search">, { db, index }) =>
      index.ask((searchIndex) => searchRecords(db, searchIndex, query, now())),
    ),
    get: answering((asked: HookInput<"storage.get">, { db }) => getRecords(db, asked)),
    observations: listing("observation"),
    summaries: listing("summary"),
    prompts: listing("prompt"),
    sessions: listing("session"),
    memory: listing("memory"),
    turns: listing("turn"),
    stats: answering(async (_: HookInput<"storage.stats">, { db, index }) => ({
      ...(await storageStats(db, path)),
      index: index.state(),
    })),
    delete: answering(
      async ({ ids, gently }: HookInput<"storage.delete">, { db, index }) => {
        // First: no backup from before may bring it back, whatever comes in between.
        await noteContents(path, db, recordsForm, about, true);
        const result = deleteRecords(db, index, ids, { time: now(), isRule: gently === true });
        await forgetDeleted(undefined);
        // Also when nothing was deleted: a crash may have come between the two.
        (gently ? giveBack : writeAnew)((await file.get(putPatienceMs)).db);
        return result;
      },
      { ...reading, isRead: false },
    ),
    amend: answering(async (request: HookInput<"storage.amend">, { db, index }) => {
      file.putBack();
      const amended = db.transaction(() => {
        const result = amendRecord(db, index, request, now());
        sumRows(db, sumsAtOnce);
        return result;
      });
      await onDisk(db);
      return amended;
    }, writing),
    projects: answering(async ({ change }: HookInput<"storage.projects">, { db, index }) => {
      if (change) {
        file.putBack();
        db.transaction(() => chooseProjects(db, index, change, now()));
        await onDisk(db);
      }
      return listProjects(db);
    }, writing),
    // Loaded when memory is shared.
    changes: answering(async (query: HookInput<"storage.changes">, { db }) =>
      (await import("./changes.ts")).changesPage(db, query),
    ),
    apply: answering(async (request: HookInput<"storage.apply">, { db, index }) => {
      file.putBack();
      const { applyChanges } = await import("./changes.ts");
      const applied = applyChanges(db, index, request, now);
      await forgetDeleted(undefined);
      index.packLater();
      await onDisk(db);
      return applied;
    }, writing),
    reindex: answering((_: HookInput<"storage.reindex">, { index }) => {
      index.rebuildLater();
      return index.state();
    }),
    close() {
      closing.abort();
      noting.stop();
      file.close();
    },
  };
}

type RecordsFile = ReturnType<typeof createRecordsFile>;
type Correct = (db: Database, rows: readonly ChangedRow[]) => Promise<void>;

/** How long an answer waits for what is carried over from a damaged file; and whether it may be worked out twice. */
interface Patience {
  patienceMs: number;
  isRead: boolean;
}
const reading: Patience = { patienceMs: readPatienceMs, isRead: true };
const writing: Patience = { patienceMs: putPatienceMs, isRead: false };

/** Answers as a client does. Damage to the index is mended and the question asked again; after any other, of what could be saved. */
function createAnswering(
  file: RecordsFile,
  path: string,
  about: { now: () => number; home?: string },
  correct: Correct,
) {
  let mending: Promise<boolean> | undefined;
  let correcting: Promise<unknown> | undefined;

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

  return <Input, Output>(
    work: (input: Input, file: Opened) => Output,
    { patienceMs, isRead }: Patience = reading,
  ) =>
    async (input: Input): Promise<Awaited<Output>> => {
      for (let time = 0; ; time++) {
        await mending;
        const asked = await file.get(patienceMs);
        const written = isRead ? undefined : await asked.index.write();
        try {
          const answer = await work(input, asked);
          const changed = takeChanged(asked.db);
          if (changed.length > 0)
            correcting = correct(asked.db, changed).finally(() => {
              correcting = undefined;
            });
          // A second time where the file was replaced meanwhile: the row came along as it was.
          if (correcting && time < 2) {
            // Also where somebody else met the row first: what was read meanwhile is as damaged.
            await correcting;
            // What was written is not to be written twice.
            if (isRead) continue;
          }
          const unreadable = takeUnreadable(asked.db);
          if (unreadable.length > 0) noteUnreadable(path, unreadable, about);
          return answer;
        } catch (error) {
          // Another was put into its place under the work, which is done again there.
          if (time < 2 && !file.is(asked)) continue;
          if (!isCorrupt(error) || time === 2) throw readable(error, path);
          if (file.is(asked) && !(time === 0 && (await isMended(asked)))) file.replace(error);
        } finally {
          written?.();
        }
      }
    };
}

/** What the daily check found in the file that is open; an index waits for the next start, or until it is met. */
async function replaceDamaged(path: string, file: RecordsFile, correct: Correct): Promise<void> {
  const mark = markOfThis(path);
  if (mark?.rows) {
    await clearMark(path);
    await correct((await file.get(putPatienceMs)).db, mark.rows);
  } else if (mark && !mark.isDerived) file.replace(new Error(`malformed: ${mark.found}`));
}

/** Of a memory from before there were checksums, in steps between which others have their turn. */
async function sumOlder(file: RecordsFile, closing: AbortSignal): Promise<void> {
  try {
    for (let done = 1; done > 0 && !closing.aborted; ) {
      const { db } = await file.get(putPatienceMs);
      done = db.transaction(() => sumRows(db, sumsAtOnce));
      await pause(sumPauseMs, undefined, { ref: false });
    }
  } catch {
    // Damage, or a lock of another's: what is put next, or the next start, goes on.
  }
}

/** As people know it: a record's id, else its table and what names it there. */
function rowName({ table, key }: ChangedRow): string {
  const kind = allKinds.find((one) => kinds[one].table === table);
  const [row] = key;
  return kind ? documentOf({ kind, row: Number(row) }) : `${table} ${key.join(" ")}`;
}

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
  let opening = taken(openFile(path, now, how));

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
      opening = taken(replaceFile(path, now, how, cause));
    },
    /** What is written into a file that was deleted would be gone with this process: begins to put it back. */
    putBack(): void {
      const open = current;
      if (!open || !keepDeleted(path, open.db, standing, () => shut(open))) return;
      current = undefined;
      opening = taken(openFile(path, now, how));
    },
    /** Opens it again with a new index. */
    async withoutIndex(): Promise<void> {
      if (!current) return;
      shut(current);
      current = undefined;
      opening = taken(openWithoutIndex(path, now, how));
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

/** The hooks of a storage plugin whose `start` returns `{ records }`: spread them, and replace those that do more. */
export const recordHooks = {
  "storage.put": (request, { state }) => state.records.put(request),
  "storage.search": (query, { state }) => state.records.search(query),
  "storage.get": (query, { state }) => state.records.get(query),
  "storage.observations": (query, { state }) => state.records.observations(query),
  "storage.summaries": (query, { state }) => state.records.summaries(query),
  "storage.prompts": (query, { state }) => state.records.prompts(query),
  "storage.sessions": (query, { state }) => state.records.sessions(query),
  "storage.memory": (query, { state }) => state.records.memory(query),
  "storage.turns": (query, { state }) => state.records.turns(query),
  "storage.stats": (query, { state }) => state.records.stats(query),
  "storage.delete": (query, { state }) => state.records.delete(query),
  "storage.amend": (request, { state }) => state.records.amend(request),
  "storage.projects": (query, { state }) => state.records.projects(query),
  "storage.changes": (query, { state }) => state.records.changes(query),
  "storage.apply": (request, { state }) => state.records.apply(request),
  "storage.reindex": (query, { state }) => state.records.reindex(query),
} satisfies HookSubscriptions<unknown, { records: RecordStore }>;
