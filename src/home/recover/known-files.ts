// A small ledger of the home's databases: how many rows each held when it was last seen, so that one that is gone is not taken for a beginning.
import { basename, dirname, join } from "node:path";
import type { Database } from "../../host/sqlite.ts";
import { atomicWrite } from "../atomic-write.ts";
import { readFileTextSync } from "../read-file.ts";

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
export function countRows(db: Database, tables: readonly string[]): number {
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
