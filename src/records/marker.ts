// What the user makes of records: their own words in place of derived ones, pinned, hidden, deleted. No later put takes it back.
import type { Database, SqlStatement } from "../host/sqlite.ts";
import { MemoirError } from "../sdk/errors.ts";
import { editable } from "../sdk/record-texts.ts";
import type { AmendRequest, DeleteResult, RecordKind, StoredRecord } from "../sdk/storage.ts";
import type { Marks } from "../sdk/turn.ts";
import {
  documentOf,
  idOf,
  kinds,
  parseId,
  type RecordRow,
  recordOf,
  titleKey,
  writeFields,
} from "./fields.ts";
import { getRecords, readRow } from "./list.ts";
import { type Findable, searchDocument } from "./search-index.ts";

type Fields = Record<string, unknown>;

/** What is kept of a record's marks; `texts` are the user's words, which every put leaves as they are. */
interface Kept {
  pinned: boolean;
  hidden: boolean;
  merged?: string | undefined;
  edited?: { time: number; texts: Fields; was: Fields };
}

/** A text without which a record says nothing. */
const needed = new Set(["title", "content"]);

/** The handler of `storage.amend`, at a time in epoch ms; to be called inside a transaction. */
export function amendRecord(
  db: Database,
  index: Findable,
  request: AmendRequest,
  time: number,
): StoredRecord {
  const { id, set, undo: back = false, pinned, hidden, merged } = request;
  const [stored] = getRecords(db, { ids: [id] });
  if (!stored) throw new MemoirError("record_not_found", `There is no record ${id}.`);
  const { kind, record } = stored;
  const of = { kind, row: rowOf(db, stored) };
  if (pinned && kind === "session")
    throw new MemoirError("usage", "A session as a whole cannot be pinned.", {
      fix: "Pin what it came to: a summary, an observation, a turn.",
    });
  if (merged !== undefined) checkMerge(db, stored, merged);
  let marks = kept(db, of);
  if (back) marks = undo(db, index, of, marks);
  if (set) marks = edit(db, index, of, record as Fields, checked(kind, set), time, marks);
  // What was typed stands in its turn too.
  for (const one of [of, ...twins(db, of)])
    note(db, one, {
      ...(one === of ? marks : kept(db, one)),
      pinned: pinned ?? marks.pinned,
      hidden: merged === undefined ? (hidden ?? marks.hidden) : true,
      merged: merged ?? (hidden === undefined ? marks.merged : undefined),
    });
  const [amended = stored] = getRecords(db, { ids: [id] });
  return amended;
}

/** After a record was put as it was before any edit: its marks, and the user's words instead of those that were put. */
export function settleMarks(db: Database, index: Findable, document: string, put: Marks): void {
  const of = recordOf(document);
  if (!of) return;
  let marks = kept(db, of);
  const { edited } = marks;
  if (!edited && !put.edited && !put.pinned && !put.hidden) return;
  const now = recordAt(db, of);
  const theirs = put.edited && pick(put as Fields, Object.keys(put.edited.was));
  if (put.edited && theirs && isLaterEdit(put.edited.time, theirs, edited)) {
    if (saysTwice(db, of, theirs) !== undefined) return;
    const { time, was } = put.edited;
    // What only the earlier edit changed is as it was.
    const { texts = {}, was: before = {} } = edited ?? {};
    const stale = Object.keys(texts).filter((name) => isSame(now[name], texts[name]));
    write(db, index, of, { ...pick(before, stale), ...theirs });
    marks = { ...marks, edited: { time, texts: theirs, was } };
  } else if (edited) {
    const newer = Object.keys(edited.texts).filter(
      (name) => !isSame(now[name], edited.texts[name]),
    );
    write(db, index, of, edited.texts);
    marks = { ...marks, edited: { ...edited, was: { ...edited.was, ...pick(now, newer) } } };
  }
  const { pinned = marks.pinned, hidden = marks.hidden } = put;
  note(db, of, { ...marks, pinned, hidden });
}

