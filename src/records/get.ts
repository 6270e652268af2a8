// The handler of `storage.get`: records by id, in the order asked.
import type { Database } from "../host/sqlite.ts";
import type { StoredRecord } from "../sdk/storage.ts";
import { parseId } from "./ids.ts";
import { readKind } from "./rows.ts";

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
  const [found] = readKind(db, kind, (letter) => `WHERE ${letter}.id = ?`, [row]);
  return found && ({ kind, record: found.record } as StoredRecord);
}

/** The latest active, should two clients have used one id. */
function session(db: Database, id: string): StoredRecord | undefined {
  const latest = "WHERE s.client_session_id = ? ORDER BY s.last_active_at DESC LIMIT 1";
  const [found] = readKind(db, "session", () => latest, [id]);
  return found && { kind: "session", record: found.record };
}
