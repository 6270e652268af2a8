// Opens the journal's file: what can still be read of a damaged one is carried over, and what was forgotten, of which a copy stands beside it.

import { dirname, join } from "node:path";
import type { Replacement } from "../../home/database/open-file.ts";
import { openOrBeginAnew } from "../../home/database/replace.ts";
import { addFinding } from "../../home/findings.ts";
import type { Log } from "../../home/log.ts";
import { atomicWrite, readFileTextSync } from "../../home/read-file.ts";
import type { Database, openDatabase } from "../../host/sqlite.ts";
import { moveFile } from "../../sdk/within.ts";
import { plural } from "../../text/text.ts";
import { journalForm } from "./schema.ts";
import { addition, saltOf } from "./seen-before.ts";

/** What opening takes. */
export interface OpenDeps {
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
export async function writeCopy(db: Database, path: string): Promise<void> {
  const rows = db.all<{ hash: string; until: number | null }>("SELECT hash, until FROM tombstones");
  if (rows.length === 0) return;
  const lines = rows.map(({ hash, until }) => (until === null ? hash : `${hash} ${until}`));
  await atomicWrite(path, `${[`salt ${saltOf(db)}`, ...lines].join("\n")}\n`);
}

/** Reads the copy beside the journal; one with lines that nobody can read is kept, said, and written anew of what is known. */
export async function takeCopy(db: Database, journal: string, now: () => number): Promise<boolean> {
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
export function copyPath(journal: string): string {
  return join(dirname(journal), copyName);
}

/** How a damaged file is put aside, and that it is said. */
export function replacement({ now, open, log }: OpenDeps): Replacement {
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