function kept(db: Database, { kind, row }: RecordRow): Kept {
  const found = db
    .prepare<{
      pinned: number;
      hidden: number;
      merged: string | null;
      edited_at: number | null;
      texts: string | null;
      was: string | null;
    }>(
      "SELECT pinned, hidden, merged, edited_at, texts, was FROM marks WHERE kind = ? AND record = ?",
    )
    .get([kind, row]);
  if (!found) return { pinned: false, hidden: false };
  const { pinned, hidden, merged, edited_at: time, texts, was } = found;
  return {
    pinned: pinned === 1,
    hidden: hidden === 1,
    merged: merged ?? undefined,
    ...(time !== null && { edited: { time, texts: fieldsIn(texts), was: fieldsIn(was) } }),
  };
}

function note(db: Database, of: RecordRow, { pinned, hidden, merged, edited }: Kept): void {
  if (!pinned && !hidden && !edited) {
    db.prepare("DELETE FROM marks WHERE kind = ? AND record = ?").run([of.kind, of.row]);
    return;
  }
  db.prepare(`INSERT OR REPLACE INTO marks (kind, record, pinned, hidden, merged, edited_at, texts, was)
    VALUES ($kind, $row, $pinned, $hidden, $merged, $time, $texts, $was)`).run({
    kind: of.kind,
    row: of.row,
    pinned,
    hidden,
    merged: hidden ? merged : undefined,
    time: edited?.time,
    texts: edited && JSON.stringify(edited.texts),
    was: edited && JSON.stringify(edited.was),
  });
}

function write(db: Database, index: Findable, { kind, row }: RecordRow, fields: Fields): void {
  const written = Object.entries(kinds[kind].fields).filter(([name]) => name in fields);
  const columns = writeFields(Object.fromEntries(written), fields);
  if (kind === "observation" && typeof fields.title === "string")
    columns.title_key = titleKey(fields.title);
  const set = Object.keys(columns).map((column) => `${column} = $${column}`);
  db.prepare(`UPDATE ${kinds[kind].table} SET ${set.join(", ")} WHERE id = $row`).run({
    ...columns,
    row,
  });
  const read = readRow(db, kind, row);
  if (read) index.put(searchDocument(kind, read.record, read));
}

function edit(
  db: Database,
  index: Findable,
  of: RecordRow,
  record: Fields,
  set: Fields,
  time: number,
  before: Kept,
): Kept {
  const known = before.edited ?? { texts: {}, was: {} };
  // By the user's word it stands.
  const texts = of.kind === "memory" ? { ...set, state: "standing" } : set;
  const names = Object.keys(texts).filter((name) => !isSame(record[name], texts[name]));
  if (names.length === 0) return before;
  const was = { ...pick(record, names), ...known.was };
  if (of.kind === "memory") refuseTwice(db, of.row, set);
  write(db, index, of, texts);
  return { ...before, edited: { time, texts: { ...known.texts, ...texts }, was } };
}

function undo(db: Database, index: Findable, of: RecordRow, { edited, ...before }: Kept): Kept {
  if (!edited) throw new MemoirError("usage", `${documentOf(of)} was not edited.`);
  if (of.kind === "memory") refuseTwice(db, of.row, edited.was);
  write(db, index, of, edited.was);
  return before;
}

