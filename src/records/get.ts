// The handler of `storage.get`: records by id, in the order asked.
import type { Database } from "../host/sqlite.ts";
import type { StoredRecord } from "../sdk/storage.ts";
import { parseId } from "./ids.ts";
import {
  type MemoryRow,
  type ObservationRow,
  type PromptRow,
  type SessionRow,
  type SummaryRow,
  select,
  type TurnRow,
  toMemoryItem,
  toObservation,
  toPrompt,
  toSession,
  toSummary,
  toTurn,
} from "./rows.ts";

/** Unknown ids are left out. What has not the form of a record's id, or names none, is taken for a client's session id. */
export function getRecords(db: Database, ids: readonly string[]): StoredRecord[] {
  const found: StoredRecord[] = [];
  for (const id of ids) {
    const record = numbered(db, id) ?? session(db, id);
    if (record) found.push(record);
  }
  return found;
}

function numbered(db: Database, id: string): StoredRecord | undefined {
  const parsed = parseId(id);
  if (!parsed) return undefined;
  const { kind, row } = parsed;
  switch (kind) {
    case "observation": {
      const found = db.prepare<ObservationRow>(`${select[kind]} WHERE o.id = ?`).get([row]);
      return found && { kind, record: toObservation(found) };
    }
    case "summary": {
      const found = db.prepare<SummaryRow>(`${select[kind]} WHERE y.id = ?`).get([row]);
      return found && { kind, record: toSummary(found) };
    }
    case "prompt": {
      const found = db.prepare<PromptRow>(`${select[kind]} WHERE p.id = ?`).get([row]);
      return found && { kind, record: toPrompt(found) };
    }
    case "memory": {
      const found = db.prepare<MemoryRow>(`${select[kind]} WHERE m.id = ?`).get([row]);
      return found && { kind, record: toMemoryItem(found) };
    }
    case "turn": {
      const found = db.prepare<TurnRow>(`${select[kind]} WHERE t.id = ?`).get([row]);
      return found && { kind, record: toTurn(found) };
    }
  }
}

/** The latest active, should two clients have used one id. */
function session(db: Database, id: string): StoredRecord | undefined {
  const found = db
    .prepare<SessionRow>(
      `${select.session} WHERE s.client_session_id = ? ORDER BY s.last_active_at DESC LIMIT 1`,
    )
    .get([id]);
  return found && { kind: "session", record: toSession(found) };
}
