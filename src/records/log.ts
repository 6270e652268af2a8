// The change log of a memory, and what one memory gives another. The data's way:
//
//   put, amend, forget, backfill ──┐                          ┌─ tables, index, marks (o123: this home's numbers)
//                                  ├─► one change per record ─┤
//   a hub's, a file's ──── apply ──┘    in the transaction    └─ `changes`: replica, number, time, kind, record, row | body ─► hub, file
//
// The state of a record is a function of the set of its changes, so that any order and any repetition makes the same memory:
// - Its content is the whole record of its latest change, by (time, replica, number): a put reads what is there and says all of it anew,
//   so nothing has to be merged, and no history is kept. A change that is not the latest says nothing; its number stays empty.
// - A person's words, pins, hides and merges lie over it, one by one in their own order, whatever is derived meanwhile.
// - A forget takes out what was changed up to its time, or is of before it, and stays for ever: a later put of the same moment of a
//   session is not brought back by another home's transcript. Retention takes rows out here, and says nothing of it.
// - What follows from all records is worked out again, never shipped: which observation a newer one supersedes (the next newer one of
//   the same title), sessions that are known by their records alone, the index.
//
// A record's change has no body of its own: the row is the body, as it was before any edit. So the log costs about 90 bytes a record.
// A person's changes are whole in the log. Times are a hybrid logical clock without memory: now, or just above what is known of the
// same record where that is ahead. A clock a year ahead is followed for the records that it touched, and for nothing else; whoever has
// seen its change can write over it.
//
// Positions are version vectors. `changes` pages are pushed by replica and number; a number that is missing says nothing any more, so
// `upTo` goes with each page. Applying is idempotent: what comes before its turn (newest first) is applied at once, and again in order.
//
// Alternatives: an operation log with whole bodies, folded in order (twice the bytes on the disk, and every late change replays its
// record); registers by field (a stamp for each of 60 columns, for concurrent puts of one session that only a copied transcript makes).
// Not shipped: root, transcript, local ids, index, journal, keys, retention. Observations and summaries without a model are shipped
// although they could be derived again: two homes of one release derived 163 and 164 from one transcript, and releases differ more.
//
// A copied home: a change under our own replica that we never made (`copied`). The log then takes a new identity (`renew`), and gives
// what was made after the last common number out again under it.
//
// Called inside the transaction that writes the record.
import type { Database } from "../host/sqlite.ts";
import type { Author, Change } from "../sdk/change.ts";
import { changeTime, identityOfParts, type UnnumberedChange } from "../sdk/identity.ts";
import type { RecordKind } from "../sdk/storage.ts";

/** A row of `changes`. */
export interface LogRow {
  replica: number;
  number: number;
  time: string;
  kind: Change["kind"];
  record: Uint8Array;
  /** The record's row; null: it is gone, or the change is no record's. */
  row: number | null;
  project: string | null;
  /** JSON of a person's change; of a record's `anew` where its author knew that it was forgotten before. */
  body: string | null;
  author: string | null;
}

/** Kinds of changes that are a person's. */
const personKinds = ["correction", "pin", "hide", "merge"] as const;
type PersonKind = (typeof personKinds)[number];
/** Changes that say something by themselves; every other is a record's. */
export const wordKinds: ReadonlySet<string> = new Set([...personKinds, "forget", "project"]);
const ofPerson = `(${personKinds.map((kind) => `'${kind}'`).join(", ")})`;
const ofRecords = "('turn', 'prompt', 'observation', 'summary', 'session', 'memory')";

/** What else is known of a record when its change is noted. */
interface Noted {
  kind: RecordKind;
  identity: string;
  /** Null: it was forgotten before it came. */
  row: number | null;
  /** The identity of its session, or of all items of that; a forget of it takes the record too. */
  of: string;
}

/** The identity of what a person decides about a captured project. */
export function projectIdentity(id: string): string {
  return identityOfParts("memory", ["project", id]);
}

