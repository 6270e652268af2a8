// Files one event inside a transaction: seen before? → its session → its prompt's number → row and payload → the session moves on. Events
// that come together share it.

import { setImmediate } from "node:timers/promises";
import type { Database, Row } from "../../host/sqlite.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import { baseName } from "../../text/text.ts";
import { emptiedEvent, removeEvents } from "./forget.ts";
import {
  beginsForgotten,
  fateOf,
  hasHappened,
  isMarked,
  knownEvent,
  markForgotten,
  remember,
} from "./seen-before.ts";

/** What became of an appended event. */
export interface Appended {
  seq: number;
  promptNumber: number;
  /** The journal's own number for its session; absent when nothing was kept of it. */
  row?: number;
  /** False when an event with the same key was committed before; `seq` and `promptNumber` are that one's. */
  isNew: boolean;
  /** True when what the journal has of it was read from a transcript, now or before. */
  recovered: boolean;
}

const nothingKept: Appended = { seq: 0, promptNumber: 0, isNew: false, recovered: false };

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
  if (fate === "prompt" || beginsForgotten(db, event, promptNumber))
    markForgotten(db, session.id, promptNumber);
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
  return { seq, promptNumber, row: session.id, isNew: true, recovered: isRecovered };
}

function knownAlready(db: Database, key: string): Appended | undefined {
  const known = knownEvent(db, key);
  if (!known) return undefined;
  const { isWhole: _, ...event } = known;
  return { ...event, isNew: false };
}

