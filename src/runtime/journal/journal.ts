// The journal: every accepted event and every piece of work, committed to a file of its own before anyone is answered.

import { setTimeout as pause } from "node:timers/promises";
import {
  closeDatabase,
  createNoting,
  isAway,
  keepDeleted,
  noteContents,
  noteUnreadable,
  standingAt,
} from "../../home/database-file.ts";
import { errorMessage } from "../../home/describe-error.ts";
import type { Log } from "../../home/log.ts";
import { type Database, isCorrupt, openDatabase } from "../../host/sqlite.ts";
import { takeUnreadable } from "../../host/unreadable-rows.ts";
import { writeAnew } from "../../host/write-anew.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import * as again from "./again-rows.ts";
import { appendEvent, hasKnown, openSession } from "./append-event.ts";
import { createCounters, journalStatus } from "./counters.ts";
import { createGroupCommit } from "./group-commit.ts";
import { addInjections, type Injection, injectionsSince } from "./injection-rows.ts";
import type { AdoptedSession, Appended, Journal } from "./journal-types.ts";
import * as lately from "./lately-rows.ts";
import { addNoted, type Noted, notedSince } from "./noted-rows.ts";
import { copyPath, openJournalFile, replaceDamaged } from "./open-journal.ts";
import { pruneStep, pruneTold } from "./prune-events.ts";
import * as recovery from "./recovery-rows.ts";
import { journalForm } from "./schema.ts";
import * as sessions from "./session-rows.ts";
import { hasAny, writeCopy } from "./tombstones.ts";
import { createWorkLedger } from "./work-ledger.ts";
import { writePlan } from "./work-rows.ts";

export type { Appended, Journal } from "./journal-types.ts";

export interface JournalDeps {
  /** Epoch ms. */
  now: () => number;
  log: Log;
  /** Opens the file; replaceable to see what a failing disk does. */
  open?: typeof openDatabase;
}

/** What was kept back longer ago says nothing of now. */
const silentMs = 7 * 24 * 60 * 60_000;
/** Of a plan, what planning by hand leaves as it is. */
const nothingElse = { settled: [], dueAt: null, summarizedSeq: null };
const pruneBatch = 500;
/** Given back to the file system at a time, 2 MB: a hook may be waiting. */
const freedPages = 512;
/** So few are used again sooner than they are worth moving others for. */
const fewPages = 64;
/** What was told and counted is kept for a year. */
const toldMs = 366 * 24 * 60 * 60_000;

/**
 * Opens (or begins) the journal at `path`. A damaged file is put aside, now or whenever the damage shows.
 * Rejects with `journal_unwritable` when the file cannot be opened and with `storage_newer` when a newer memoir wrote it.
 * Long because its short calls share the open file, which damage may replace under them.
 */
