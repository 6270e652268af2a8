// The handler of `storage.get`: records by id, in the order asked.
import type { Database } from "../host/sqlite.ts";
import type { StoredRecord } from "../sdk/storage.ts";
import { parseId } from "./kinds.ts";
import { marksWhere, toldSession } from "./marked.ts";
import { readKind } from "./rows.ts";

/** Which are asked for; `hidden: false` leaves out what the user hid. */
interface Asked {
  ids: readonly string[];
  hidden?: boolean;
}

/** Unknown ids are left out. What has not the form of a record's id, or names none, is taken for a client's session id. */
export function getRecords(db: Database, { ids, ...marks }: Asked): StoredRecord[] {
  return ids.flatMap((id) => numbered(db, id, marks) ?? session(db, id, marks) ?? []);
}

type Marks = Omit<Asked, "ids">;

function numbered(db: Database, id: string, marks: Marks): StoredRecord | undefined {
  const parsed = parseId(id);
  if (!parsed) return undefined;
  const { kind, row } = parsed;
  const conditions = ["r.id = ?", ...marksWhere(kind, marks)];
  const [found] = readKind(db, kind, `WHERE ${conditions.join(" AND ")}`, [row]);
  return found && ({ kind, record: found.record } as StoredRecord);
}

/** The latest active, should two clients have used one id. */
function session(db: Database, id: string, marks: Marks): StoredRecord | undefined {
  const conditions = ["r.client_session_id = ?", ...marksWhere("session", marks)].join(" AND ");
  const rest = `WHERE ${conditions} ORDER BY r.last_active_at DESC LIMIT 1`;
  const [found] = readKind(db, "session", rest, [id]);
  if (!found) return undefined;
  const record = marks.hidden === false ? toldSession(db, found.record) : found.record;
  return { kind: "session", record };
}
