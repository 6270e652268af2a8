// Files one event inside a transaction: duplicate check, prompt number, session row.
import type { Database, Row } from "../../host/sqlite.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import type { Project } from "../../sdk/model.ts";
import { baseName } from "../../text/text.ts";
import { emptiedEvent, isMarked, markForgotten } from "./forget-prompts.ts";
import { hasHappened, remember } from "./happened.ts";
import type { Appended } from "./journal-types.ts";
import { fateOf } from "./tombstones.ts";

interface SessionRow extends Row {
  id: number;
  prompts: number;
  open_prompt: number;
  open_prompt_id: string | null;
  opened_at: number;
}

/** Writes the event unless its key is known; `payload` is its JSON. */
export function appendEvent(
  db: Database,
  event: ClientEvent,
  payload: string,
  now: number,
): Appended {
  if (event.recovered) {
    const known = knownEvent(db, event.key);
    if (known) {
      // Read again because its prompt went on: what is made of the prompt is made of all of it.
      if (known.row !== undefined && !isMarked(db, known.row, known.promptNumber))
        db.prepare("INSERT OR IGNORE INTO payloads (seq, json) VALUES (?, ?)").run([
          known.seq,
          payload,
        ]);
      return known;
    }
    if (hasHappened(db, event)) return { seq: 0, promptNumber: 0, fresh: false, recovered: false };
  }
  const fate = fateOf(db, event);
  if (fate === "gone") return { seq: 0, promptNumber: 0, fresh: false, recovered: false };
  const session = openSession(db, event, now);
  const facts = eventFacts(event);
  const promptNumber = numberOf(db, session, event);
  if (fate === "prompt") markForgotten(db, session.id, promptNumber);
  // What belongs to a prompt that was forgotten keeps no text, whenever it comes.
  const kept = isMarked(db, session.id, promptNumber)
    ? JSON.stringify(emptiedEvent(event))
    : payload;
  const { changes, lastInsertRowid: seq } = db
    .prepare(
      `INSERT INTO events (key, session, name, time, received_at, prompt_number, prompt_id, tool_use, agent,
         spoken, bytes, planned, outcome, reason, settled_at, recovered)
       VALUES ($key, $session, $name, $time, $now, $promptNumber, $promptId, $toolUseId, $agent,
         $spoken, $bytes, $idle, $outcome, $reason, $settledAt, $recovered)
       ON CONFLICT (key) DO NOTHING`,
    )
    .run({
      ...facts,
      key: event.key,
      session: session.id,
      name: event.name,
      time: event.time,
      now,
      promptNumber,
      // Of the open prompt's own event alone: one place in the index for each prompt, and not for each of its events.
      promptId: event.promptId === session.open_prompt_id ? null : event.promptId,
      bytes: kept.length,
      outcome: facts.idle ? "skipped" : null,
      reason: facts.idle ? "nothing to do" : null,
      settledAt: facts.idle ? now : null,
      recovered: event.recovered !== undefined,
    });
  const known = changes === 0 ? knownEvent(db, event.key) : undefined;
  if (known) return known;
  db.prepare("INSERT INTO payloads (seq, json) VALUES (?, ?)").run([seq, kept]);
  if (event.name === "UserPromptSubmit") {
    remember(db, event);
    if (!event.recovered) adoptEarlyEvents(db, session, event, promptNumber);
  }
  touchSession(db, session, event, { now, seq, promptNumber, activity: facts.activity });
  const { id: row } = session;
  return { seq, promptNumber, row, fresh: true, recovered: event.recovered !== undefined };
}

/** Whether an event that was read from a transcript would bring nothing: it came before, or was forgotten. */
export function hasKnown(db: Database, event: ClientEvent): boolean {
  return (
    knownEvent(db, event.key) !== undefined ||
    hasHappened(db, event) ||
    fateOf(db, event) !== undefined
  );
}