export function bytesOf(identity: string): Uint8Array {
  return Buffer.from(identity, "hex");
}
export function hexOf(record: Uint8Array): string {
  return Buffer.from(record).toString("hex");
}

/** This memory's own replica; the first who asks makes it. */
export function ownReplica(db: Database): { n: number; id: string; position: number } {
  const own = db.get<{ n: number; id: string; position: number }>(
    "SELECT n, id, position FROM replicas WHERE own = 1",
  );
  return own ?? newReplica(db);
}

/** Begins to number changes under a new identity. */
export function newReplica(
  db: Database,
  id = hexOf(crypto.getRandomValues(new Uint8Array(16))),
): { n: number; id: string; position: number } {
  const author = db.get<{ author: string | null }>(
    "SELECT author FROM replicas WHERE own = 1",
  )?.author;
  db.run("UPDATE replicas SET own = 0 WHERE own = 1");
  db.run("INSERT INTO replicas (id, own, author) VALUES (?, 1, ?)", [id, author]);
  return ownReplica(db);
}

/** The number of a replica here. */
export function replicaNumber(db: Database, id: string): number {
  const find = db.prepare<{ n: number }>("SELECT n FROM replicas WHERE id = ?");
  const known = find.get([id])?.n;
  if (known !== undefined) return known;
  return db.run("INSERT INTO replicas (id) VALUES (?)", [id]).lastInsertRowid;
}

export function setAuthor(db: Database, author: Author): void {
  const { n } = ownReplica(db);
  db.run("UPDATE replicas SET author = ? WHERE n = ?", [JSON.stringify(author), n]);
}

/** Takes this memory's next number. */
export function nextNumber(db: Database): { replica: number; number: number } {
  const next = db.prepare<{ replica: number; number: number }>(
    "UPDATE replicas SET position = position + 1 WHERE own = 1 RETURNING n AS replica, position AS number",
  );
  const taken = next.get();
  if (taken) return taken;
  ownReplica(db);
  return nextNumber(db);
}

/** The change that made a record what it is, or took it out. */
export function headOf(db: Database, identity: string): LogRow | undefined {
  return db.get<LogRow>(`SELECT * FROM changes WHERE record = ? AND kind IN ${ofRecords}`, [
    bytesOf(identity),
  ]);
}

/** The identity of what is in a row. */
export function identityAt(db: Database, kind: RecordKind, row: number): string | undefined {
  const found = db.get<{ record: Uint8Array }>(
    "SELECT record FROM changes WHERE kind = ? AND row = ?",
    [kind, row],
  );
  return found && hexOf(found.record);
}

/** The kind and row that an identity means here. */
export function rowAt(
  db: Database,
  identity: string,
): { kind: RecordKind; row: number } | undefined {
  const head = headOf(db, identity);
  return head?.row == null ? undefined : { kind: head.kind as RecordKind, row: head.row };
}

/** Notes a record that this memory put: later than all that is known of it. */
export function noteOwn(db: Database, noted: Noted, ms: number): void {
  const head = headOf(db, noted.identity);
  const graves = gravesOf(db, noted);
  const last = [head, ...graves].reduce(
    (most, one) => (one && one.time > most ? one.time : most),
    "",
  );
  const own = nextNumber(db);
  replaceHead(db, head, {
    ...own,
    time: changeTime(ms, last),
    kind: noted.kind,
    record: bytesOf(noted.identity),
    row: noted.row,
    project: null,
    body: graves.length > 0 ? "anew" : null,
    author: null,
  });
}

/** Puts a record's change in the place of the one before. */
export function replaceHead(db: Database, head: LogRow | undefined, row: LogRow): void {
  if (head)
    db.run("DELETE FROM changes WHERE replica = ? AND number = ?", [head.replica, head.number]);
  insert(db, row);
}

