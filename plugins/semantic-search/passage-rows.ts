// Passages of turns as rows: each with its hash, its vector and, once there are enough of them, its code. A vector without bytes says that none could be made.
import type { Database } from "../../src/records/index.ts";
import { bytesOf, floatsOf, wordsOf } from "./codes.ts";
import type { Passage } from "./passages.ts";

/** Hashes of the passages of a turn that need no embedding. */
export function hashesOf(db: Database, turn: string): Set<string> {
  const rows = db.prepare<{ hash: string }>("SELECT hash FROM passages WHERE turn = ?").all([turn]);
  return new Set(rows.map(({ hash }) => hash));
}

/** What the index of codes is made of, in the order it was added. */
export function* keptCodes(
  db: Database,
): Generator<[number: number, turn: string, code: Uint32Array | undefined]> {
  const rows = db.prepare<{ number: number; turn: string; code: Uint8Array | null }>(
    "SELECT number, turn, code FROM passages WHERE length(vector) > 0 ORDER BY number",
  );
  for (const { number, turn, code } of rows.iterate())
    yield [number, turn, code ? wordsOf(code) : undefined];
}

/** All vectors, by the numbers of their passages. */
export function keptVectors(db: Database): Array<{ number: number; vector: Float32Array }> {
  return db
    .prepare<{ number: number; vector: Uint8Array }>(
      "SELECT number, vector FROM passages WHERE length(vector) > 0",
    )
    .all()
    .map(({ number, vector }) => ({ number, vector: floatsOf(vector) }));
}

export function setCode(db: Database, number: number, code: Uint32Array): void {
  db.prepare("UPDATE passages SET code = ? WHERE number = ?").run([bytesOf(code), number]);
}

/** The passage's number; undefined where its turn was removed meanwhile. */
export function addPassage(
  db: Database,
  turn: string,
  { hash }: Passage,
  vector: Float32Array | null,
  code: Uint32Array | undefined,
): number | undefined {
  const { changes, lastInsertRowid } = db
    .prepare(
      `INSERT INTO passages (turn, hash, code, vector)
       SELECT $turn, $hash, $code, $vector WHERE EXISTS (SELECT 1 FROM turns WHERE id = $turn)`,
    )
    .run({
      ...{ turn, hash },
      code: code && bytesOf(code),
      vector: vector ? bytesOf(vector) : new Uint8Array(0),
    });
  return changes > 0 ? lastInsertRowid : undefined;
}

/** Makes a turn whole; gives the numbers of what is no passage of it any more, which go. */
export function finishTurn(
  db: Database,
  turn: string,
  hash: string,
  passages: readonly Passage[],
): number[] {
  const wanted = new Set(passages.map((passage) => passage.hash));
  const stale = db
    .prepare<{ number: number; hash: string }>("SELECT number, hash FROM passages WHERE turn = ?")
    .all([turn])
    .filter((row) => !wanted.has(row.hash))
    .map(({ number }) => number);
  db.transaction(() => {
    for (const number of stale) db.prepare("DELETE FROM passages WHERE number = ?").run([number]);
    db.prepare("UPDATE turns SET hash = ? WHERE id = ?").run([hash, turn]);
  });
  return stale;
}

/** The passages of these numbers, with their vectors. */
export function vectorsOf(
  db: Database,
  numbers: readonly number[],
): Array<{ turn: string; hash: string; vector: Float32Array }> {
  return db
    .prepare<{ turn: string; hash: string; vector: Uint8Array }>(
      "SELECT turn, hash, vector FROM passages WHERE number IN (SELECT value FROM json_each(?))",
    )
    .all([JSON.stringify(numbers)])
    .map(({ turn, hash, vector }) => ({ turn, hash, vector: floatsOf(vector) }));
}
