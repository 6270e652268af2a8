// Files one event inside a transaction: seen before? → its session → its prompt's number → row and payload → the session moves on.

import { setImmediate } from "node:timers/promises";
import type { Database } from "../../host/sqlite.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import { fateOf, hasHappened, knownEvent, remember, rememberToolUse } from "./seen-before.ts";
import { type OpenRow, openSession, touchSession, widenSession } from "./sessions.ts";
import { emptiedEvent, isMarked, markForgotten } from "./tombstones.ts";

/** What became of an appended event. */
export interface Appended {
  seq: number;
  promptNumber: number;
  /** The journal's own number for its session; absent when nothing was kept of it. */
  row?: number;
  /** False when an event with the same key was committed before; `seq` and `promptNumber` are that one's. */
  fresh: boolean;
  /** True when what the journal has of it was read from a transcript, now or before. */
  recovered: boolean;
}

const nothingKept: Appended = { seq: 0, promptNumber: 0, fresh: false, recovered: false };

/** Writes the event unless it was seen before; `payload` is its JSON. */
export function appendEvent(
  db: Database,
  event: ClientEvent,
  payload: string,
  now: number,
): Appended {
  const isRecovered = event.recovered !== undefined;
  if (isRecovered) {
    const again = readAgain(db, event.key, payload);
    if (again) return again;
    if (hasHappened(db, event)) return nothingKept;
  }
  const fate = fateOf(db, event);
  if (fate === "gone") return nothingKept;
  const session = openSession(db, event, now);
  const promptNumber = numberOf(db, session, event);
  if (fate === "prompt") markForgotten(db, session.id, promptNumber);
  const { idle, activity, ...columns } = eventFacts(event);
  const seq = insertEvent(db, session.id, promptNumber, event, payload, {
    ...columns,
    // Of the open prompt's own event alone: one place in the index for each prompt, and not for each of its events.
    promptId: event.promptId === session.openPromptId ? undefined : event.promptId,
    isPlanned: idle,
    outcome: idle ? "skipped" : null,
    reason: idle ? "nothing to do" : null,
    isRecovered,
    now,
  });
  if (seq === undefined) return knownAlready(db, event.key) ?? nothingKept;
  if (event.name === "UserPromptSubmit" && !isRecovered)
    adoptEarlyEvents(db, session, event, promptNumber);
  touchSession(db, session, event, { now, seq, promptNumber, activity });
  return { seq, promptNumber, row: session.id, fresh: true, recovered: isRecovered };
}

function knownAlready(db: Database, key: string): Appended | undefined {
  const known = knownEvent(db, key);
  if (!known) return undefined;
  const { isWhole: _, ...event } = known;
  return { ...event, fresh: false };
}

/** Read again because its prompt went on: what is made of the prompt is made of all of it. */
function readAgain(db: Database, key: string, payload: string): Appended | undefined {
  const known = knownAlready(db, key);
  if (known?.row !== undefined && !isMarked(db, known.row, known.promptNumber))
    db.prepare("INSERT OR IGNORE INTO payloads (seq, json) VALUES (?, ?)").run([
      known.seq,
      payload,
    ]);
  return known;
}

interface EventColumns extends Omit<EventFacts, "activity" | "idle"> {
  promptId: string | undefined;
  isRecovered: boolean;
  isPlanned: boolean;
  outcome: string | null;
  reason: string | null;
  now: number;
}

/** Its row and its payload; undefined where its key is known. What belongs to a prompt that was forgotten keeps no text, whenever it comes. */
function insertEvent(
  db: Database,
  session: number,
  promptNumber: number,
  event: ClientEvent,
  payload: string,
  { outcome, now, ...columns }: EventColumns,
): number | undefined {
  const kept = isMarked(db, session, promptNumber) ? JSON.stringify(emptiedEvent(event)) : payload;
  const { changes, lastInsertRowid: seq } = db
    .prepare(
      `INSERT INTO events (key, session, name, time, received_at, prompt_number, prompt_id, tool_use, agent,
         spoken, bytes, planned, outcome, reason, settled_at, recovered)
       VALUES ($key, $session, $name, $time, $now, $promptNumber, $promptId, $toolUseId, $agent,
         $spoken, $bytes, $isPlanned, $outcome, $reason, $settledAt, $isRecovered)
       ON CONFLICT (key) DO NOTHING`,
    )
    .run({
      ...columns,
      session,
      promptNumber,
      outcome,
      now,
      key: event.key,
      name: event.name,
      time: event.time,
      bytes: kept.length,
      settledAt: outcome === null ? null : now,
    });
  if (changes === 0) return undefined;
  db.prepare("INSERT INTO payloads (seq, json) VALUES (?, ?)").run([seq, kept]);
  if (event.name === "UserPromptSubmit") remember(db, event);
  return seq;
}

