// The index's one row of sums, and the stamp by which readers notice that something was written.
import type { Database } from "../../host/sqlite.ts";

/** Sums over all packed documents. */
export interface Totals {
  documents: number;
  /** Weighted words of all documents. */
  length: number;
  passages: number;
  /** Words of all passages. */
  passageLength: number;
}

/** The row as it is. */
export interface State extends Totals {
  version: number;
  stamp: number;
  packed: number;
  /** 0 while the index is being built. */
  complete: number;
}

/** Reads the row. */
export function readState(db: Database): State {
  const state = db
    .prepare<State & Record<string, number>>(
      "SELECT version, stamp, packed, complete, documents, length, passages, passage_length AS passageLength FROM search_state",
    )
    .get();
  if (!state) throw new RangeError("The search index has no state.");
  return state;
}

/** Sets a new stamp: the tail was written. Random, so that a write rolled back leaves no number to be met again. */
export function changeTail(db: Database): void {
  db.prepare("UPDATE search_state SET stamp = ?").run([newStamp()]);
}

/** Adds to the sums and sets new stamps: packed documents came or went. */
export function changePacked(db: Database, change: Totals): void {
  db.prepare(
    `UPDATE search_state SET stamp = $stamp, packed = $stamp, documents = documents + $documents, length = length + $length,
     passages = passages + $passages, passage_length = passage_length + $passageLength`,
  ).run({
    stamp: newStamp(),
    documents: change.documents,
    length: change.length,
    passages: change.passages,
    passageLength: change.passageLength,
  });
}

/** A number that no other write has. */
export function newStamp(): number {
  return 2 + Math.floor(Math.random() * 2 ** 52);
}
