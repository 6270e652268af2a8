// Opens the journal's file; a damaged one is put aside, what can still be read is carried over, and nothing is deleted.
import { rename, stat } from "node:fs/promises";
import { type Database, isCorrupt } from "../../host/sqlite.ts";
import { type SalvageDeps, salvage } from "./salvage.ts";
import { prepareSchema } from "./schema.ts";

/** Between the journal's name and the time at which it was put aside, in the name of a damaged file. */
export const damagedMark = ".damaged-";

/** Up to this size the whole file is checked at each start; damage in a larger one shows when it is met. */
const checkedBytes = 32 * 1024 * 1024;

export interface OpenDeps extends SalvageDeps {
  now: () => number;
}

/** A database with the journal's tables, ready to be written. Rejects with the driver's error when the file cannot be opened. */
export async function openJournalFile(path: string, deps: OpenDeps): Promise<Database> {
  try {
    return await openChecked(path, deps);
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    return await replaceDamaged(path, deps, error);
  }
}

/** Puts the file at `path` aside under a new name and begins a new one with what could be read of the old. */
export async function replaceDamaged(
  path: string,
  deps: OpenDeps,
  cause: unknown,
): Promise<Database> {
  const aside = await freeName(`${path}${damagedMark}`, deps.now());
  await rename(path, aside);
  for (const ending of ["-wal", "-shm"]) await rename(path + ending, aside + ending).catch(absent);
  const db = await openChecked(path, deps);
  const saved = await salvage(aside, db, deps);
  deps.log.error("The journal was damaged: it was put aside and a new one was begun.", {
    file: aside,
    error: cause,
    ...saved,
  });
  return db;
}

async function openChecked(path: string, { open }: OpenDeps): Promise<Database> {
  const db = await open(path);
  try {
    prepareSchema(db);
    if ((await stat(path)).size <= checkedBytes) check(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function check(db: Database): void {
  const found = db.prepare<{ quick_check: string }>("PRAGMA quick_check(1)").get()?.quick_check;
  if (found !== "ok") throw new Error(`database disk image is malformed: ${found}`);
}

async function freeName(beginning: string, time: number): Promise<string> {
  for (let at = time; ; at++) {
    const taken = await stat(`${beginning}${at}`).then(
      () => true,
      () => false,
    );
    if (!taken) return `${beginning}${at}`;
  }
}

function absent(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
}