/**
 * Takes what a transcript has of a prompt in place of its finished events, as past; nothing is done for it yet. Answers the
 * session's number; undefined where nothing was taken, since it was forgotten.
 */
export function addPast(
  db: Database,
  promptNumber: number,
  events: ReadonlyArray<{ event: ClientEvent; payload: string }>,
  now: number,
): number | undefined {
  const [first] = events;
  if (!first) return undefined;
  const { id } = openSession(db, first.event, now);
  // What a transcript tells of a prompt begins with it.
  if (first.event.name === "UserPromptSubmit")
    removeEvents(db, "e.session = ? AND e.prompt_number = ? AND e.outcome IS NOT NULL", [
      id,
      promptNumber,
    ]);
  let taken = 0;
  for (const { event, payload } of events) {
    const fate = fateOf(db, event);
    if (fate === "prompt") markForgotten(db, id, promptNumber);
    if (fate === "gone") continue;
    const { toolUseId, agent, spoken } = eventFacts(event);
    const seq = insertEvent(db, id, promptNumber, event, payload, {
      toolUseId,
      agent,
      spoken: spoken && event.name === "Stop",
      promptId: event.promptId,
      isPlanned: true,
      outcome: "skipped",
      reason: "made again",
      isRecovered: true,
      now,
    });
    if (seq === undefined) continue;
    widenSession(db, id, event, promptNumber);
    if (!isMarked(db, id, promptNumber)) taken++;
  }
  return taken > 0 ? id : undefined;
}

/** Deletes events of finished work; what happened in them is remembered. Answers how many went. */
function removeEvents(
  db: Database,
  which: string,
  params: readonly number[] | { [name: string]: number },
): number {
  const gone = db
    .prepare<{ seq: number; client: string; tool_use: string | null }>(
      `SELECT e.seq, s.client, e.tool_use FROM events e JOIN sessions s ON s.id = e.session WHERE ${which}`,
    )
    .all(params);
  const remove = db.prepare("DELETE FROM events WHERE seq = ?");
  for (const { seq, client, tool_use } of gone) {
    if (tool_use !== null) rememberToolUse(db, client, tool_use);
    remove.run([seq]);
  }
  return gone.length;
}

/** How much longer the events of parked work are kept, so that it can still be retried. */
const parkedFactor = 4;

/**
 * Deletes at most `limit` events settled before `now - keepMs`, then the finished work that has none left. Sessions
 * stay: they are small, and a session resumed after months must continue counting its prompts.
 * Answers how many events went; fewer than `limit` means that nothing is left to delete.
 */
export function pruneStep(db: Database, keepMs: number, now: number, limit: number): number {
  const gone = removeEvents(
    db,
    `e.settled_at < $before AND coalesce(e.told, 1) = 1
       AND NOT EXISTS (
         SELECT 1 FROM work_events l JOIN work w ON w.id = l.work
         WHERE l.seq = e.seq AND (w.state IN ('pending', 'leased')
           OR (w.state = 'parked' AND w.updated_at >= $parkedBefore)))
     ORDER BY e.settled_at LIMIT $limit`,
    { before: now - keepMs, parkedBefore: now - parkedFactor * keepMs, limit },
  );
  db.prepare(
    `DELETE FROM work WHERE state IN ('done', 'parked') AND updated_at < ?
       AND NOT EXISTS (SELECT 1 FROM work_events l WHERE l.work = work.id)`,
  ).run([now - keepMs]);
  return gone;
}

/**
 * A prompt counts up. Other events belong to the running prompt, with two exceptions: a subagent's to the prompt whose
 * id they carry (it may run on in the background), and events that come late, out of the spool, to the prompt of their time.
 */
function numberOf(db: Database, session: OpenRow, event: ClientEvent): number {
  if (event.name === "UserPromptSubmit") return session.prompts + 1;
  // The client names the prompt: its clock, which may have been set meanwhile, need not.
  if (event.promptId !== undefined) {
    if (event.promptId === session.openPromptId) return session.openPrompt;
    const own = db
      .prepare<{ prompt_number: number }>(
        "SELECT prompt_number FROM events WHERE session = ? AND prompt_id = ? ORDER BY seq LIMIT 1",
      )
      .get([session.id, event.promptId]);
    if (own) return own.prompt_number;
  }
  if (event.time >= session.openedAt) return session.openPrompt;
  const earlier = db
    .prepare<{ number: number | null }>(
      "SELECT MAX(prompt_number) AS number FROM events WHERE session = ? AND name = 'UserPromptSubmit' AND time <= ?",
    )
    .get([session.id, event.time]);
  return earlier?.number ?? 0;
}

