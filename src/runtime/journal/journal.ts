// The journal: every accepted event and every piece of work, committed to a file of its own before anyone is answered.

import {
  closeDatabase,
  createNoting,
  isAway,
  keepDeleted,
  noteContents,
  standingAt,
} from "../../home/database/intact.ts";
import { noteUnreadable } from "../../home/database/losses.ts";
import { beginAnew } from "../../home/database/replace.ts";
import { errorMessage } from "../../home/describe-error.ts";
import type { Log } from "../../home/log.ts";
import { type Database, isCorrupt, openDatabase, takeUnreadable } from "../../host/sqlite.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import type { NoteChange } from "../ports.ts";
import { type Appended, addPast, appendEvent, createGroupCommit } from "./append.ts";
import * as counts from "./counts.ts";
import * as events from "./events.ts";
import { forgetSession, removing } from "./forget.ts";
import {
  copyPath,
  type OpenDeps,
  openJournalFile,
  replacement,
  takeCopy,
  writeCopy,
} from "./open-journal.ts";
import * as planning from "./planning.ts";
import { journalForm } from "./schema.ts";
import * as seen from "./seen-before.ts";
import * as sessions from "./sessions.ts";
import * as work from "./work.ts";

export interface JournalDeps {
  /** Epoch ms. */
  now: () => number;
  log: Log;
  /** Called with what was committed; absent where nobody looks on. */
  changed?: NoteChange | undefined;
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
  unfinished: planning.unfinishedRows,
  rows: planning.sessionRows,
  rowsOfProject: planning.projectRows,
  state: planning.sessionState,
  session: planning.sessionById,
  knownSessions: sessions.knownSessions,
  heardSessions: sessions.heardSessions,
  isModelFree: sessions.isModelFree,
  pending: planning.pendingEvents,
  past: planning.promptPasts,
  pastEvents: events.pastEvents,
  prompt: events.promptEvent,
  toolEvents: events.toolEvents,
  turnEvents: events.turnEvents,
  laterPrompts: events.laterPrompts,
  lastStop: events.lastStop,
  toolUse: events.toolUse,
  lateText: events.lateText,
  hasOpenWork: planning.hasOpenWork,
  knownKey: seen.knownKey,
  hasKnown: seen.hasKnown,
  isBuried: seen.isBuried,
  isForgotten: seen.isForgotten,
  hasForgotten: seen.hasForgotten,
  transcriptMarks: sessions.transcriptMarks,
};

/** Each is one transaction, in which what was gathered to be written is written first. */
const writes = {
  putsIn: work.putsIn,
  renew: work.renewLease,
  releaseLeases: work.releaseLeases,
  adopt: sessions.adoptSessions,
  rememberPast: seen.rememberPast,
  bury: seen.bury,
  forgetSession,
  markTranscripts: sessions.markTranscripts,
  // These read, so that what was given this moment is among it.
  givenTo: counts.givenTo,
  injections: counts.injectionsSince,
  noted: counts.notedSince,
  unnotified: events.unnotified,
  /** Sessions that are open and were heard of since (epoch ms), the newest events, and what the last session was given. */
  lately: (db: Database, since: number, limit: number) => ({
    sessions: sessions.openSessions(db, since),
    happened: events.lateEvents(db, limit),
    given: counts.lastGiven(db),
  }),
};