/** What the journal has under this key. */
function knownEvent(db: Database, key: string): Appended | undefined {
  const known = db
    .prepare<{ seq: number; session: number; prompt_number: number; recovered: number }>(
      "SELECT seq, session, prompt_number, recovered FROM events WHERE key = ?",
    )
    .get([key]);
  return (
    known && {
      seq: known.seq,
      promptNumber: known.prompt_number,
      row: known.session,
      fresh: false,
      recovered: known.recovered === 1,
    }
  );
}

/** The session's row, made on its first event. */
export function openSession(db: Database, event: ClientEvent, now: number): SessionRow {
  const find = db.prepare<SessionRow>(
    "SELECT id, prompts, open_prompt, open_prompt_id, opened_at FROM sessions WHERE client = ? AND session = ?",
  );
  const id = [event.client, event.session];
  const found = find.get(id);
  if (found) return found;
  const project = event.project ?? projectOf(event.cwd);
  const { lastInsertRowid } = db
    .prepare(
      `INSERT INTO sessions (client, session, project, project_id, prompts, started_at, opened_at, last_event_at, last_received_at)
       VALUES ($client, $session, $project, $projectId, 0, $time, $time, $time, $now)`,
    )
    .run({
      client: event.client,
      session: event.session,
      project: JSON.stringify(project),
      projectId: project.id,
      time: event.time,
      now,
    });
  return {
    id: lastInsertRowid,
    prompts: 0,
    open_prompt: 0,
    open_prompt_id: null,
    opened_at: event.time,
  };
}

/** Without a capture plugin that knows better, a project is its folder. */
function projectOf(cwd: string): Project {
  return { id: cwd, name: baseName(cwd), root: cwd };
}

/**
 * A prompt counts up. Other events belong to the running prompt, with two exceptions: a subagent's to the prompt whose
 * id they carry (it may run on in the background), and events that come late, out of the spool, to the prompt of their time.
 */
function numberOf(db: Database, session: SessionRow, event: ClientEvent): number {
  if (event.name === "UserPromptSubmit") return session.prompts + 1;
  // The client names the prompt: its clock, which may have been set meanwhile, need not.
  if (event.promptId !== undefined) {
    if (event.promptId === session.open_prompt_id) return session.open_prompt;
    const own = db
      .prepare<{ prompt_number: number }>(
        "SELECT prompt_number FROM events WHERE session = ? AND prompt_id = ? ORDER BY seq LIMIT 1",
      )
      .get([session.id, event.promptId]);
    if (own) return own.prompt_number;
  }
  if (event.time >= session.opened_at) return session.open_prompt;
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
  session: SessionRow,
  event: ClientEvent,
  promptNumber: number,
): void {
  db.prepare(
    `UPDATE events SET prompt_number = $number
     WHERE session = $session AND planned = 0 AND prompt_number = $number - 1 AND time > $time
       AND name <> 'UserPromptSubmit' AND agent IS NULL`,
  ).run({ number: promptNumber, session: session.id, time: event.time });
}

function touchSession(
  db: Database,
  session: SessionRow,
  event: ClientEvent,
  committed: { now: number; seq: number; promptNumber: number; activity: boolean },
): void {
  const isPrompt = event.name === "UserPromptSubmit";
  const opens = isPrompt || event.name === "SessionStart";
  db.prepare(
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
  ).run({
    id: session.id,
    isPrompt,
    isRequest: !event.recovered && !event.agent && committed.activity && event.name !== "Stop",
    isRecovered: event.recovered !== undefined,
    isModelFree: event.recovered?.modelFree === true,
    opens,
    ends: event.name === "SessionEnd",
    transcriptPath: event.transcriptPath,
    time: event.time,
    key: event.key,
    promptId: event.promptId,
    ...committed,
  });
  // What a transcript tells of the past does not move a session that has gone on since.
  const isNewest = !event.recovered || event.time >= session.opened_at;
  if (opens && isNewest && event.project)
    db.prepare("UPDATE sessions SET project = ?, project_id = ? WHERE id = ?").run([
      JSON.stringify(event.project),
      event.project.id,
      session.id,
    ]);
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
