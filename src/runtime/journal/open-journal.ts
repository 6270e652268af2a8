// The journal's open file: what can still be read of a damaged one is carried over, one that was taken away is put back, and both may happen under its users.

import { statSync } from "node:fs";
import { rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  closeDatabase,
  createNoting,
  isAway,
  keepDeleted,
  noteContents,
  noteUnreadable,
  standingAt,
} from "../../home/database/contents.ts";
import { beginAnew, openOrBeginAnew } from "../../home/database/replace.ts";
import { damagedFiles, type Replacement } from "../../home/database/set-aside.ts";
import { errorMessage } from "../../home/describe-error.ts";
import { addFinding } from "../../home/findings.ts";
import type { Log } from "../../home/log.ts";
import { type Database, isCorrupt, type openDatabase } from "../../host/sqlite.ts";
import { takeUnreadable } from "../../host/unreadable-rows.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { plural } from "../../text/text.ts";
import type { JournalStatus, SilentKind, WorkKind } from "../ports.ts";
import { journalForm } from "./schema.ts";
import { type AdoptedSession, adoptSessions } from "./sessions.ts";
import { type NotedCount, notedSince } from "./told.ts";
import { copyName, readCopy, writeCopy } from "./tombstones.ts";

interface OpenDeps {
  log: Log;
  open: typeof openDatabase;
  /** Epoch ms. */
  now: () => number;
}

/** A database with the journal's tables, ready to be written. Rejects with the driver's error when the file cannot be opened. */
export async function openJournalFile(
  path: string,
  deps: OpenDeps,
): Promise<{ db: Database; isBehind: boolean }> {
  const db = await openOrBeginAnew(path, journalForm, replacement(deps));
  return { db, isBehind: await takeCopy(db, path, deps.now) };
}

/** Reads the copy beside the journal; one with lines that nobody can read is kept, said, and written anew of what is known. */
async function takeCopy(db: Database, journal: string, now: () => number): Promise<boolean> {
  const path = copyPath(journal);
  const { isBehind, unread } = readCopy(db, path);
  if (unread === 0) return isBehind;
  const time = now();
  const aside = `${path}.damaged-${time}`;
  await rename(path, aside);
  await writeCopy(db, path);
  const what = `held ${plural(unread, "line")} that memoir did not write`;
  const fix =
    "It lists, as hashes, what you had deleted: should any of that come back by an import, delete it again.";
  addFinding(dirname(path), { time, file: copyName, what, fix, aside });
  return isBehind;
}

/** Where what was forgotten stands once more. */
function copyPath(journal: string): string {
  return join(dirname(journal), copyName);
}

function replacement({ now, open, log }: OpenDeps): Replacement {
  return {
    now,
    open,
    replaced(file, _, error, recovered) {
      log.error("The journal was damaged: it was put aside and a new one was begun.", {
        file,
        error,
        ...recovered,
      });
    },
  };
}

/** The file that is open now; another after a repair. */
export type JournalFile = Awaited<ReturnType<typeof keepJournalOpen>>;

/**
 * Opens (or begins) the journal at `path`. A damaged file is put aside, now or whenever the damage shows.
 * Rejects with `journal_unwritable` when the file cannot be opened and with `storage_newer` when a newer memoir wrote it.
 * Long because all of it shares the open file, which damage may replace under its users.
 */