/** Opens (or begins) the journal at `path`; see `keepJournalOpen`. Long because it is the list of what the journal does. */
export async function createJournal(path: string, deps: JournalDeps) {
  const { now, log, changed = () => undefined, open = openDatabase } = deps;
  const file = await keepJournalOpen(path, { now, log, open });
  const { use } = file;
  const gathered = createGathered();
  const write: JournalFile["use"] = (change) =>
    use((db) => gathered.transaction(db, () => change(db)));

  const plans = createPlanFlush(file);

  const appends = createGroupCommit<{ event: ClientEvent; payload: string }, Appended>(
    (group) =>
      file.insist(() =>
        write((db) =>
          group.map(({ event, payload }) => {
            const appended = appendEvent(db, event, payload, now());
            if (appended.isNew) gathered.count(`event:${event.name}`);
            return appended;
          }),
        ),
      ),
    { flush: file.flushed },
  );

  return {
    ...bound(reads, use),
    ...bound(writes, write),
    ...removing(file, write, now),
    isBehind: file.isBehind,
    flushed: file.flushed,
    adoptFrom: file.adoptFrom,
    /** Resolves once the event is committed to disk; rejects with `journal_unwritable`. Appends of one tick share a transaction. */
    async append(event: ClientEvent): Promise<Appended> {
      const appended = await appends.add({ event, payload: jsonOf(event) });
      if (appended.isNew) changed("captured", event.session);
      return appended;
    },
    addPast(promptNumber: number, past: readonly ClientEvent[]): number | undefined {
      const texts = past.map((event) => ({ event, payload: jsonOf(event) }));
      return write((db) => addPast(db, promptNumber, texts, now()));
    },
    writePlan(row: number, plan: planning.Plan): void {
      write((db) => planning.writePlan(db, row, plan, now()));
      plans.written();
      if (plan.works.length + plan.settled.length > 0) changed("worked");
    },
    again(row: number, works: readonly planning.PlannedWork[]): void {
      write((db) => planning.planAgain(db, row, works, now()));
      plans.written();
    },
    /** Waits until every plan that was written is on disk; rejects with `journal_unwritable`. */
    plansOnDisk: plans.onDisk,
    lease: (row: number, until: number, storage: string) =>
      write((db) => work.leaseNext(db, row, { until, storage, now: now() })),
    finish(piece: work.LeasedWork, outcomes: ReadonlyMap<number, work.ToolOutcome>) {
      const ended = write((db) => work.finishWork(db, gathered.count, piece, outcomes, now()));
      changed("worked", piece.session);
      return ended;
    },
    fail(piece: work.LeasedWork, reason: string, at: number | null, mayBeStored = false) {
      const how = { reason, at, mayBeStored };
      const ended = write((db) => work.failWork(db, gathered.count, piece, how, now()));
      changed("worked", piece.session);
      return ended;
    },
    retryParked(ids?: readonly number[]): number[] {
      const rows = write((db) => work.unparkWork(db, ids, now()));
      changed("worked");
      return rows;
    },
    /** Adds to a counter of `status`; written with the next transaction. */
    count(name: string, by?: number): void {
      gathered.count(name, by);
      if (name.startsWith("drop:")) changed("captured");
    },
    /** Notes what a session was given to read; written with the next transaction. */
    inject: gathered.inject,
    /** Listeners heard how these tool uses ended; written with the next transaction. */
    markNotified: gathered.markNotified,
    /** Counts what a plugin gave and what became of it; written with the next transaction. */
    note: gathered.note,
    status: () => write((db) => counts.journalStatus(db, path, gathered.counts(db), now())),
    /** Commits what is queued, then closes the file. */
    async close(): Promise<void> {
      await appends.idle();
      await file.close(() => write(() => undefined));
    },
  };
}

/** A capture plugin may have put something into the event that is not valid JSON. */
function jsonOf(event: ClientEvent): string {
  try {
    return JSON.stringify(event);
  } catch (cause) {
    const message = `A ${event.name} event cannot be written as JSON: ${errorMessage(cause)}`;
    throw new MemoirError("payload_invalid", message, { cause });
  }
}

// The file as it is open: replaced when damage shows, put back when it was taken away, both under its users.

/** The file that is open now; another after a repair. */
type JournalFile = Awaited<ReturnType<typeof keepJournalOpen>>;

/** The file as it is open now; damage, or somebody who takes it away, puts another in its place. */
interface OpenFile {
  db: Database;
  standing: ReturnType<typeof standingAt>;
  /** Closed while its file is put back. */
  isShut: boolean;
  /** Under way while it is replaced or put back. */
  repair?: Promise<void> | undefined;
  /** Sessions that storage knows, for a journal that was begun anew. */
  adopted?: () => Promise<readonly sessions.AdoptedSession[]>;
}

/** Begins anew with what can be read of the damaged file. Never rejects. */
async function replace(file: OpenFile, path: string, deps: OpenDeps, cause: unknown) {
  // What was prepared on the damaged connection must be left first.
  await Promise.resolve();
  try {
    file.db.close();
    file.db = await beginAnew(path, journalForm, replacement(deps), cause);
    await takeCopy(file.db, path, deps.now);
    file.standing = standingAt(path);
    sessions.adoptSessions(file.db, (await file.adopted?.()) ?? []);
  } catch (error) {
    deps.log.error("The damaged journal could not be replaced.", { error });
  } finally {
    file.repair = undefined;
  }
}

/** Puts a file back that was deleted or replaced: what is written into it would be gone with this process. Never rejects. */
async function putBack(file: OpenFile, path: string, deps: OpenDeps): Promise<void> {
  await Promise.resolve();
  const shut = () => {
    file.isShut = true;
    file.db.close();
  };
  try {
    if (!file.isShut && !keepDeleted(path, file.db, file.standing, shut)) return;
    file.db = (await openJournalFile(path, deps)).db;
    file.isShut = false;
    file.standing = standingAt(path);
  } catch (error) {
    deps.log.error("The journal's file was taken away, and could not be put back.", { error });
  } finally {
    file.repair = undefined;
  }
}

/**
 * Opens (or begins) the journal at `path`. A damaged file is put aside, now or whenever the damage shows.
 * Rejects with `journal_unwritable` when the file cannot be opened and with `storage_newer` when a newer memoir wrote it.
 * Long because it is the list of what is done with the open file.
 */
