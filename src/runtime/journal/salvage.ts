// Carries over what a damaged journal still gives: sessions, so that prompts go on counting, events nobody finished, and what was forgotten.
import { copyFile, open as openFile, rm } from "node:fs/promises";
import type { Log } from "../../home/log.ts";
import type { Database, openDatabase, SqlParams } from "../../host/sqlite.ts";
import { rememberToolUse } from "./happened.ts";

export interface SalvageDeps {
  log: Log;
  open: typeof openDatabase;
}

/** How much was read; a damaged file may give all, some or none. */
export interface Salvaged {
  sessions: number;
  events: number;
}

const sessions =
  "id, client, session, project, project_id, prompts, transcript_path, started_at, opened_at, last_event_at, last_received_at, ended_at, activity_seq, activity_key, summarized_seq";
const events =
  "seq, key, session, name, time, received_at, prompt_number, prompt_id, tool_use, agent, spoken, bytes";

const kept = {
  happened: "hash",
  transcripts: "path, reader, bytes, changed_at, offset, lines, cwd",
  injections: "client, session, project, event, time, characters, tokens, records, requests",
  forgotten: "session, prompt_number",
  noted: "hour, project, name, n",
};

/** Never rejects: what cannot be read stays in the file at `from`, of which a copy is read. */
export async function salvage(
  from: string,
  into: Database,
  { open, log }: SalvageDeps,
): Promise<Salvaged> {
  const saved: Salvaged = { sessions: 0, events: 0 };
  const reading = `${from}.reading`;
  let old: Database | undefined;
  try {
    await copyFile(from, reading);
    await copyFile(`${from}-wal`, `${reading}-wal`).catch(() => undefined);
    await fillUp(reading);
    old = await open(reading);
    copy(old, `SELECT ${sessions} FROM sessions`, (row) => {
      into.prepare(`INSERT INTO sessions (${sessions}) VALUES (${marks(sessions)})`).run(row);
      saved.sessions++;
    });
    const unfinished = `SELECT ${events}, json FROM events JOIN payloads USING (seq) WHERE outcome IS NULL ORDER BY seq`;
    copy(old, unfinished, (row) => {
      into.transaction(() => {
        into
          .prepare(`INSERT INTO events (${events}, planned) VALUES (${marks(events)}, 0)`)
          .run(row);
        into.prepare("INSERT INTO payloads (seq, json) VALUES ($seq, $json)").run(row);
      });
      saved.events++;
    });
    into.exec(
      "UPDATE sessions SET open_prompt = prompts, heard_at = last_received_at, first_heard_at = started_at",
    );
    // Last: an earlier version's file has none of these.
    for (const [table, columns] of Object.entries(kept))
      copy(old, `SELECT ${columns} FROM ${table}`, (row) => {
        into
          .prepare(`INSERT OR IGNORE INTO ${table} (${columns}) VALUES (${marks(columns)})`)
          .run(row);
      });
    rememberToolUses(old, into);
  } catch (error) {
    log.warn("The damaged journal could be read in part only.", {
      file: from,
      error,
    });
  } finally {
    old?.close();
    for (const ending of ["", "-wal", "-shm"]) await rm(reading + ending, { force: true });
  }
  return saved;
}

/** Of a tool use that is done with only that it happened is kept: of all that can be read, whatever comes after them. */
function rememberToolUses(old: Database, into: Database): void {
  const done: Array<[client: string, toolUseId: string]> = [];
  const query = `SELECT client, tool_use FROM events e JOIN sessions s ON s.id = e.session
    WHERE tool_use IS NOT NULL AND outcome IS NOT NULL`;
  try {
    for (const row of old.prepare<{ client: string; tool_use: string }>(query).iterate())
      done.push([row.client, row.tool_use]);
  } finally {
    into.transaction(() => {
      for (const [client, toolUseId] of done) rememberToolUse(into, client, toolUseId);
    });
  }
}

/** SQLite refuses all of a file that is shorter than its header says; with empty pages at its end the rest can be read. */
async function fillUp(path: string): Promise<void> {
  const file = await openFile(path, "r+");
  try {
    const header = new DataView(new ArrayBuffer(100));
    await file.read(header, 0, 100, 0);
    const pageSize = header.getUint16(16) === 1 ? 65_536 : header.getUint16(16);
    const bytes = pageSize * header.getUint32(28);
    const { size } = await file.stat();
    // A header of garbage must not fill the disk.
    if (bytes > size && bytes < 10 * size) await file.truncate(bytes);
  } finally {
    await file.close();
  }
}

function copy(from: Database, query: string, take: (row: SqlParams) => void): void {
  for (const row of from.prepare(query).iterate()) take(row);
}

function marks(columns: string): string {
  return columns
    .split(", ")
    .map((name) => `$${name}`)
    .join(", ");
}
