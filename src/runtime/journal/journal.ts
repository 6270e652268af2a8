// The journal: every accepted event and every piece of work, committed to a file of its own before anyone is answered.
import { setTimeout as pause } from "node:timers/promises";
import { errorMessage } from "../../home/describe-error.ts";
import type { Log } from "../../home/log.ts";
import { type Database, openDatabase } from "../../host/sqlite.ts";
import { writeAnew } from "../../host/write-anew.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import {
  type Appended,
  addPast,
  appendEvent,
  createGroupCommit,
  pruneStep,
} from "./append-event.ts";
import * as events from "./events.ts";
import {
  createCounters,
  type JournalFile,
  journalStatus,
  keepJournalOpen,
} from "./open-journal.ts";
import { hasKnown, knownKey, rememberPast } from "./seen-before.ts";
import * as sessions from "./sessions.ts";
import * as told from "./told.ts";
import {
  bury,
  forgetPrompts,
  forgetSession,
  hasForgotten,
  isBuried,
  isForgotten,
} from "./tombstones.ts";
import * as transcripts from "./transcripts.ts";
import * as work from "./work.ts";

export interface JournalDeps {
  /** Epoch ms. */
  now: () => number;
  log: Log;
  /** Opens the file; replaceable to see what a failing disk does. */
  open?: typeof openDatabase;
}

/**
 * The local, durable record of everything that was accepted. Every call that answers no promise is one read or one
 * transaction, and throws MemoirError. A killed process loses nothing of it; a power failure, what was written since the
 * last append or `flushed`.
 */
export type Journal = Awaited<ReturnType<typeof createJournal>>;

/** Each is one read of the open file. */
const reads = {
  unfinished: sessions.unfinishedRows,
  rows: sessions.sessionRows,
  rowsOfProject: sessions.projectRows,
  state: sessions.sessionState,
  session: sessions.sessionById,
  knownSessions: sessions.knownSessions,
  heardSessions: sessions.heardSessions,
  isModelFree: sessions.isModelFree,
  pending: events.pendingEvents,
  past: events.promptPasts,
  pastEvents: events.pastEvents,
  prompt: events.promptEvent,
  toolEvents: events.toolEvents,
  turnEvents: events.turnEvents,
  laterPrompts: events.laterPrompts,
  lastStop: events.lastStop,
  toolUse: events.toolUse,
  unnotified: events.unnotified,
  lateText: events.lateText,
  hasOpenWork: work.hasOpenWork,
  knownKey,
  hasKnown,
  isBuried,
  isForgotten,
  hasForgotten,
  transcriptMarks: transcripts.transcriptMarks,
};

/** Each is one transaction, in which what was gathered to be written is written first. */
const writes = {
  markNotified: events.markNotified,
  putsIn: work.putsIn,
  renew: work.renewLease,
  releaseLeases: work.releaseLeases,
  adopt: sessions.adoptSessions,
  rememberPast,
  bury,
  forgetSession,
  markTranscripts: transcripts.markTranscripts,
  // These read, so that what was told this moment is among it.
  toldTo: told.toldTo,
  injections: told.injectionsSince,
  noted: told.notedSince,
  /** Sessions that are open and were heard of since (epoch ms), the newest events, and what the last session was told. */
  lately: (db: Database, since: number, limit: number) => ({
    sessions: sessions.openSessions(db, since),
    happened: events.lateEvents(db, limit),
    told: told.lastTold(db),
  }),
};