export async function createJournal(
  path: string,
  { now, log, open = openDatabase }: JournalDeps,
): Promise<Journal> {
  const deps = { now, log, open };
  const counters = createCounters();
  const opened = await openJournalFile(path, deps).catch((error: unknown) => {
    throw blamed(path, error);
  });
  let { db } = opened;
  let standing = standingAt(path);
  /** Closed while its file is put back. */
  let isShut = false;
  let repair: Promise<void> | undefined;
  let closed = false;
  let adopted: (() => Promise<readonly AdoptedSession[]>) | undefined;
  /** Not written yet. */
  let injected: Injection[] = [];
  let noted: Noted[] = [];

  /** Reads or writes; damage that shows here starts the repair. */
  function use<Result>(access: (db: Database) => Result): Result {
    if (closed) throw new MemoirError("journal_unwritable", "The journal is closed.");
    if (repair)
      throw new MemoirError("journal_damaged", "The journal is being replaced after damage.");
    try {
      const result = access(db);
      const unreadable = takeUnreadable(db);
      if (unreadable.length > 0) noteUnreadable(path, unreadable, { now });
      return result;
    } catch (error) {
      if (isCorrupt(error)) repair = replace(error);
      throw blamed(path, error);
    }
  }

  function write<Result>(change: (db: Database) => Result): Result {
    return use((current) => {
      const [given, counted] = [injected.length, noted.length];
      const result = counters.transaction(current, () => {
        if (given > 0) addInjections(current, injected);
        if (counted > 0) addNoted(current, noted);
        return change(current);
      });
      injected = injected.slice(given);
      noted = noted.slice(counted);
      return result;
    });
  }

  async function replace(cause: unknown): Promise<void> {
    // What was prepared on the damaged connection must be left first.
    await Promise.resolve();
    try {
      db.close();
      db = await replaceDamaged(path, deps, cause);
      standing = standingAt(path);
      again.adoptSessions(db, (await adopted?.()) ?? []);
    } catch (error) {
      log.error("The damaged journal could not be replaced.", { error });
    } finally {
      repair = undefined;
    }
  }

  /** What is written into a file that was deleted or replaced would be gone with this process. */
  async function putBack(): Promise<void> {
    await Promise.resolve();
    const shut = () => {
      isShut = true;
      db.close();
    };
    try {
      if (!isShut && !keepDeleted(path, db, standing, shut)) return;
      ({ db } = await openJournalFile(path, deps));
      isShut = false;
      standing = standingAt(path);
    } catch (error) {
      log.error("The journal's file was taken away, and could not be put back.", { error });
    } finally {
      repair = undefined;
    }
  }

  /** Pages that are free go back to the file system, and their texts with them, those in the log too. */
  async function giveBack(): Promise<void> {
    const freed = () => use((current) => count(current, "freelist_count"));
    let free = freed();
    if (free < fewPages) return;
    while (free > 0) {
      use((current) => current.prepare(`PRAGMA incremental_vacuum(${freedPages})`).all());
      const left = freed();
      // A file that an earlier version made without this way of keeping pages.
      if (left >= free) break;
      free = left;
      await pause(0);
    }
    use((current) => current.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all());
  }

  /** Without a count of its own a journal that is removed in its first life would be missed by nobody. */
  let counted: Promise<void> = Promise.resolve();
  function noteCount(): Promise<void> {
    if (repair || isShut) return counted;
    const noted = noteContents(path, db, journalForm, { now }).catch(() => undefined);
    counted = counted.then(() => noted);
    return counted;
  }
  const noting = createNoting(noteCount, now);

  const appends = createGroupCommit<{ event: ClientEvent; payload: string }, Appended>(
    async (group) => {
      const commit = () =>
        write((current) =>
          group.map(({ event, payload }) => {
            const appended = appendEvent(current, event, payload, now());
            if (appended.fresh) counters.add(`event:${event.name}`);
            return appended;
          }),
        );
      if (isShut || isAway(path, standing)) repair ??= putBack();
      await repair;
      try {
        return commit();
      } catch (error) {
        if (!repair) throw error;
        await repair;
        return commit();
      }
    },
    { flush: flushed },
  );

  async function flushed(): Promise<void> {
    try {
      await db.flush();
    } catch (error) {
      throw blamed(path, error);
    }
    noting.written().catch(() => undefined);
  }

  return {
    async append(event) {
      return await appends.add({ event, payload: jsonOf(event) });
    },
    session(id, client) {
      return use((current) => sessions.sessionById(current, id, client));
    },
    flushed,
    count: counters.add,
    status: () =>
      write((current) =>
        journalStatus(current, path, counters, notedSince(current, now() - silentMs)),
      ),
    // In a transaction, so that what was told this moment is written first.
    lately: (since, events) =>
      write((current) => ({
        sessions: lately.openSessions(current, since),
        happened: lately.lateEvents(current, events),
        told: lately.lastTold(current),
      })),
    toldTo: (asked) => write((current) => lately.toldTo(current, asked)),
    lateText: (seq, mostBytes) => use((current) => lately.lateText(current, seq, mostBytes)),
    async prune(keepMs) {
      let deleted = 0;
      // What stood in a page that others still use is overwritten with it.
      use((current) => current.exec("PRAGMA secure_delete = FAST"));
      for (;;) {
        const step = write((current) => pruneStep(current, keepMs, now(), pruneBatch));
        deleted += step;
        if (step < pruneBatch) break;
        await pause(0);
      }
      write((current) => pruneTold(current, now() - toldMs));
      await giveBack();
      use((current) => current.exec("PRAGMA secure_delete = OFF"));
      return deleted;
    },
    isBehind: opened.isBehind,
    hasForgotten: () => use(hasAny),
    async purge() {
      use(writeAnew);
      await writeCopy(db, copyPath(path)).catch((error: unknown) => {
        throw blamed(path, error);
      });
    },
    async close() {
      await appends.idle();
      await repair;
      if (closed) return;
      noting.stop();
      try {
        write(() => undefined);
        await noteCount();
      } catch (error) {
        log.warn("Counters could not be written.", { error });
      } finally {
        closed = true;
        closeDatabase(path, db, standing);
      }
    },

    knownKey: (key) => use((current) => recovery.knownKey(current, key)),
    hasKnown: (event) => use((current) => hasKnown(current, event)),
    transcriptMarks: (reader, paths) =>
      use((current) => recovery.transcriptMarks(current, reader, paths)),
    markTranscripts: (reader, marks) =>
      write((current) => recovery.markTranscripts(current, reader, marks)),
    releaseRecovered(session, client) {
      write((current) => {
        const found = sessions.sessionById(current, session, client);
        if (found) recovery.releaseRecovered(current, found.row);
      });
      use((current) => current.exec(`PRAGMA incremental_vacuum(${freedPages})`));
    },
    heardSessions: () => use((current) => recovery.heardSessions(current)),
    adopt: (sessions) => write((current) => again.adoptSessions(current, sessions)),
    adoptFrom(source) {
      adopted = source;
    },
    rememberPast: (client, had) => write((current) => again.rememberPast(current, client, had)),
    knownSessions: () => use(again.knownSessions),
    pastEvents: (row) => use((current) => again.pastEvents(current, row)),
    again: (row, works) =>
      write((current) => {
        again.leaveModelFree(current, row);
        writePlan(current, row, { ...nothingElse, works: [...works] }, now());
      }),
    addPast: (promptNumber, events) =>
      write((current) => {
        const [first] = events;
        if (!first) return undefined;
        const { id } = openSession(current, first, now());
        // What a transcript tells of a prompt begins with it.
        if (first.name === "UserPromptSubmit") again.clearPrompt(current, id, promptNumber);
        const taken = events.filter((event) =>
          again.addPast(current, id, { event, payload: jsonOf(event), promptNumber }, now()),
        );
        return taken.length > 0 ? id : undefined;
      }),
    isModelFree: (session) => use((current) => recovery.isModelFree(current, session)),
    inject(injection) {
      injected.push(injection);
    },
    note(one) {
      noted.push(one);
    },
    // Written first, so that the newest are among them.
    injections: (since) => write((current) => injectionsSince(current, since)),
    noted: (since) => write((current) => notedSince(current, since)),

    ...createWorkLedger({ use, write }, counters, now),
  };
}

function count(db: Database, pragma: string): number {
  return db.prepare<Record<string, number>>(`PRAGMA ${pragma}`).get()?.[pragma] ?? 0;
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

function blamed(path: string, cause: unknown): MemoirError {
  if (cause instanceof MemoirError) return cause;
  const message = errorMessage(cause);
  return isCorrupt(cause)
    ? new MemoirError("journal_damaged", `The journal at ${path} is damaged: ${message}`, { cause })
    : new MemoirError("journal_unwritable", `The journal at ${path} cannot be used: ${message}`, {
        cause,
      });
}
