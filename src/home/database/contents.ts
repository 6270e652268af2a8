// What each database held when it was last seen, kept in a small ledger, so that one that is gone is not taken for a beginning; and what is missing now.
import { stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { clearTimeout, setTimeout } from "node:timers";
import type { Database } from "../../host/sqlite.ts";
import { atomicWrite } from "../atomic-write.ts";
import { addFinding, readFindings } from "../findings.ts";
import { readFileTextSync } from "../read-file.ts";
import { wantRebuild } from "../rebuild-wanted.ts";
import type { DatabaseForm } from "./open-file.ts";
import { homeOf, type Replacement } from "./set-aside.ts";

/** What is known of one file. */
interface KnownFile {
  rows: number;
  /** Epoch ms. */
  seenAt: number;
  /** When rows were last taken out for good: an older copy may still have them. */
  forgottenAt?: number;
}

/** What is known of the file at `path`; undefined where it was never seen with its contents. */
export function knownFile(home: string, path: string): KnownFile | undefined {
  return readAll(home)[nameOf(home, path)];
}

/** One after the other: each keeps what the others noted. */
let noting: Promise<unknown> = Promise.resolve();

/** Notes what is known now. A disk that does not take it costs the knowledge, nothing else. */
export async function noteFile(home: string, path: string, known: KnownFile): Promise<void> {
  const noted = noting.then(async () => {
    const all = readAll(home);
    const name = nameOf(home, path);
    await atomicWrite(
      ledgerFile(home),
      `${JSON.stringify({ ...all, [name]: { ...all[name], ...known } }, null, 1)}\n`,
    );
  });
  noting = noted.catch(() => undefined);
  await noting;
}

/** Rows of these tables. */
function countRows(db: Database, tables: readonly string[]): number {
  const count = (table: string) =>
    db.prepare<{ n: number }>(`SELECT count(*) AS n FROM "${table}"`).get()?.n ?? 0;
  return tables.reduce((sum, table) => sum + count(table), 0);
}

/** Where it is kept: beside the databases, since it is asked before any of them is opened. */
export function ledgerFile(home: string): string {
  return join(home, "databases.json");
}

function nameOf(home: string, path: string): string {
  return dirname(path) === home ? basename(path) : path;
}

function readAll(home: string): Record<string, KnownFile> {
  try {
    const parsed: unknown = JSON.parse(readFileTextSync(ledgerFile(home)));
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, KnownFile>)
      : {};
  } catch {
    return {};
  }
}

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