async function keepJournalOpen(path: string, deps: OpenDeps) {
  const { now, log } = deps;
  const { db, isBehind } = await openJournalFile(path, deps).catch((error: unknown) => {
    throw blamed(path, error);
  });
  const file: OpenFile = { db, standing: standingAt(path), isShut: false };
  let closed = false;

  /** Without a count of its own a journal that is removed in its first life would be missed by nobody. */
  let counted: Promise<void> = Promise.resolve();
  function noteCount(): Promise<void> {
    if (file.repair || file.isShut) return counted;
    const noted = noteContents(path, file.db, journalForm, { now }).catch(() => undefined);
    counted = counted.then(() => noted);
    return counted;
  }
  const noting = createNoting(noteCount, now);

  return {
    /** True where more was forgotten than it knew when it was opened: it was begun anew, or an earlier one was gone back to. */
    isBehind,
    /** Reads or writes; damage that shows here starts the repair. */
    use<Result>(access: (db: Database) => Result): Result {
      if (closed) throw new MemoirError("journal_unwritable", "The journal is closed.");
      if (file.repair)
        throw new MemoirError("journal_damaged", "The journal is being replaced after damage.");
      try {
        const result = access(file.db);
        const unreadable = takeUnreadable(file.db);
        if (unreadable.length > 0) noteUnreadable(path, unreadable, { now });
        return result;
      } catch (error) {
        if (isCorrupt(error)) file.repair = replace(file, path, deps, error);
        throw blamed(path, error);
      }
    },
    /** Does what writes, with the file in its place; once more after a repair that it started. */
    async insist<Result>(work: () => Result): Promise<Result> {
      if (file.isShut || isAway(path, file.standing)) file.repair ??= putBack(file, path, deps);
      await file.repair;
      try {
        return work();
      } catch (error) {
        if (!file.repair) throw error;
        await file.repair;
        return work();
      }
    },
    /** Resolves once everything written so far is on disk; rejects with `journal_unwritable`. */
    async flushed(): Promise<void> {
      try {
        await file.db.flush();
      } catch (error) {
        throw blamed(path, error);
      }
      noting.written().catch(() => undefined);
    },
    /** Asked from now on whenever a damaged file was replaced, before anything is written. */
    adoptFrom(source: () => Promise<readonly sessions.AdoptedSession[]>): void {
      file.adopted = source;
    },
    /** Writes what was forgotten into the copy, durably. */
    async writeCopy(): Promise<void> {
      await writeCopy(file.db, copyPath(path)).catch((error: unknown) => {
        throw blamed(path, error);
      });
    },
    /** `last` writes what is left to be written; that it failed is logged. */
    async close(last: () => void): Promise<void> {
      await file.repair;
      if (closed) return;
      noting.stop();
      try {
        last();
        await noteCount();
      } catch (error) {
        log.warn("Counters could not be written.", { error });
      } finally {
        closed = true;
        closeDatabase(path, file.db, file.standing);
      }
    },
  };
}

function blamed(path: string, cause: unknown): MemoirError {
  if (cause instanceof MemoirError) return cause;
  const message = errorMessage(cause);
  return isCorrupt(cause)
    ? new MemoirError("journal_damaged", `The journal at ${path} is damaged: ${message}`, { cause })
    : new MemoirError("journal_unwritable", `The journal at ${path} cannot be used: ${message}`, {
        cause,
      });
}

/** Pieces of one plan wait for the disk once. */
function createPlanFlush({ flushed }: Pick<JournalFile, "flushed">) {
  let flushing: Promise<void> | undefined;
  return {
    written: (): void => {
      flushing = undefined;
    },
    /** Resolves once every plan is on disk; rejects with `journal_unwritable`. */
    async onDisk(): Promise<void> {
      flushing ??= flushed();
      const mine = flushing;
      try {
        await mine;
      } catch (error) {
        if (flushing === mine) flushing = undefined;
        throw error;
      }
    },
  };
}

// What is gathered in memory and written along with the next transaction, so that counting costs no write of its own.

function createGathered() {
  let counted = new Map<string, number>();
  let injected: counts.Injection[] = [];
  let noted: counts.Noted[] = [];
  let notified: number[] = [];
  const count: work.Count = (name, by = 1) => {
    counted.set(name, (counted.get(name) ?? 0) + by);
  };
  return {
    count,
    inject: (injection: counts.Injection) => void injected.push(injection),
    note: (one: counts.Noted) => void noted.push(one),
    markNotified: (seqs: readonly number[]) => void notified.push(...seqs),
    /** Stored and gathered counters together. */
    counts(db: Database): Record<string, number> {
      const rows = db.all<{ name: string; n: number }>(
        "SELECT name, n FROM counters ORDER BY name",
      );
      const all: Record<string, number> = Object.fromEntries(rows.map(({ name, n }) => [name, n]));
      for (const [name, n] of counted) all[name] = (all[name] ?? 0) + n;
      return all;
    },
    /** Runs `change` and writes what was gathered in one transaction; a throw leaves both as they were. */
    transaction<Result>(db: Database, change: () => Result): Result {
      const before = new Map(counted);
      try {
        const result = db.transaction(() => {
          if (injected.length > 0) counts.addInjections(db, injected);
          if (noted.length > 0) counts.addNoted(db, noted);
          if (notified.length > 0) events.markNotified(db, notified);
          const result = change();
          const upsert = db.prepare(
            "INSERT INTO counters (name, n) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET n = n + excluded.n",
          );
          for (const counter of counted) upsert.run(counter);
          return result;
        });
        counted = new Map();
        injected = [];
        noted = [];
        notified = [];
        return result;
      } catch (error) {
        counted = before;
        throw error;
      }
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
