// What the journal still has of a session whose work was done: for making again what storage lost of it since.
import type { Database, Row } from "../../host/sqlite.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import type { Outcome } from "../ports.ts";
import { type PendingRow, pendingOf } from "./event-rows.ts";
import { emptiedEvent, isMarked, markForgotten } from "./forget-prompts.ts";
import { remember, rememberToolUse } from "./happened.ts";
import type { AdoptedSession, KnownSession, PastEvent } from "./journal-types.ts";
import { againKey } from "./recovery-rows.ts";
import { fateOf } from "./tombstones.ts";

interface PastRow extends PendingRow {
  outcome: Outcome | null;
  observations: string | null;
  whole: number;
}

/** Every session, the one heard of last first. */
export function knownSessions(db: Database): KnownSession[] {
  return db
    .prepare<Row & { transcript: string | null } & Omit<KnownSession, "transcriptPath">>(
      `SELECT session, client, prompts, transcript_path AS transcript FROM sessions
       ORDER BY last_event_at DESC, id DESC`,
    )
    .all()
    .map(({ transcript, ...known }) => ({
      ...known,
      ...(transcript !== null && { transcriptPath: transcript }),
    }));
}

/** All events of a session that are there, by seq; none of prompts that were forgotten. */
export function pastEvents(db: Database, session: number): PastEvent[] {
  return db
    .prepare<PastRow>(
      `SELECT e.seq, e.key, e.name, e.prompt_number, e.received_at, e.bytes, e.tool_use, e.agent, e.spoken, e.recovered,
         e.outcome, e.observations, p.seq IS NOT NULL AS whole
       FROM events e LEFT JOIN payloads p ON p.seq = e.seq
       WHERE e.session = $session AND NOT EXISTS (
         SELECT 1 FROM forgotten f WHERE f.session = e.session AND f.prompt_number = e.prompt_number)
       ORDER BY e.seq`,
    )
    .all({ session })
    .map((row) => ({
      ...pendingOf(row),
      outcome: row.outcome,
      observations: idsIn(row.observations),
      isWhole: row.whole === 1,
      isAgain: row.key.startsWith(againKey),
    }));
}

function idsIn(json: string | null): string[] {
  try {
    const ids: unknown = JSON.parse(json ?? "[]");
    return Array.isArray(ids) ? ids.map(String) : [];
  } catch {
    return [];
  }
}

/** From here on no model may be asked about the session, until its hooks tell of it again. */
export function leaveModelFree(db: Database, session: number): void {
  db.prepare("UPDATE sessions SET model_free = 1 WHERE id = ?").run([session]);
}

/** Rows of a prompt's finished events go: what a transcript tells of it takes their place. */
export function clearPrompt(db: Database, session: number, promptNumber: number): void {
  const gone = db
    .prepare<{ seq: number; client: string; tool_use: string | null }>(
      `SELECT e.seq, s.client, e.tool_use FROM events e JOIN sessions s ON s.id = e.session
       WHERE e.session = ? AND e.prompt_number = ? AND e.outcome IS NOT NULL`,
    )
    .all([session, promptNumber]);
  const remove = db.prepare("DELETE FROM events WHERE seq = ?");
  for (const { seq, client, tool_use } of gone) {
    if (tool_use !== null) rememberToolUse(db, client, tool_use);
    remove.run([seq]);
  }
}

/** An event of the past that a transcript has, as one whose work is done. False where it is known, or was forgotten. */
export function addPast(
  db: Database,
  session: number,
  { event, payload, promptNumber }: { event: ClientEvent; payload: string; promptNumber: number },
  now: number,
): boolean {
  const fate = fateOf(db, event);
  if (fate === "prompt") markForgotten(db, session, promptNumber);
  const isForgotten = isMarked(db, session, promptNumber);
  if (fate === "gone") return false;
  const kept = isForgotten ? JSON.stringify(emptiedEvent(event)) : payload;
  const { changes, lastInsertRowid: seq } = db
    .prepare(
      `INSERT INTO events (key, session, name, time, received_at, prompt_number, prompt_id, tool_use, agent,
         spoken, bytes, planned, outcome, reason, settled_at, recovered)
       VALUES ($key, $session, $name, $time, $now, $promptNumber, $promptId, $toolUse, $agent,
         $spoken, $bytes, 1, 'skipped', 'made again', $now, 1)
       ON CONFLICT (key) DO NOTHING`,
    )
    .run({
      ...{ session, now, promptNumber, key: event.key, name: event.name, time: event.time },
      promptId: event.promptId,
      toolUse: "toolUseId" in event ? event.toolUseId : undefined,
      agent: event.agent?.id,
      spoken: event.name === "Stop" && Boolean(event.lastAssistantMessage?.trim()),
      bytes: kept.length,
    });
  if (changes === 0) return false;
  db.prepare("INSERT INTO payloads (seq, json) VALUES (?, ?)").run([seq, kept]);
  if (event.name === "UserPromptSubmit") remember(db, event);
  widenSession(db, session, event, promptNumber);
  return !isForgotten;
}

/** A session goes on from the newest prompt that is known of it. */
function widenSession(db: Database, id: number, event: ClientEvent, promptNumber: number): void {
  const { name, time, transcriptPath } = event;
  db.prepare(
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
  ).run({
    ...{ id, time, promptNumber, transcriptPath, promptId: event.promptId },
    isPrompt: name === "UserPromptSubmit",
    ends: name === "SessionEnd",
  });
}

/** A session goes on counting where storage left off: a prompt of today must not take the number of one of before. */
export function adoptSessions(db: Database, sessions: readonly AdoptedSession[]): void {
  const add = db.prepare(
    `INSERT OR IGNORE INTO sessions (client, session, project, project_id, prompts, transcript_path, started_at, opened_at,
       last_event_at, last_received_at, open_prompt)
     VALUES ($client, $session, $json, $projectId, 0, $transcriptPath, $startedAt, $startedAt, $lastActiveAt,
       $lastActiveAt, 0)`,
  );
  const count = db.prepare(
    `UPDATE sessions SET prompts = $prompts, open_prompt = $prompts
     WHERE client = $client AND session = $session AND prompts < $prompts`,
  );
  for (const { project, ...session } of sessions) {
    add.run({ ...session, json: JSON.stringify(project), projectId: project.id });
    count.run(session);
  }
}

/** Notes what memory has already, so that no transcript tells it a second time. */
export function rememberPast(
  db: Database,
  client: string,
  { prompts, toolUses }: { prompts: readonly ClientEvent[]; toolUses: readonly string[] },
): void {
  for (const prompt of prompts) remember(db, prompt);
  for (const id of toolUses) rememberToolUse(db, client, id);
}