export async function keepJournalOpen(path: string, deps: OpenDeps) {
  const { now, log } = deps;
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

  async function replace(cause: unknown): Promise<void> {
    // What was prepared on the damaged connection must be left first.
    await Promise.resolve();
    try {
      db.close();
      db = await beginAnew(path, journalForm, replacement(deps), cause);
      await takeCopy(db, path, now);
      standing = standingAt(path);
      adoptSessions(db, (await adopted?.()) ?? []);
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

  /** Without a count of its own a journal that is removed in its first life would be missed by nobody. */
  let counted: Promise<void> = Promise.resolve();
  function noteCount(): Promise<void> {
    if (repair || isShut) return counted;
    const noted = noteContents(path, db, journalForm, { now }).catch(() => undefined);
    counted = counted.then(() => noted);
    return counted;
  }
  const noting = createNoting(noteCount, now);

  return {
    /** True where more was forgotten than it knew when it was opened: it was begun anew, or an earlier one was gone back to. */
    isBehind: opened.isBehind,
    /** Reads or writes; damage that shows here starts the repair. */
    use<Result>(access: (db: Database) => Result): Result {
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
    },
    /** Does what writes, with the file in its place; once more after a repair that it started. */
    async insist<Result>(work: () => Result): Promise<Result> {
      if (isShut || isAway(path, standing)) repair ??= putBack();
      await repair;
      try {
        return work();
      } catch (error) {
        if (!repair) throw error;
        await repair;
        return work();
      }
    },
    /** Resolves once everything written so far is on disk; rejects with `journal_unwritable`. */
    async flushed(): Promise<void> {
      try {
        await db.flush();
      } catch (error) {
        throw blamed(path, error);
      }
      noting.written().catch(() => undefined);
    },
    /** Asked from now on whenever a damaged file was replaced, before anything is written. */
    adoptFrom(source: () => Promise<readonly AdoptedSession[]>): void {
      adopted = source;
    },
    /** Writes what was forgotten into the copy, durably. */
    async writeCopy(): Promise<void> {
      await writeCopy(db, copyPath(path)).catch((error: unknown) => {
        throw blamed(path, error);
      });
    },
    /** `last` writes what is left to be written; that it failed is logged. */
    async close(last: () => void): Promise<void> {
      await repair;
      if (closed) return;
      noting.stop();
      try {
        last();
        await noteCount();
      } catch (error) {
        log.warn("Counters could not be written.", { error });
      } finally {
        closed = true;
        closeDatabase(path, db, standing);
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

// Counters of `status`: gathered in memory, written along with the next transaction, so that counting costs no write of its own.

export type Counters = ReturnType<typeof createCounters>;

/** Starts with nothing gathered. */
export function createCounters() {
  let gathered = new Map<string, number>();

  const add = (name: string, by = 1) => {
    gathered.set(name, (gathered.get(name) ?? 0) + by);
  };

  return {
    add,
    /** Stored and gathered together. */
    read(db: Database): Record<string, number> {
      const rows = db
        .prepare<{ name: string; n: number }>("SELECT name, n FROM counters ORDER BY name")
        .all();
      const counts: Record<string, number> = Object.fromEntries(
        rows.map(({ name, n }) => [name, n]),
      );
      for (const [name, n] of gathered) counts[name] = (counts[name] ?? 0) + n;
      return counts;
    },
    /** Runs `work` and writes the counters in one transaction; a throw leaves both as they were. */
    transaction<Result>(db: Database, work: () => Result): Result {
      const before = new Map(gathered);
      try {
        const result = db.transaction(() => {
          const worked = work();
          const upsert = db.prepare(
            "INSERT INTO counters (name, n) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET n = n + excluded.n",
          );
          for (const counter of gathered) upsert.run(counter);
          return worked;
        });
        gathered = new Map();
        return result;
      } catch (error) {
        gathered = before;
        throw error;
      }
    },
  };
}

// The journal's part of `memoir status`.

/** What was kept back longer ago says nothing of now. */
const silentMs = 7 * 24 * 60 * 60_000;

/** Counts, the last 20 parked pieces, and sizes. */
export function journalStatus(
  db: Database,
  path: string,
  counters: Counters,
  now: number,
): JournalStatus {
  const states = db
    .prepare<{ state: string; n: number }>("SELECT state, count(*) AS n FROM work GROUP BY state")
    .all();
  const count = (state: string) => states.find((row) => row.state === state)?.n ?? 0;
  const pending = db
    .prepare<{ n: number; oldest: number | null }>(
      "SELECT count(*) AS n, min(received_at) AS oldest FROM events WHERE outcome IS NULL",
    )
    .get();
  const parked = db
    .prepare<{ id: number; kind: WorkKind; session: string; reason: string; at: number }>(
      `SELECT w.id, w.kind, s.session, w.reason, w.updated_at AS at FROM work w JOIN sessions s ON s.id = w.session
       WHERE w.state = 'parked' ORDER BY w.updated_at DESC, w.id DESC LIMIT 20`,
    )
    .all();
  return {
    pendingEvents: pending?.n ?? 0,
    pendingWork: count("pending"),
    leasedWork: count("leased"),
    parkedWork: count("parked"),
    parked,
    silent: silentKinds(notedSince(db, now - silentMs)),
    counters: counters.read(db),
    oldestPendingAt: pending?.oldest ?? null,
    bytes: sizeOf(path) + sizeOf(`${path}-wal`),
    damaged: damagedFiles(path),
  };
}

/** By what was counted when a kind fell silent, and for each hint kept back since. */
function silentKinds(noted: readonly NotedCount[]): SilentKind[] {
  const found = new Map<string, SilentKind>();
  for (const { project, name, count } of noted) {
    const [kind = "", what] = name.split(":");
    if (what !== "silent" && what !== "fell-silent") continue;
    const key = `${project} ${kind}`;
    const one = found.get(key) ?? { project, kind, keptBack: 0 };
    found.set(key, one);
    if (what === "silent") one.keptBack += count;
  }
  return [...found.values()];
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