/** The texts, where a user may write them otherwise. Throws `usage`. */
function checked(kind: RecordKind, set: NonNullable<AmendRequest["set"]>): Fields {
  const names: readonly string[] = [...editable[kind], ...(kind === "memory" ? ["state"] : [])];
  if (names.length === 0)
    throw new MemoirError("usage", `A ${kind} is evidence, kept as it was said.`, {
      fix: "Hide it, or forget it; what was derived from it can be edited.",
    });
  for (const [name, text] of Object.entries(set)) {
    if (name === "state" && kind !== "memory")
      throw new MemoirError(
        "usage",
        `This is ${kind === "observation" ? "an" : "a"} ${kind}: only suggestions can be confirmed.`,
        {
          fix: "Their ids begin with m; `memoir search --kind memory` lists them.",
        },
      );
    if (!names.includes(name))
      throw new MemoirError("usage", `There is no \`${name}\` to edit in a record of this kind.`, {
        fix: `It has ${names.join(", ")}.`,
      });
    if (Array.isArray(text) !== (name === "facts"))
      throw new MemoirError(
        "usage",
        `\`${name}\` wants ${name === "facts" ? "a list" : "a text"}.`,
      );
    if (name === "state" && text !== "standing")
      throw new MemoirError("usage", "The `state` that a user gives an item is `standing`.", {
        fix: "Hide what holds no more; `undo` gives back the state it had.",
      });
    const isEmpty = [text].flat().some((one) => one.trim() === "");
    if (isEmpty && (needed.has(name) || name === "facts"))
      throw new MemoirError("usage", `\`${name}\` is empty.`, {
        fix: "Write what holds, or hide or forget the record.",
      });
  }
  return set;
}

/** Two of what was concluded, of one kind and project; nothing is shown in place of itself, or by what is hidden. */
function checkMerge(db: Database, { kind, record }: StoredRecord, into: string): void {
  const refuse = (why: string, fix: string) => {
    throw new MemoirError("usage", `${record.id} cannot be merged into ${into}: ${why}.`, { fix });
  };
  const [kept] = getRecords(db, { ids: [into] });
  if (!kept) throw new MemoirError("record_not_found", `There is no record ${into}.`);
  if (kept.record.id === record.id) refuse("it is the same", "Name the one that is to stay.");
  if (kind !== "observation" && kind !== "memory")
    refuse(
      `a ${kind} stays by itself`,
      "Merge observations, or memory items; hide what is shown twice.",
    );
  if (kept.kind !== kind) refuse("it is of another kind", "Hide the one that should not be shown.");
  if (kept.kind === kind && "project" in record && kept.record.project !== record.project)
    refuse("it is of another project", "Hide the one that should not be shown.");
  if (kept.record.hidden)
    refuse("that one is hidden", `Merge them into one that is shown, or unhide ${into}.`);
}

function isLaterEdit(time: number, texts: Fields, edited: Kept["edited"]): boolean {
  if (!edited || time !== edited.time) return !edited || time > edited.time;
  return !isSame(texts, pick(edited.texts, Object.keys(texts)));
}

/** Of one kind and project a memory item says a thing once. */
function refuseTwice(db: Database, row: number, fields: Fields): void {
  const other = saysTwice(db, { kind: "memory", row }, fields);
  if (other === undefined) return;
  const id = idOf("memory", other);
  throw new MemoirError("usage", `${id} says that already.`, {
    fix: `Hide or forget this one, and keep ${id}.`,
  });
}

/** The other item that says it. */
function saysTwice(
  db: Database,
  { kind, row }: RecordRow,
  { content }: Fields,
): number | undefined {
  if (kind !== "memory" || typeof content !== "string") return undefined;
  return db
    .prepare<{ id: number }>(
      `SELECT o.id FROM memory m JOIN memory o ON o.project = m.project AND o.kind = m.kind AND o.id <> m.id
       WHERE m.id = $row AND o.content = $content`,
    )
    .get({ row, content })?.id;
}

function rowOf(db: Database, { kind, record }: StoredRecord): number {
  if (kind !== "session") return recordOf(record.id)?.row ?? 0;
  return (
    db
      .prepare<{ id: number }>("SELECT id FROM sessions WHERE client = ? AND client_session_id = ?")
      .get([record.client, record.id])?.id ?? 0
  );
}

/** The turn of a prompt, and the prompt of a turn. */
function twins(db: Database, { kind, row }: RecordRow): RecordRow[] {
  if (kind !== "prompt" && kind !== "turn") return [];
  const other = kind === "turn" ? "prompt" : "turn";
  return db
    .prepare<{ id: number }>(
      `SELECT o.id FROM ${kinds[kind].table} t JOIN ${kinds[other].table} o
       ON o.session_id = t.session_id AND o.prompt_number = t.prompt_number WHERE t.id = ?`,
    )
    .all([row])
    .map(({ id }) => ({ kind: other, row: id }));
}

