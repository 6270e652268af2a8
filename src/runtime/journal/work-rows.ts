// The life of a piece of work in the journal: planned, leased, done or parked. Each function runs inside a transaction.
import type { Database } from "../../host/sqlite.ts";
import type { WorkKind } from "../ports.ts";
import type { Counters } from "./counters.ts";
import { workEvents } from "./event-rows.ts";
import type { Lease, LeasedWork, Plan, ToolOutcome, Unnotified } from "./journal-types.ts";

/** Writes a plan down: its work, which events belong to it, and the events nothing is done for. */
export function writePlan(db: Database, session: number, plan: Plan, now: number): void {
  const add = (or = "") =>
    db.prepare(
      `INSERT ${or} INTO work (key, kind, session, prompt_number, waiting, state, created_at, updated_at)
       VALUES ($key, $kind, $session, $promptNumber, $waiting, 'pending', $now, $now)`,
    );
  const [addWork, addOnce] = [add(), add("OR IGNORE")];
  const addEvent = db.prepare("INSERT INTO work_events (work, seq) VALUES (?, ?)");
  const planned = db.prepare("UPDATE events SET planned = 1 WHERE seq = ?");
  for (const { seqs, ...work } of plan.works) {
    // What hangs on no event of its own may be planned again while that which makes it gathers for something else.
    const { lastInsertRowid } = (seqs.length === 0 ? addOnce : addWork).run({
      ...work,
      session,
      now,
    });
    for (const seq of seqs) {
      addEvent.run([lastInsertRowid, seq]);
      planned.run([seq]);
    }
  }
  const settle = db.prepare(
    "UPDATE events SET planned = 1, outcome = 'skipped', reason = ?, settled_at = ? WHERE seq = ? AND outcome IS NULL",
  );
  for (const { seq, reason } of plan.settled) settle.run([reason, now, seq]);
  if (plan.summarizedSeq !== null)
    db.prepare("UPDATE sessions SET summarized_seq = ? WHERE id = ?").run([
      plan.summarizedSeq,
      session,
    ]);
}

interface WorkRow {
  id: number;
  key: string;
  kind: WorkKind;
  prompt_number: number;
  waiting: number;
  state: "pending" | "leased";
  attempts: number;
  lease_until: number;
  next_at: number;
  storage: string | null;
}

/** The session's oldest piece, unless it must wait; one that somebody waits for goes first, once. */
export function leaseNext(
  db: Database,
  session: { row: number; session: string; client: string },
  lease: { until: number; storage: string; now: number },
): Lease {
  const next = db
    .prepare<WorkRow>(
      `SELECT * FROM work WHERE session = ? AND state IN ('pending', 'leased')
       ORDER BY waiting AND attempts = 0 DESC, id LIMIT 1`,
    )
    .get([session.row]);
  if (!next) return { state: "none" };
  const at = next.state === "leased" ? next.lease_until : next.next_at;
  if (at > lease.now) return { state: "later", at };
  // It may be stored there: that stays known, however often this attempt is broken off as well.
  const storage = next.storage ?? lease.storage;
  db.prepare(
    `UPDATE work SET state = 'leased', attempts = attempts + 1, lease_until = $until, storage = $storage, updated_at = $now
     WHERE id = $id`,
  ).run({ ...lease, storage, id: next.id });
  return {
    state: "leased",
    work: {
      id: next.id,
      key: next.key,
      kind: next.kind,
      row: session.row,
      session: session.session,
      client: session.client,
      promptNumber: next.prompt_number,
      waiting: next.waiting === 1,
      attempt: next.attempts + 1,
      storage,
      interruptedIn: next.storage,
      ...workEvents(db, next.id),
    },
  };
}

/** True while the piece is still ours: nobody else leased it meanwhile, and the journal is still the same file. */
export function holdsLease(db: Database, work: LeasedWork): boolean {
  return Boolean(
    db
      .prepare("SELECT 1 FROM work WHERE id = ? AND key = ? AND state = 'leased' AND attempts = ?")
      .get([work.id, work.key, work.attempt]),
  );
}

/** Done, with the outcome of every event; answers the tool uses that ended by it. */
export function finishWork(
  db: Database,
  counters: Counters,
  work: LeasedWork,
  outcomes: ReadonlyMap<number, ToolOutcome>,
  now: number,
): Unnotified[] {
  close(db, work, "done", null, now);
  return settleEvents(db, counters, work, now, (seq) => outcomes.get(seq));
}

