// The journal's open file: what can still be read of a damaged one is carried over, one that was taken away is put back, and both may happen under its users.

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
import type { Replacement } from "../../home/database/open-file.ts";
import { beginAnew, openOrBeginAnew } from "../../home/database/replace.ts";
import { errorMessage } from "../../home/describe-error.ts";
import { addFinding } from "../../home/findings.ts";
import type { Log } from "../../home/log.ts";
import { atomicWrite, readFileTextSync } from "../../home/read-file.ts";
import { type Database, isCorrupt, type openDatabase, takeUnreadable } from "../../host/sqlite.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { moveFile } from "../../sdk/within.ts";
import { plural } from "../../text/text.ts";
import { journalForm } from "./schema.ts";
import { addition, saltOf } from "./seen-before.ts";
import { type AdoptedSession, adoptSessions } from "./sessions.ts";

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

/** The name of the copy, in the journal's folder. */
const copyName = "forgotten";

/** One hash in it. */
const tombstone = /^([0-9a-f]{32})(?: (\d+))?$/;

/**
 * Takes over what the copy at `path` knows. `isBehind`: the journal did not; it was begun anew, or an earlier one was gone back
 * to. `unread`: lines that memoir did not write.
 */
function readCopy(db: Database, path: string): { isBehind: boolean; unread: number } {
  let lines: string[];
  try {
    lines = readFileTextSync(path).split("\n");
  } catch {
    return { isBehind: false, unread: 0 };
  }
  const isRight = (line: string, at: number) =>
    line === "" || (at === 0 ? /^salt [0-9a-f]{32}$/ : tombstone).test(line);
  const unread = lines.filter((line, at) => !isRight(line, at)).length;
  const salt = /^salt ([0-9a-f]{32})$/.exec(lines[0] ?? "")?.[1];
  const ours = db.get<{ salt: string }>("SELECT salt FROM home_salt")?.salt;
  if (salt === undefined || (ours !== undefined && ours !== salt))
    return { isBehind: false, unread };
  const count = () => db.get<{ n: number }>("SELECT count(*) AS n FROM tombstones")?.n ?? 0;
  const before = count();
  db.transaction(() => {
    db.run("INSERT OR IGNORE INTO home_salt VALUES (?)", [salt]);
    const add = db.prepare(addition);
    for (const line of lines.slice(1)) {
      const [, hash, until] = tombstone.exec(line) ?? [];
      if (hash !== undefined) add.run([hash, until === undefined ? null : Number(until)]);
    }
  });
  return { isBehind: count() > before, unread };
}

/** Writes the copy, durably. */
async function writeCopy(db: Database, path: string): Promise<void> {
  const rows = db.all<{ hash: string; until: number | null }>("SELECT hash, until FROM tombstones");
  if (rows.length === 0) return;
  const lines = rows.map(({ hash, until }) => (until === null ? hash : `${hash} ${until}`));
  await atomicWrite(path, `${[`salt ${saltOf(db)}`, ...lines].join("\n")}\n`);
}

/** Reads the copy beside the journal; one with lines that nobody can read is kept, said, and written anew of what is known. */
async function takeCopy(db: Database, journal: string, now: () => number): Promise<boolean> {
  const path = copyPath(journal);
  const { isBehind, unread } = readCopy(db, path);
  if (unread === 0) return isBehind;
  const time = now();
  const aside = `${path}.damaged-${time}`;
  await moveFile(path, aside);
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

/** The file as it is open now; damage, or somebody who takes it away, puts another in its place. */
interface OpenFile {
  db: Database;
  standing: ReturnType<typeof standingAt>;
  /** Closed while its file is put back. */
  isShut: boolean;
  /** Under way while it is replaced or put back. */
  repair?: Promise<void> | undefined;
  /** Sessions that storage knows, for a journal that was begun anew. */
  adopted?: () => Promise<readonly AdoptedSession[]>;
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
    adoptSessions(file.db, (await file.adopted?.()) ?? []);
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
export async function keepJournalOpen(path: string, deps: OpenDeps) {
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
    adoptFrom(source: () => Promise<readonly AdoptedSession[]>): void {
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