/** A record's fields as they stand in its table. */
function recordAt(db: Database, { kind, row }: RecordRow): Fields {
  return (readRow(db, kind, row)?.record ?? {}) as Fields;
}

function fieldsIn(json: string | null): Fields {
  const value: unknown = json === null ? {} : JSON.parse(json);
  return value as Fields;
}

function pick(fields: Fields, names: readonly string[]): Fields {
  // What is not there is kept as null: JSON knows no undefined.
  return Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

// The handler of `storage.delete`: records go by id, in one transaction; triggers tell the index what to forget.

type NumberedKind = Parameters<typeof idOf>[0];

/** Unknown ids are left out; a turn takes its prompt with it, a session all that is of it. */
export function deleteRecords(db: Database, ids: readonly string[]): DeleteResult {
  return db.transaction(() => {
    const deleted = ids.flatMap((id) => {
      const parts = removeNumbered(db, id);
      return parts.length > 0 ? parts : removeSession(db, id);
    });
    // A project of which nothing is left is not named either.
    if (deleted.length > 0)
      db.exec(
        `DELETE FROM projects WHERE id NOT IN (SELECT project FROM sessions)
         AND id NOT IN (SELECT project FROM memory);
         DELETE FROM project_choices WHERE id NOT IN (SELECT id FROM projects)
         AND coalesce(project, id) NOT IN (SELECT id FROM projects)`,
      );
    return { deleted: [...new Set(deleted)] };
  });
}

function removeNumbered(db: Database, id: string): string[] {
  const found = parseId(id);
  if (!found) return [];
  const { kind, row } = found;
  const prompts = kind === "turn" ? promptsOf(db, row) : [];
  const gone = remove(db, kind, row) ? [id] : [];
  return [...gone, ...prompts.filter((prompt) => remove(db, "prompt", prompt)).map(promptId)];
}

function remove(db: Database, kind: NumberedKind, row: number): boolean {
  return db.prepare(`DELETE FROM ${kinds[kind].table} WHERE id = ?`).run([row]).changes > 0;
}

const ofSession: readonly NumberedKind[] = ["turn", "prompt", "observation", "summary"];

/** By the client's whole id, as records are asked for; should two clients have used it, the sessions of both. */
function removeSession(db: Database, id: string): string[] {
  const rows = db
    .prepare<{ id: number }>("SELECT id FROM sessions WHERE client_session_id = ?")
    .all([id])
    .map((session) => session.id);
  if (rows.length === 0) return [];
  const parts = rows.flatMap((row) =>
    ofSession.flatMap((kind) =>
      removeAll(
        db,
        kind,
        db.prepare(`SELECT id FROM ${kinds[kind].table} WHERE session_id = ?`),
        row,
      ),
    ),
  );
  const items = db.prepare("SELECT id FROM memory WHERE client_session_id = ?");
  parts.push(...removeAll(db, "memory", items, id));
  for (const row of rows) db.prepare("DELETE FROM sessions WHERE id = ?").run([row]);
  return [id, ...parts];
}

function removeAll(
  db: Database,
  kind: NumberedKind,
  select: SqlStatement,
  of: number | string,
): string[] {
  const rows = select.all([of]).map(({ id }) => Number(id));
  return rows.filter((row) => remove(db, kind, row)).map((row) => idOf(kind, row));
}

/** What was typed stands in the turn, and once more by itself. */
function promptsOf(db: Database, turn: number): number[] {
  return db
    .prepare<{ id: number }>(
      `SELECT p.id FROM prompts p
       JOIN turns t ON t.session_id = p.session_id AND t.prompt_number = p.prompt_number WHERE t.id = ?`,
    )
    .all([turn])
    .map(({ id }) => id);
}

function promptId(row: number): string {
  return idOf("prompt", row);
}
