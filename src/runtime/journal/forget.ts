// What the user had forgotten: its events lose their texts, and nothing is made of them again.
import type { Database } from "../../host/sqlite.ts";
import { parsedObject } from "../../host/sqlite.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import { bury, type Forgotten, markForgotten, numbersOf } from "./seen-before.ts";

/** Fields of an event that hold no text: who, when and where. */
const kept = [
  "id",
  "key",
  "client",
  "session",
  "time",
  "cwd",
  "name",
  "project",
  "agent",
  "transcriptPath",
  "transcriptBytes",
  "promptId",
  "toolUseId",
  "toolName",
  "isInterrupt",
  "recovered",
] as const;
/** Fields that an event of its kind has to have, emptied. */
const emptied: { readonly [Name in ClientEvent["name"]]?: Record<string, unknown> } = {
  UserPromptSubmit: { prompt: "" },
  PostToolUse: { toolInput: {}, toolResponse: null },
  PostToolUseFailure: { toolInput: {}, error: "" },
};

interface EventRow {
  seq: number;
  key: string;
  name: ClientEvent["name"];
  time: number;
  prompt_id: string | null;
  tool_use: string | null;
  client: string;
  session: string;
  json: string;
}

/** Marks prompts of a session, all up to now unless some are named, and empties their events; answers their tool uses. */
export function forgetPrompts(
  db: Database,
  session: number,
  numbers?: readonly number[],
): string[] {
  const prompts = numbers ?? numbersOf(db, session);
  // What was said of an event or a piece of work when it failed may quote it.
  const silence = [
    "UPDATE events SET reason = NULL, observations = NULL WHERE session = ? AND prompt_number = ?",
    "UPDATE work SET reason = NULL WHERE session = ? AND prompt_number = ?",
  ].map((sql) => db.prepare(sql));
  const events = db.prepare<EventRow>(
    `SELECT e.seq, e.key, e.name, e.time, e.prompt_id, e.tool_use, s.client, s.session, p.json
     FROM events e JOIN payloads p ON p.seq = e.seq JOIN sessions s ON s.id = e.session
     WHERE e.session = ? AND e.prompt_number = ?`,
  );
  const empty = db.prepare("UPDATE payloads SET json = ? WHERE seq = ?");
  const toolUses = db.prepare<{ tool_use: string }>(
    "SELECT tool_use FROM events WHERE session = ? AND prompt_number = ? AND tool_use IS NOT NULL",
  );
  for (const number of prompts) {
    markForgotten(db, session, number);
    for (const row of events.all([session, number])) {
      const event = parsedObject<ClientEvent>(row.json) ?? knownOf(row);
      bury(db, tombstonesOf(event));
      empty.run([JSON.stringify(emptiedEvent(event)), row.seq]);
    }
    for (const update of silence) update.run([session, number]);
  }
  return prompts.flatMap((number) =>
    toolUses.all([session, number]).map(({ tool_use }) => tool_use),
  );
}

/**
 * The same of a whole session, with what names it: its folder, its project, its transcript. What it does from now on is
 * remembered again.
 */
export function forgetSession(db: Database, session: number): string[] {
  const toolUses = forgetPrompts(db, session);
  const payloads = db.prepare<{ seq: number; json: string }>(
    "SELECT seq, json FROM events JOIN payloads USING (seq) WHERE session = ?",
  );
  const write = db.prepare("UPDATE payloads SET json = ? WHERE seq = ?");
  for (const { seq, json } of payloads.all([session])) {
    const { project: _, transcriptPath: __, ...event } = JSON.parse(json) as ClientEvent;
    write.run([JSON.stringify({ ...event, cwd: "" }), seq]);
  }
  db.run(
    `DELETE FROM transcripts WHERE path = (SELECT transcript_path FROM sessions WHERE id = ?)`,
    [session],
  );
  db.run(`DELETE FROM injections WHERE session = (SELECT session FROM sessions WHERE id = ?)`, [
    session,
  ]);
  const project = JSON.stringify({ id: "", name: "", root: "" });
  db.run("UPDATE sessions SET project = ?, project_id = '', transcript_path = NULL WHERE id = ?", [
    project,
    session,
  ]);
  return toolUses;
}

/** What is known of an event whose text does not parse: the text goes like the others, and there is nothing in it to go by. */
function knownOf({ key, name, time, client, session, ...row }: EventRow): ClientEvent {
  return {
    ...{ id: key, key, name, time, client, session, cwd: "" },
    ...emptied[name],
    ...(row.prompt_id !== null && { promptId: row.prompt_id }),
    ...(row.tool_use !== null && { toolUseId: row.tool_use, toolName: "" }),
  } as ClientEvent;
}

/** Of what tells itself from others when a transcript brings it again; an emptied prompt said what it was when it was emptied. */
function tombstonesOf(event: ClientEvent): Forgotten[] {
  const { client, session, time } = event;
  if ("toolUseId" in event) return [{ kind: "tool-use", client, toolUseId: event.toolUseId }];
  if (event.name !== "UserPromptSubmit") return [];
  const { prompt: text, promptId } = event;
  return [
    ...(text === "" ? [] : [{ kind: "prompt" as const, client, session, time, text }]),
    ...(promptId === undefined ? [] : [{ kind: "prompt-id" as const, client, session, promptId }]),
  ];
}

/** The event without what it says. */
export function emptiedEvent(event: ClientEvent): Record<string, unknown> {
  const fields = Object.entries(event).filter(([name]) =>
    (kept as readonly string[]).includes(name),
  );
  return { ...Object.fromEntries(fields), ...emptied[event.name] };
}