export function insert(db: Database, row: LogRow): void {
  db.prepare(`INSERT OR REPLACE INTO changes (replica, number, time, kind, record, row, project, body, author)
    VALUES ($replica, $number, $time, $kind, $record, $row, $project, $body, $author)`).run({
    ...row,
  });
}

/** Notes what a person said of a record at `ms`, later than all that is known of it. */
export function noteOwnWord(
  db: Database,
  identity: string,
  project: string | null,
  kind: PersonKind | "forget" | "project",
  body: Change["body"],
  ms: number,
): void {
  const last = db.get<{ time: string | null }>(
    "SELECT max(time) AS time FROM changes WHERE record = ?",
    [bytesOf(identity)],
  );
  const time = changeTime(ms, last?.time ?? "");
  insertWord(db, { record: identity, kind, time, body }, project);
}

type Word = Pick<UnnumberedChange, "record" | "kind" | "time" | "body">;

/** Notes what a person said of a record at a time, as it came with that. */
export function noteWord(db: Database, word: Word): void {
  if (!isWordKnown(db, word)) insertWord(db, word, null);
}

export function isWordKnown(db: Database, { record, kind, time }: Word): boolean {
  const sql = "SELECT 1 FROM changes WHERE record = ? AND kind = ? AND time = ?";
  return db.get(sql, [bytesOf(record), kind, time]) !== undefined;
}

function insertWord(
  db: Database,
  { record, kind, time, body }: Word,
  project: string | null,
): void {
  insert(db, {
    ...{ ...nextNumber(db), time, kind, record: bytesOf(record), row: null, project },
    ...{ body: JSON.stringify(body), author: null },
  });
}

/** What a person said about a record, in the order in which it holds. */
export function wordsAbout(
  db: Database,
  identity: string,
  kinds = ofPerson,
): Array<Omit<LogRow, "body"> & { body: Change["body"] }> {
  const record = [bytesOf(identity)];
  const isAbout = `record = ? AND kind IN ${kinds}`;
  // Nearly always there is none, and to put them in order costs five times the look.
  if (db.get(`SELECT 1 FROM changes WHERE ${isAbout}`, record) === undefined) return [];
  return db
    .all<LogRow>(
      `SELECT c.* FROM changes c JOIN replicas r ON r.n = c.replica
       WHERE ${isAbout} ORDER BY c.time, r.id, c.number`,
      record,
    )
    .map(({ body, ...row }) => ({ ...row, body: JSON.parse(body ?? "{}") as Change["body"] }));
}

/** A record that was moved to another project is said anew. */
export function renote(db: Database, kind: RecordKind, row: number): void {
  const head = db.get<LogRow>("SELECT * FROM changes WHERE kind = ? AND row = ?", [kind, row]);
  if (!head) return;
  const own = nextNumber(db);
  replaceHead(db, head, { ...head, ...own, time: changeTime(0, head.time), author: null });
}

// What was forgotten.

interface Grave {
  time: string;
  until: number;
}

/** What forgets a record, or its session with it. */
export function gravesOf(db: Database, { identity, of }: Pick<Noted, "identity" | "of">): Grave[] {
  return db
    .prepare<Grave>(
      "SELECT time, body ->> '$.until' AS until FROM changes WHERE kind = 'forget' AND record IN (?, ?)",
    )
    .all([bytesOf(identity), bytesOf(of)]);
}

/** Whether a record's change is dead: made up to when it was forgotten, or later by somebody who did not know, of what was before. */
export function isDead(
  graves: readonly Grave[],
  { time, isAnew, ms }: { time: string; isAnew: boolean; ms: number },
): boolean {
  return graves.some((grave) => time <= grave.time || (!isAnew && ms <= grave.until));
}

/** Takes out what a person said of a record up to a time. */
export function removeWords(db: Database, identity: string, upTo: string): void {
  db.run(`DELETE FROM changes WHERE record = ? AND kind IN ${ofPerson} AND time <= ?`, [
    bytesOf(identity),
    upTo,
  ]);
}
