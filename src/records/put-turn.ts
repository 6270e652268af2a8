// Writes turns: one row a session and prompt number; a later one replaces the earlier and keeps its id.
import type { Database } from "../host/sqlite.ts";
import type { NewTurn } from "../sdk/turn.ts";
import { filesWriter } from "./files.ts";
import { idOf } from "./ids.ts";
import type { SessionWriter } from "./put-session.ts";
import { turnDocument } from "./search/documents.ts";
import type { Findable } from "./search/record-index.ts";

/** The writer for one open database; `write` gives the turn's id. */
export function turnWriter(db: Database, index: Findable, sessions: SessionWriter) {
  const upsert = db.prepare<{ id: number }>(`
    INSERT INTO turns (session_id, project, branch, prompt_number, created_at, last_at, ended, pieces, files, left_out, gaps)
    VALUES ($session, $project, $branch, $promptNumber, $startedAt, $time, $end, $pieces, $files, $leftOut, $gaps)
    ON CONFLICT (session_id, prompt_number) DO UPDATE SET
      project = excluded.project, branch = excluded.branch, created_at = excluded.created_at, last_at = excluded.last_at,
      ended = excluded.ended, pieces = excluded.pieces, files = excluded.files, left_out = excluded.left_out,
      gaps = excluded.gaps
    RETURNING id`);
  const files = filesWriter(db, "turn");

  function write(turn: NewTurn): string {
    const link = sessions.link(turn);
    const row = upsert.get({
      session: link.session,
      project: turn.project,
      branch: turn.branch,
      promptNumber: turn.promptNumber,
      startedAt: turn.startedAt,
      time: turn.time,
      end: turn.end,
      pieces: JSON.stringify(turn.pieces),
      files: JSON.stringify(turn.files),
      leftOut: turn.leftOut && JSON.stringify(turn.leftOut),
      gaps: turn.gaps === true,
    });
    const id = row?.id ?? 0;
    const paths = (wanted: boolean) =>
      turn.files.filter(({ changed }) => changed === wanted).map(({ path }) => path);
    files.replace(id, { read: paths(false), modified: paths(true) });
    index.put(turnDocument({ ...turn, id: idOf("turn", id) }, link.root));
    return idOf("turn", id);
  }

  return { write };
}