/** Parked with its reason, and all its tool uses with it. */
export function parkWork(
  db: Database,
  counters: Counters,
  work: LeasedWork,
  reason: string,
  now: number,
): Unnotified[] {
  close(db, work, "parked", reason, now);
  return settleEvents(db, counters, work, now, () => ({ outcome: "parked", reason }));
}

/** Back to pending until `at`. An attempt that said how it ended leaves no storage in doubt; `mayBeStored`: it did not. */
export function postponeWork(
  db: Database,
  work: LeasedWork,
  reason: string,
  at: number,
  { now, mayBeStored }: { now: number; mayBeStored: boolean },
): void {
  db.prepare(
    `UPDATE work SET state = 'pending', next_at = $at, reason = $reason, updated_at = $now,
       storage = CASE WHEN $mayBeStored THEN storage END WHERE id = $id`,
  ).run({ at, reason, now, mayBeStored, id: work.id });
}

function close(
  db: Database,
  work: LeasedWork,
  state: string,
  reason: string | null,
  now: number,
): void {
  db.prepare("UPDATE work SET state = ?, reason = ?, updated_at = ? WHERE id = ?").run([
    state,
    reason,
    now,
    work.id,
  ]);
}

/** However its piece of work ended. */
const unreadable: ToolOutcome = { outcome: "skipped", reason: "could not be read" };

/** An event that was parked before and is retried gets its new outcome; its listeners are not notified again. */
function settleEvents(
  db: Database,
  counters: Counters,
  work: LeasedWork,
  now: number,
  outcomeOf: (seq: number) => ToolOutcome | undefined,
): Unnotified[] {
  const before = db.prepare<{ outcome: string | null; tool_use: string | null }>(
    "SELECT outcome, tool_use FROM events WHERE seq = ? AND (outcome IS NULL OR outcome = 'parked')",
  );
  const settle = db.prepare(
    `UPDATE events SET outcome = $outcome, reason = $reason, observations = $observations, settled_at = $now,
       told = CASE WHEN tool_use IS NULL THEN NULL ELSE coalesce(told, 0) END WHERE seq = $seq`,
  );
  const unnotified: Unnotified[] = [];
  const ends = [
    ...work.events.map(({ seq }) => ({ seq, ended: outcomeOf(seq) })),
    ...work.unreadable.map((seq) => ({ seq, ended: unreadable })),
  ];
  for (const { seq, ended } of ends) {
    const event = before.get([seq]);
    if (!event) continue;
    const isToolUse = event.tool_use !== null;
    // A silent session's summary hangs on the last event, which may be a tool use: that is not how it ended.
    if (isToolUse && work.kind !== "observe") continue;
    const { outcome, reason, observations } = ended ?? {
      outcome: isToolUse ? "skipped" : "stored",
    };
    settle.run({
      outcome,
      reason,
      observations: observations && JSON.stringify(observations),
      now,
      seq,
    });
    if (event.tool_use === null || event.outcome === outcome) continue;
    counters.add(`settled:${outcome}`);
    if (event.outcome === "parked") counters.add("settled:parked", -1);
    if (outcome === "skipped") counters.add(skipCounter(reason));
    if (event.outcome === null)
      unnotified.push({
        seq,
        settled: {
          session: work.session,
          toolUseId: event.tool_use,
          outcome,
          ...(reason !== undefined && { reason }),
          observations: observations ?? [],
        },
      });
  }
  return unnotified;
}

/** Long reasons are particular to one tool use and would make the table grow without end. */
function skipCounter(reason: string | undefined): string {
  return reason === undefined || reason.length > 60 ? "skip:other" : `skip:${reason}`;
}

/** Parked pieces back to pending, with all attempts before them; answers their sessions. */
export function unparkWork(
  db: Database,
  ids: readonly number[] | undefined,
  now: number,
): number[] {
  const parked = db
    .prepare<{ id: number; session: number }>(
      "SELECT id, session FROM work WHERE state = 'parked' ORDER BY id",
    )
    .all()
    .filter(({ id }) => !ids || ids.includes(id));
  const unpark = db.prepare(
    `UPDATE work SET state = 'pending', attempts = 0, next_at = 0, waiting = 0, storage = NULL, updated_at = ?
     WHERE id = ?`,
  );
  for (const { id } of parked) unpark.run([now, id]);
  return parked.map(({ session }) => session);
}
