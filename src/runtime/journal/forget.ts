// What the user had forgotten: its events lose their texts, and nothing is made of them again. And what leaves the journal after its time.
import { setTimeout as pause } from "node:timers/promises";
import type { Database } from "../../host/sqlite.ts";
import { parsedObject } from "../../host/sqlite.ts";
import { writeAnew } from "../../host/write-anew.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import { pruneGiven } from "./counts.ts";
import { bury, type Forgotten, markForgotten, numbersOf, rememberToolUse } from "./seen-before.ts";
import { releaseRecovered } from "./sessions.ts";

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
function forgetPrompts(db: Database, session: number, numbers?: readonly number[]): string[] {
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

// What leaves the journal: events of finished work after their time, and the bytes of all that went.

/** Deletes events of finished work; what happened in them is remembered. Answers how many went. */
export function removeEvents(
  db: Database,
  which: string,
  params: readonly number[] | { [name: string]: number },
): number {
  const gone = db.all<{ seq: number; client: string; tool_use: string | null }>(
    `SELECT e.seq, s.client, e.tool_use FROM events e JOIN sessions s ON s.id = e.session WHERE ${which}`,
    params,
  );
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
function pruneStep(db: Database, keepMs: number, now: number, limit: number): number {
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
  db.run(
    `DELETE FROM work WHERE state IN ('done', 'parked') AND updated_at < ?
       AND NOT EXISTS (SELECT 1 FROM work_events l WHERE l.work = work.id)`,
    [now - keepMs],
  );
  return gone;
}

/** Reads or writes the open file. */
type Use = <Result>(access: (db: Database) => Result) => Result;

/** The open file, as far as removing needs it. */
interface RemovedFrom {
  use: Use;
  /** Writes what was forgotten into the copy, durably. */
  writeCopy(): Promise<void>;
}

/** Takes rows out, and their bytes out of the file and its log. */
export function removing(file: RemovedFrom, write: Use, now: () => number) {
  const { use } = file;
  return {
    /** Empties the events of these prompts, or of all up to now; nothing is made of them from here on. Answers their tool uses. */
    forget(row: number, numbers?: readonly number[]): string[] {
      // Overwritten and emptied: else the words would stay in the files.
      use((db) => db.exec("PRAGMA secure_delete = ON"));
      const toolUses = write((db) => forgetPrompts(db, row, numbers));
      use((db) =>
        db.exec(
          "PRAGMA secure_delete = OFF; PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)",
        ),
      );
      return toolUses;
    },
    /** Makes what was forgotten final: no file of the journal's holds a word of it, and its hashes stand in a second place. */
    async purge(): Promise<void> {
      use(writeAnew);
      await file.writeCopy();
    },
    /** Drops the texts of a session's recovered events that are worked off. */
    releaseRecovered(session: string, client: string): void {
      write((db) => releaseRecovered(db, session, client));
      use((db) => db.exec(`PRAGMA incremental_vacuum(${freedPages})`));
    },
    /** Deletes events of finished work settled more than `keepMs` ago, in small steps; answers how many. Parked work keeps its events four times as long. */
    async prune(keepMs: number): Promise<number> {
      let deleted = 0;
      // What stood in a page that others still use is overwritten with it.
      use((db) => db.exec("PRAGMA secure_delete = FAST"));
      for (;;) {
        const step = write((db) => pruneStep(db, keepMs, now(), pruneBatch));
        deleted += step;
        if (step < pruneBatch) break;
        await pause(0);
      }
      write((db) => pruneGiven(db, now() - givenMs));
      await giveBack(use);
      use((db) => db.exec("PRAGMA secure_delete = OFF"));
      return deleted;
    },
  };
}

const pruneBatch = 500;
/** Given back to the file system at a time, 2 MB: a hook may be waiting. */
const freedPages = 512;
/** So few are used again sooner than they are worth moving others for. */
const fewPages = 64;
/** What sessions were given, and what was counted of it, is kept for a year. */
const givenMs = 366 * 24 * 60 * 60_000;

/** Pages that are free go back to the file system, and their texts with them, those in the log too. */
async function giveBack(use: Use): Promise<void> {
  const freePages = () => use((db) => db.get<{ freelist_count: number }>("PRAGMA freelist_count"));
  let free = freePages()?.freelist_count ?? 0;
  if (free < fewPages) return;
  while (free > 0) {
    use((db) => db.all(`PRAGMA incremental_vacuum(${freedPages})`));
    const left = freePages()?.freelist_count ?? 0;
    // A file that an earlier version made without this way of keeping pages.
    if (left >= free) break;
    free = left;
    await pause(0);
  }
  use((db) => db.all("PRAGMA wal_checkpoint(TRUNCATE)"));
}