/** Events of a prompt that overtook it on the way here were given the number before. */
function adoptEarlyEvents(
  db: Database,
  session: OpenRow,
  event: ClientEvent,
  promptNumber: number,
): void {
  db.prepare(
    `UPDATE events SET prompt_number = $number
     WHERE session = $session AND planned = 0 AND prompt_number = $number - 1 AND time > $time
       AND name <> 'UserPromptSubmit' AND agent IS NULL`,
  ).run({ number: promptNumber, session: session.id, time: event.time });
}

/** Columns beside the payload. */
interface EventFacts {
  toolUseId: string | null;
  agent: string | null;
  spoken: boolean;
  /** Nothing has to be done for it: it is kept and counts as settled. */
  idle: boolean;
  /** A sign of life that a session summary should cover. */
  activity: boolean;
}

/** PostToolBatch repeats what PostToolUse brought and adds what was refused, which its turn reads; PreToolUse what it will bring. */
function eventFacts(event: ClientEvent): EventFacts {
  const facts: EventFacts = {
    toolUseId: null,
    agent: event.agent?.id ?? null,
    spoken: false,
    idle: false,
    activity: false,
  };
  switch (event.name) {
    case "UserPromptSubmit":
      return { ...facts, activity: true };
    case "PostToolUse":
      return { ...facts, activity: true, toolUseId: event.toolUseId };
    case "PostToolUseFailure":
      return { ...facts, activity: true, toolUseId: event.toolUseId, spoken: event.isInterrupt };
    case "Stop":
      return { ...facts, activity: true, spoken: Boolean(event.lastAssistantMessage?.trim()) };
    case "SubagentStop":
    case "SessionEnd":
      return facts;
    default:
      return { ...facts, idle: true };
  }
}

// Group commit: items that arrive in the same ticks, or while a commit is under way, share the next transaction.

interface GroupCommitOptions {
  /** Waits until what was committed is on disk, where a commit itself does not. When it fails, the whole group rejects. */
  flush?(): Promise<void>;
  maxGroup?: number;
}

/** How long a group gathers. */
const ticks = 2;

/**
 * `commit` writes a group in one transaction and answers a result for each item, in order. Items that come until a group
 * is on disk are the next group.
 */
export function createGroupCommit<Item, Result>(
  commit: (items: Item[]) => Promise<Result[]>,
  { flush, maxGroup = 512 }: GroupCommitOptions = {},
) {
  interface Queued {
    item: Item;
    resolve(result: Result): void;
    reject(error: unknown): void;
  }
  const queue: Queued[] = [];
  let running: Promise<void> | undefined;

  /** False when a group of several failed: nobody was answered. */
  async function settle(group: Queued[]): Promise<boolean> {
    let results: Result[];
    try {
      results = await commit(group.map(({ item }) => item));
    } catch (error) {
      if (group.length > 1) return false;
      group[0]?.reject(error);
      return true;
    }
    try {
      await flush?.();
      for (const [index, result] of results.entries()) group[index]?.resolve(result);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    return true;
  }

  async function run(): Promise<void> {
    while (queue.length > 0) {
      await gathered();
      const group = queue.splice(0, maxGroup);
      if (!(await settle(group))) for (const queued of group) await settle([queued]);
    }
    running = undefined;
  }

  /**
   * A commit costs as much for one as for many. But a group that waits for all who are under way leaves nobody to work on
   * while it is brought to the disk: it takes what comes in two ticks, and the next group gathers meanwhile.
   */
  async function gathered(): Promise<void> {
    let seen = 0;
    for (let tick = 0; tick < ticks && queue.length > seen && queue.length < maxGroup; tick++) {
      seen = queue.length;
      await setImmediate();
    }
  }

  return {
    /** Resolves with the item's own result once it is committed and on disk. A group that fails is committed one by one, so that an item rejects for its own reasons only. */
    add: (item: Item) =>
      new Promise<Result>((resolve, reject) => {
        queue.push({ item, resolve, reject });
        running ??= run();
      }),
    /** Resolves when nothing is queued or under way. */
    idle: async (): Promise<void> => {
      while (running) await running;
    },
  };
}
