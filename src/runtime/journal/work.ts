// The life of a piece of work that was planned: leased, done or parked. Each function runs inside a transaction.
import type { Database } from "../../host/sqlite.ts";
import type { JournalEvent, Outcome, WorkKind } from "../ports.ts";
import { type Unnotified, workEvents } from "./events.ts";
import { sessionState } from "./planning.ts";

/** Adds to a counter of `status`. */
export type Count = (name: string, by?: number) => void;

/** How one tool use ended. */
export interface ToolOutcome {
  outcome: Outcome;
  reason?: string;
  observations?: string[];
}

/**
 * A leased piece of work, with the storage that a broken-off attempt may have written to. Its events were fixed when it was
 * planned, so a retry has the same inputs and key.
 */
export interface LeasedWork {
  id: number;
  key: string;
  kind: WorkKind;
  session: string;
  client: string;
  promptNumber: number;
  events: JournalEvent[];
  /** True when someone waits for its tool uses. */
  waiting: boolean;
  /** 1 on the first try. */
  attempt: number;
  row: number;
  /** Its events whose texts cannot be read: they are not among `events`, and end with it. */
  unreadable: readonly number[];
  /** The storage in force when it was leased, unless `interruptedIn` names one. */
  storage: string;
  /** Set when an earlier attempt may have stored in this: it ended without a word (a crash), or its put did. */
  interruptedIn: string | null;
}

/** The answer to asking for a session's next piece. */
export type Lease =
  | { state: "leased"; work: LeasedWork }
  /** There is work, but not before `at`. */
  | { state: "later"; at: number }
  | { state: "none" };

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

/** The session's oldest piece until `until`, unless it must wait; one that somebody waits for goes first, once. `storage` is the one in force. */
export function leaseNext(
  db: Database,
  row: number,
  lease: { until: number; storage: string; now: number },
): Lease {
  const session = sessionState(db, row);
  if (!session) return { state: "none" };
  const next = db.get<WorkRow>(
    `SELECT * FROM work WHERE session = ? AND state IN ('pending', 'leased')
       ORDER BY waiting AND attempts = 0 DESC, id LIMIT 1`,
    [row],
  );
  if (!next) return { state: "none" };
  const at = next.state === "leased" ? next.lease_until : next.next_at;
  if (at > lease.now) return { state: "later", at };
  // It may be stored there: that stays known, however often this attempt is broken off as well.
  const storage = next.storage ?? lease.storage;
  db.run(
    `UPDATE work SET state = 'leased', attempts = attempts + 1, lease_until = $until, storage = $storage, updated_at = $now
     WHERE id = $id`,
    { ...lease, storage, id: next.id },
  );
  return {
    state: "leased",
    work: {
      id: next.id,
      key: next.key,
      kind: next.kind,
      row,
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

/** Before a put: notes that it goes to another storage than the one in force at the lease. False when the lease was lost. */
export function putsIn(db: Database, work: LeasedWork, storage: string): boolean {
  if (!holdsLease(db, work)) return false;
  db.run("UPDATE work SET storage = ? WHERE id = ?", [storage, work.id]);
  return true;
}

/** False when the lease was lost. */
export function renewLease(db: Database, work: LeasedWork, until: number): boolean {
  if (!holdsLease(db, work)) return false;
  db.run("UPDATE work SET lease_until = ? WHERE id = ?", [until, work.id]);
  return true;
}

/** Lets go of all leases: whoever starts working on the journal is the only one to do so. */
export function releaseLeases(db: Database): void {
  db.exec("UPDATE work SET lease_until = 0 WHERE state = 'leased'");
}

/** True while the piece is still ours: nobody else leased it meanwhile, and the journal is still the same file. */
function holdsLease(db: Database, work: LeasedWork): boolean {
  return Boolean(
    db.get("SELECT 1 FROM work WHERE id = ? AND key = ? AND state = 'leased' AND attempts = ?", [
      work.id,
      work.key,
      work.attempt,
    ]),
  );
}

/**
 * Writes work and outcomes of its events in one step. Tool events not named count as skipped without a reason;
 * answers the tool uses that ended now, or undefined when the lease was lost.
 */
export function finishWork(
  db: Database,
  count: Count,
  work: LeasedWork,
  outcomes: ReadonlyMap<number, ToolOutcome>,
  now: number,
): Unnotified[] | undefined {
  if (!holdsLease(db, work)) return undefined;
  close(db, work, "done", null, now);
  return settleEvents(db, count, work, now, (seq) => outcomes.get(seq));
}

/** How an attempt failed. */
interface Failed {
  reason: string;
  /** When it is tried again, epoch ms; null: it is parked with its reason, and all its tool uses with it. */
  at: number | null;
  /** What the attempt put may be in its storage all the same; one that said how it ended leaves no storage in doubt. */
  mayBeStored: boolean;
}

/** Back to pending, or parked. Answers like `finishWork`. */
export function failWork(
  db: Database,
  count: Count,
  work: LeasedWork,
  { reason, at, mayBeStored }: Failed,
  now: number,
): Unnotified[] | undefined {
  if (!holdsLease(db, work)) return undefined;
  if (at === null) {
    close(db, work, "parked", reason, now);
    return settleEvents(db, count, work, now, () => ({ outcome: "parked", reason }));
  }
  db.run(
    `UPDATE work SET state = 'pending', next_at = $at, reason = $reason, updated_at = $now,
       storage = CASE WHEN $mayBeStored THEN storage END WHERE id = $id`,
    { at, reason, now, mayBeStored, id: work.id },
  );
  return [];
}

function close(
  db: Database,
  work: LeasedWork,
  state: string,
  reason: string | null,
  now: number,
): void {
  db.run("UPDATE work SET state = ?, reason = ?, updated_at = ? WHERE id = ?", [
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
  count: Count,
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
    count(`settled:${outcome}`);
    if (event.outcome === "parked") count("settled:parked", -1);
    if (outcome === "skipped") count(skipCounter(reason));
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

/** Parked pieces back to pending, all or the given ones, with all attempts before them; answers their sessions. */
export function unparkWork(
  db: Database,
  ids: readonly number[] | undefined,
  now: number,
): number[] {
  const parked = db
    .all<{ id: number; session: number }>(
      "SELECT id, session FROM work WHERE state = 'parked' ORDER BY id",
    )
    .filter(({ id }) => !ids || ids.includes(id));
  const unpark = db.prepare(
    `UPDATE work SET state = 'pending', attempts = 0, next_at = 0, waiting = 0, storage = NULL, updated_at = ?
     WHERE id = ?`,
  );
  for (const { id } of parked) unpark.run([now, id]);
  return parked.map(({ session }) => session);
}
