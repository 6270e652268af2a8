// What a file held when it was last seen, and what is missing of it now.
import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { clearTimeout, setTimeout } from "node:timers";
import { type Database, isOpenHere } from "../../host/sqlite.ts";
import { addFinding, readFindings } from "../findings.ts";
import { wantRebuild } from "../rebuild-wanted.ts";
import { countRows, knownFile, noteFile } from "../recover/known-files.ts";
import { lookAtLog } from "../recover/pages.ts";
import type { DatabaseForm } from "./open-file.ts";
import { homeOf, note, type Replacement } from "./set-aside.ts";

/** Rows that were there when they were last counted and are not now, without a word of anybody's: a log may be lost. */
export function lookForFewer(path: string, db: Database, form: DatabaseForm, how: Replacement) {
  if (!form.recovery?.rebuilt || !missingRows(path, db, form, how).missing) return;
  wantRebuild(homeOf(path, how), { time: how.now(), file: basename(path), why: "fewer" });
}

/** How many rows fewer there are than when they were last counted; empty where none is missing. */
export function missingRows(
  path: string,
  db: Database,
  { recovery }: DatabaseForm,
  how: Replacement,
): { missing?: { records: number; of: number } } {
  if (!recovery?.counted || path === ":memory:") return {};
  const known = knownFile(homeOf(path, how), path);
  // What was counted just before something was forgotten says nothing.
  if (!known || known.forgottenAt === known.seenAt) return {};
  const records = known.rows - countRows(db, recovery.counted);
  return records > 0 ? { missing: { records, of: known.rows } } : {};
}

/** Notes in the ledger how many rows there are; `forgotten`: some were taken out for good. */
export async function noteContents(
  path: string,
  db: Database,
  { recovery }: DatabaseForm,
  how: Pick<Replacement, "home" | "now">,
  forgotten = false,
): Promise<void> {
  if (!recovery?.counted || path === ":memory:") return;
  const home = how.home ?? dirname(path);
  const rows = countRows(db, recovery.counted);
  if (!forgotten && knownFile(home, path)?.rows === rows) return;
  const seenAt = how.now();
  await noteFile(home, path, { rows, seenAt, ...(forgotten && { forgottenAt: seenAt }) });
}

/** Notes rows of which a part does not parse, each once; they stay in the file as they are. */
export function noteUnreadable(
  path: string,
  rows: readonly string[],
  how: Pick<Replacement, "home" | "now">,
): void {
  const home = how.home ?? dirname(path);
  const file = basename(path);
  const known = readFindings(home)
    .filter((finding) => finding.file === file)
    .map(({ what }) => what);
  for (const row of rows) {
    const what = `has a row of which a part cannot be read: ${row}; that part is left out, and the row stays as it is`;
    if (!known.includes(what)) addFinding(home, { time: how.now(), file, what });
  }
}

/** A file that held rows when it was last seen, and is gone or empty now. */
export async function goneDamage(
  path: string,
  { recovery }: DatabaseForm,
  how: Replacement,
): Promise<string | undefined> {
  const known = recovery?.counted && knownFile(homeOf(path, how), path);
  if (!known || known.rows === 0) return undefined;
  const there = await stat(path).catch(() => undefined);
  if (there && there.size > 0) return undefined;
  const unit = recovery.counted?.join() === "sessions" ? "session" : "record";
  return `${there ? "was empty" : "was gone"}; when it was last counted it held ${known.rows} ${unit}${known.rows === 1 ? "" : "s"}`;
}

/** What SQLite would pass over in silence beside a file. */
interface HiddenDamage {
  /** A log without its file, of another database, or with a damaged place before good ones. */
  damage?: string;
  /** Pages that were written last, which neither the file nor its log has. */
  lost: number;
}

/** Looks for it; opening the file takes its traces away. */
export async function hiddenDamage(
  path: string,
  { tables = [], recovery }: DatabaseForm,
): Promise<HiddenDamage> {
  // One that is open here was looked at then, and is no killed process's.
  if (path === ":memory:" || isOpenHere(path)) return { lost: 0 };
  const bytes = (await stat(path).catch(() => undefined))?.size ?? 0;
  const { pages, unread, lost, isForeign } = lookAtLog(path, [
    ...tables,
    ...(recovery?.counted ?? []),
  ]);
  if (pages > 0 && bytes === 0) return { lost, damage: "The file of its write-ahead log is gone." };
  if (isForeign) return { lost, damage: "was beside the write-ahead log of another database" };
  return { lost, ...(unread > 0 && { damage: "Its write-ahead log is damaged." }) };
}

/** Tells of them, once the file is open: as much as is left is used. */
export function tellOfLost(
  pages: number,
  path: string,
  form: DatabaseForm,
  how: Replacement,
): void {
  const gone = pages === 1 ? "a page of its log is" : `${pages} pages of its log are`;
  note(path, form, how, {
    time: how.now(),
    what: `lost what was written to it last: ${gone} gone`,
  });
}

const everyMs = 5_000;

interface Noting {
  /** Something was written. Resolves when that is noted, where it is noted at once. */
  written(): Promise<void>;
  /** Notes nothing any more. */
  stop(): void;
}

/** `note` is asked for the count of this moment; that it failed costs the knowledge, nothing else. */
export function createNoting(note: () => Promise<unknown>, now: () => number): Noting {
  let notedAt = Number.NEGATIVE_INFINITY;
  let waiting: ReturnType<typeof setTimeout> | undefined;

  async function noteNow(): Promise<void> {
    notedAt = now();
    await note();
  }

  return {
    async written() {
      // A clock that was set back says nothing of how long ago it was.
      if (Math.abs(now() - notedAt) >= everyMs) return await noteNow();
      if (waiting !== undefined) return;
      waiting = setTimeout(() => {
        waiting = undefined;
        noteNow().catch(() => undefined);
      }, everyMs);
      waiting.unref();
    },
    stop: () => clearTimeout(waiting),
  };
}
