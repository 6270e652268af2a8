// Turns whose passages have vectors, as rows. An empty hash says that a turn is not whole.
import type { Database } from "../../src/records/index.ts";
import type { Turn } from "../../src/sdk/index.ts";
import type { KeptTurn } from "./nearest.ts";

/** All of them, one after the other. */
export function keptTurns(db: Database): Iterable<KeptTurn> {
  return db
    .prepare<KeptTurn & Record<string, string | number>>(
      "SELECT id, session, project, client, prompt_number AS promptNumber, time FROM turns",
    )
    .iterate();
}

export function countTurns(db: Database): number {
  return db.prepare<{ n: number }>("SELECT count(*) AS n FROM turns").get()?.n ?? 0;
}

export function hashOf(db: Database, turn: string): string | undefined {
  return db.prepare<{ hash: string }>("SELECT hash FROM turns WHERE id = ?").get([turn])?.hash;
}

/** Enters a turn, or enters it anew; it is not whole then. */
export function enterTurn(db: Database, turn: Turn, sweep: number): KeptTurn {
  const { id, session, project, client, promptNumber, startedAt: time } = turn;
  const kept = { id, session, project, client, promptNumber, time };
  db.prepare(
    `INSERT INTO turns (id, hash, session, project, client, prompt_number, time, sweep)
     VALUES ($id, '', $session, $project, $client, $promptNumber, $time, $sweep)
     ON CONFLICT (id) DO UPDATE SET hash = '', session = $session, project = $project, client = $client,
       prompt_number = $promptNumber, time = $time, sweep = $sweep`,
  ).run({ ...kept, sweep });
  return kept;
}

export function touchTurn(db: Database, turn: string, sweep: number): void {
  db.prepare("UPDATE turns SET sweep = ? WHERE id = ?").run([sweep, turn]);
}

/** Turns that are not whole, the newest first. */
export function openTurns(db: Database, limit: number): string[] {
  return db
    .prepare<{ id: string }>("SELECT id FROM turns WHERE hash = '' ORDER BY time DESC LIMIT ?")
    .all([limit])
    .map(({ id }) => id);
}

/** Turns that the sweep did not meet. */
export function turnsMissedBy(db: Database, sweep: number): string[] {
  return db
    .prepare<{ id: string }>("SELECT id FROM turns WHERE sweep <> ?")
    .all([sweep])
    .map(({ id }) => id);
}

/** With their passages; their bytes leave the files. */
export function deleteTurns(db: Database, turns: readonly string[]): void {
  db.transaction(() => {
    for (const id of turns) {
      db.prepare("DELETE FROM passages WHERE turn = ?").run([id]);
      db.prepare("DELETE FROM turns WHERE id = ?").run([id]);
    }
  });
  giveBack(db);
}

/** Else the bytes of what was deleted would stay in the files. */
export function giveBack(db: Database): void {
  db.exec("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)");
}