/** Opens (or begins) the journal at `path`; see `keepJournalOpen`. Long because it is the list of what the journal does. */
export async function createJournal(path: string, { now, log, open = openDatabase }: JournalDeps) {
  const file = await keepJournalOpen(path, { now, log, open });
  const { use } = file;
  const counters = createCounters();
  /** Not written yet. */
  let injected: told.Injection[] = [];
  let noted: told.Noted[] = [];

  function write<Result>(change: (db: Database) => Result): Result {
    return use((db) => {
      const [given, counted] = [injected.length, noted.length];
      const result = counters.transaction(db, () => {
        if (given > 0) told.addInjections(db, injected);
        if (counted > 0) told.addNoted(db, noted);
        return change(db);
      });
      injected = injected.slice(given);
      noted = noted.slice(counted);
      return result;
    });
  }

  const appends = createGroupCommit<{ event: ClientEvent; payload: string }, Appended>(
    (group) =>
      file.insist(() =>
        write((db) =>
          group.map(({ event, payload }) => {
            const appended = appendEvent(db, event, payload, now());
            if (appended.fresh) counters.add(`event:${event.name}`);
            return appended;
          }),
        ),
      ),
    { flush: file.flushed },
  );

  return {
    ...bound(reads, use),
    ...bound(writes, write),
    isBehind: file.isBehind,
    flushed: file.flushed,
    adoptFrom: file.adoptFrom,
    /** Resolves once the event is committed to disk; rejects with `journal_unwritable`. Appends of one tick share a transaction. */
    async append(event: ClientEvent): Promise<Appended> {
      return await appends.add({ event, payload: jsonOf(event) });
    },
    addPast: (promptNumber: number, past: readonly ClientEvent[]) =>
      write((db) =>
        addPast(
          db,
          promptNumber,
          past.map((event) => ({ event, payload: jsonOf(event) })),
          now(),
        ),
      ),
    plan: (row: number, plan: work.Plan) => write((db) => work.writePlan(db, row, plan, now())),
    again: (row: number, works: readonly work.PlannedWork[]) =>
      write((db) => work.planAgain(db, row, works, now())),
    lease: (row: number, until: number, storage: string) =>
      write((db) => work.leaseNext(db, row, { until, storage, now: now() })),
    finish: (piece: work.LeasedWork, outcomes: ReadonlyMap<number, work.ToolOutcome>) =>
      write((db) => work.finishWork(db, counters, piece, outcomes, now())),
    fail: (piece: work.LeasedWork, reason: string, at: number | null, mayBeStored = false) =>
      write((db) => work.failWork(db, counters, piece, { reason, at, mayBeStored }, now())),
    retryParked: (ids?: readonly number[]) => write((db) => work.unparkWork(db, ids, now())),
    /** Empties the events of these prompts, or of all up to now; nothing is made of them from here on. Answers their tool uses. */
    forget(row: number, numbers?: readonly number[]): string[] {
      // Overwritten and emptied: else the words would stay in the files.
      use((db) => db.exec("PRAGMA secure_delete = ON"));
      const toolUses = write((db) => forgetPrompts(db, row, numbers));
      use((db) =>
        db.exec(
          "PRAGMA secure_delete = OFF; PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)",
        ),
      );
      return toolUses;
    },
    /** Makes what was forgotten final: no file of the journal's holds a word of it, and its hashes stand in a second place. */
    async purge(): Promise<void> {
      use(writeAnew);
      await file.writeCopy();
    },
    /** Drops the texts of a session's recovered events that are worked off. */
    releaseRecovered(session: string, client: string): void {
      write((db) => transcripts.releaseRecovered(db, session, client));
      use((db) => db.exec(`PRAGMA incremental_vacuum(${freedPages})`));
    },
    /** Adds to a counter of `status`; written with the next transaction. */
    count: counters.add,
    /** Notes what a session was given to read; written with the next transaction. */
    inject(injection: told.Injection): void {
      injected.push(injection);
    },
    /** Counts what a plugin told and what became of it; written with the next transaction. */
    note(one: told.Noted): void {
      noted.push(one);
    },
    status: () => write((db) => journalStatus(db, path, counters, now())),
    /** Deletes events of finished work settled more than `keepMs` ago, in small steps; answers how many. Parked work keeps its events four times as long. */
    prune: (keepMs: number) => prune(keepMs, now, use, write),
    /** Commits what is queued, then closes the file. */
    async close(): Promise<void> {
      await appends.idle();
      await file.close(() => write(() => undefined));
    },
  };
}

type Operation = (db: Database, ...args: never[]) => unknown;
type Bound<Operations> = {
  [Name in keyof Operations]: Operations[Name] extends (
    db: Database,
    ...args: infer Args
  ) => infer Result
    ? (...args: Args) => Result
    : never;
};

/** Each operation, over whichever file is open when it is called. */
function bound<Operations extends Record<string, Operation>>(
  operations: Operations,
  run: JournalFile["use"],
): Bound<Operations> {
  const all = Object.entries(operations).map(([name, operation]) => [
    name,
    (...args: never[]) => run((db) => operation(db, ...args)),
  ]);
  return Object.fromEntries(all);
}

const pruneBatch = 500;
/** Given back to the file system at a time, 2 MB: a hook may be waiting. */
const freedPages = 512;
/** So few are used again sooner than they are worth moving others for. */
const fewPages = 64;
/** What was told and counted is kept for a year. */
const toldMs = 366 * 24 * 60 * 60_000;

async function prune(
  keepMs: number,
  now: () => number,
  use: JournalFile["use"],
  write: JournalFile["use"],
): Promise<number> {
  let deleted = 0;
  // What stood in a page that others still use is overwritten with it.
  use((db) => db.exec("PRAGMA secure_delete = FAST"));
  for (;;) {
    const step = write((db) => pruneStep(db, keepMs, now(), pruneBatch));
    deleted += step;
    if (step < pruneBatch) break;
    await pause(0);
  }
  write((db) => told.pruneTold(db, now() - toldMs));
  await giveBack(use);
  use((db) => db.exec("PRAGMA secure_delete = OFF"));
  return deleted;
}

/** Pages that are free go back to the file system, and their texts with them, those in the log too. */
async function giveBack(use: JournalFile["use"]): Promise<void> {
  const freePages = () =>
    use((db) => db.prepare<{ freelist_count: number }>("PRAGMA freelist_count").get());
  let free = freePages()?.freelist_count ?? 0;
  if (free < fewPages) return;
  while (free > 0) {
    use((db) => db.prepare(`PRAGMA incremental_vacuum(${freedPages})`).all());
    const left = freePages()?.freelist_count ?? 0;
    // A file that an earlier version made without this way of keeping pages.
    if (left >= free) break;
    free = left;
    await pause(0);
  }
  use((db) => db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all());
}

/** A capture plugin may have put something into the event that is no JSON. */
function jsonOf(event: ClientEvent): string {
  try {
    return JSON.stringify(event);
  } catch (cause) {
    const message = `A ${event.name} event cannot be written as JSON: ${errorMessage(cause)}`;
    throw new MemoirError("payload_invalid", message, { cause });
  }
}
