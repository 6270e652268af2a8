// Opens the journal's file; of a damaged one, which is set aside, what can still be read is carried over.
import { rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beginAnew, openOrBeginAnew, type Replacement } from "../../home/database-file.ts";
import { addFinding } from "../../home/findings.ts";
import type { Log } from "../../home/log.ts";
import type { Database, openDatabase } from "../../host/sqlite.ts";
import { plural } from "../../text/text.ts";
import { journalForm } from "./schema.ts";
import { copyName, readCopy, writeCopy } from "./tombstones.ts";

interface OpenDeps {
  log: Log;
  open: typeof openDatabase;
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
export function copyPath(journal: string): string {
  return join(dirname(journal), copyName);
}

/** Sets the file at `path` aside and begins a new one with what could be read of the old. */
export async function replaceDamaged(
  path: string,
  deps: OpenDeps,
  cause: unknown,
): Promise<Database> {
  const db = await beginAnew(path, journalForm, replacement(deps), cause);
  await takeCopy(db, path, deps.now);
  return db;
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