/** Read again because its prompt went on: what is made of the prompt is made of all of it. */
function readAgain(db: Database, key: string, payload: string): Appended | undefined {
  const known = knownAlready(db, key);
  if (known?.row !== undefined && !isMarked(db, known.row, known.promptNumber))
    db.run("INSERT OR IGNORE INTO payloads (seq, json) VALUES (?, ?)", [known.seq, payload]);
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
  const { changes, lastInsertRowid: seq } = db.run(
    `INSERT INTO events (key, session, name, time, received_at, prompt_number, prompt_id, tool_use, agent,
         spoken, bytes, planned, outcome, reason, settled_at, recovered)
       VALUES ($key, $session, $name, $time, $now, $promptNumber, $promptId, $toolUseId, $agent,
         $spoken, $bytes, $isPlanned, $outcome, $reason, $settledAt, $isRecovered)
       ON CONFLICT (key) DO NOTHING`,
    {
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
    },
  );
  if (changes === 0) return undefined;
  db.run("INSERT INTO payloads (seq, json) VALUES (?, ?)", [seq, kept]);
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
    if (fate === "prompt" || beginsForgotten(db, event, promptNumber))
      markForgotten(db, id, promptNumber);
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

/**
 * A prompt counts up. Other events belong to the running prompt, with two exceptions: a subagent's to the prompt whose
 * id they carry (it may run on in the background), and events that come late, out of the spool, to the prompt of their time.
 */
function numberOf(db: Database, session: OpenRow, event: ClientEvent): number {
  if (event.name === "UserPromptSubmit") return session.prompts + 1;
  // The client names the prompt: its clock, which may have been set meanwhile, need not.
  if (event.promptId !== undefined) {
    if (event.promptId === session.openPromptId) return session.openPrompt;
    const own = db.get<{ prompt_number: number }>(
      "SELECT prompt_number FROM events WHERE session = ? AND prompt_id = ? ORDER BY seq LIMIT 1",
      [session.id, event.promptId],
    );
    if (own) return own.prompt_number;
  }
  if (event.time >= session.openedAt) return session.openPrompt;
  const earlier = db.get<{ number: number | null }>(
    "SELECT MAX(prompt_number) AS number FROM events WHERE session = ? AND name = 'UserPromptSubmit' AND time <= ?",
    [session.id, event.time],
  );
  return earlier?.number ?? 0;
}

/** Events of a prompt that overtook it on the way here were given the number before. */
function adoptEarlyEvents(
  db: Database,
  session: OpenRow,
  event: ClientEvent,
  promptNumber: number,
): void {
  db.run(
    `UPDATE events SET prompt_number = $number
     WHERE session = $session AND planned = 0 AND prompt_number = $number - 1 AND time > $time
       AND name <> 'UserPromptSubmit' AND agent IS NULL`,
    { number: promptNumber, session: session.id, time: event.time },
  );
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

/** PostToolBatch and PreToolUse say what PostToolUse brings as well, and ask for no work; what was refused, the turn reads from a batch. */
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

// An event's session: made by its first event, moved on by each that follows.

/** What filing an event needs of its session. */
interface OpenRow {
  id: number;
  prompts: number;
  openPrompt: number;
  openPromptId: string | null;
  openedAt: number;
}

/** The session's row, made on its first event. */
function openSession(db: Database, event: ClientEvent, now: number): OpenRow {
  const find = db.prepare<OpenRow & Row>(
    `SELECT id, prompts, open_prompt AS openPrompt, open_prompt_id AS openPromptId, opened_at AS openedAt
     FROM sessions WHERE client = ? AND session = ?`,
  );
  const { client, session, time } = event;
  const found = find.get([client, session]);
  if (found) return found;
  // Without a capture plugin that knows better, a project is its folder.
  const { cwd } = event;
  const project = event.project ?? { id: cwd, name: baseName(cwd), root: cwd };
  const { lastInsertRowid: id } = db.run(
    `INSERT INTO sessions (client, session, project, project_id, prompts, started_at, opened_at, last_event_at, last_received_at)
       VALUES ($client, $session, $project, $projectId, 0, $time, $time, $time, $now)`,
    { client, session, time, now, project: JSON.stringify(project), projectId: project.id },
  );
  return { id, prompts: 0, openPrompt: 0, openPromptId: null, openedAt: time };
}

/** An event that was filed. */
interface Filed {
  now: number;
  seq: number;
  promptNumber: number;
  /** A sign of life that a session summary should cover. */
  activity: boolean;
}

/** Moves a session on by an event that was filed. */
function touchSession(db: Database, session: OpenRow, event: ClientEvent, filed: Filed) {
  const isPrompt = event.name === "UserPromptSubmit";
  const opens = isPrompt || event.name === "SessionStart";
  db.run(
    `UPDATE sessions SET
       prompts = prompts + $isPrompt,
       open_prompt = CASE WHEN $isPrompt AND (NOT $isRecovered OR $time >= opened_at) THEN $promptNumber ELSE open_prompt END,
       open_prompt_id = CASE WHEN $isPrompt AND (NOT $isRecovered OR $time >= opened_at) THEN $promptId ELSE open_prompt_id END,
       requests = requests + $isRequest,
       heard_at = CASE WHEN $isRecovered THEN heard_at ELSE $now END,
       first_heard_at = CASE WHEN $isRecovered THEN first_heard_at ELSE min(coalesce(first_heard_at, $time), $time) END,
       model_free = $isModelFree,
       transcript_path = coalesce($transcriptPath, transcript_path),
       started_at = min(started_at, $time),
       last_event_at = max(last_event_at, $time),
       last_received_at = $now,
       ended_at = CASE
         WHEN $ends AND $time >= opened_at THEN $time
         WHEN $opens AND $time >= coalesce(ended_at, 0) THEN NULL
         ELSE ended_at END,
       opened_at = CASE WHEN $opens THEN max(opened_at, $time) ELSE opened_at END,
       activity_seq = CASE WHEN $activity THEN $seq ELSE activity_seq END,
       activity_key = CASE WHEN $activity THEN $key ELSE activity_key END
     WHERE id = $id`,
    {
      id: session.id,
      isPrompt,
      isRequest: !event.recovered && !event.agent && filed.activity && event.name !== "Stop",
      isRecovered: event.recovered !== undefined,
      isModelFree: event.recovered?.modelFree === true,
      opens,
      ends: event.name === "SessionEnd",
      transcriptPath: event.transcriptPath,
      time: event.time,
      key: event.key,
      promptId: event.promptId,
      ...filed,
    },
  );
  // What a transcript tells of the past does not move a session that has gone on since.
  const isNewest = !event.recovered || event.time >= session.openedAt;
  // A folder whose repository has become known is that repository at once.
  const { project } = event;
  if (isNewest && project)
    db.run(
      `UPDATE sessions SET project = $project, project_id = $id
       WHERE id = $session AND ($opens OR (project_id = $root AND project_id <> $id))`,
      {
        project: JSON.stringify(project),
        id: project.id,
        root: project.root,
        session: session.id,
        opens,
      },
    );
}

/** Moves a session on by an event of its past: it continues from the newest prompt that is known of it. */
function widenSession(db: Database, id: number, event: ClientEvent, promptNumber: number) {
  const { name, time, transcriptPath, promptId } = event;
  const isPrompt = name === "UserPromptSubmit";
  const ends = name === "SessionEnd";
  db.run(
    `UPDATE sessions SET
       prompts = max(prompts, $promptNumber),
       open_prompt = CASE WHEN $isPrompt AND $time >= opened_at THEN $promptNumber ELSE open_prompt END,
       open_prompt_id = CASE WHEN $isPrompt AND $time >= opened_at THEN $promptId ELSE open_prompt_id END,
       opened_at = CASE WHEN $isPrompt THEN max(opened_at, $time) ELSE opened_at END,
       transcript_path = coalesce(transcript_path, $transcriptPath),
       started_at = min(started_at, $time),
       last_event_at = max(last_event_at, $time),
       ended_at = CASE WHEN $ends AND $time >= opened_at THEN coalesce(ended_at, $time) ELSE ended_at END
     WHERE id = $id`,
    { id, time, promptNumber, transcriptPath, promptId, isPrompt, ends },
  );
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
