// What the user makes of records: their own words in place of derived ones, pinned, hidden, deleted. No later put takes it back.
import type { Database } from "../host/sqlite.ts";
import { MemoirError } from "../sdk/errors.ts";
import { msOf } from "../sdk/identity.ts";
import { editable } from "../sdk/record-texts.ts";
import type { AmendRequest, RecordKind, StoredRecord } from "../sdk/storage.ts";
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
import { identityAt, noteOwnWord, wordsAbout } from "./log.ts";
import { supersede } from "./rows.ts";
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
  const about = kept(db, of);
  const identity = identityAt(db, kind, of.row) ?? "";
  const say = (one: string, word: Parameters<typeof noteOwnWord>[3], body: Fields) =>
    noteOwnWord(db, one, null, word, body, time);
  if (back) checkUndo(db, of, about);
  const texts = set && wanted(db, of, record as Fields, checked(kind, set), back ? {} : about);
  if (back || texts)
    say(identity, "correction", { ...(back && { undo: true }), ...(texts && { set: texts }) });
  const into = merged === undefined ? undefined : identityOfId(db, merged);
  // What was typed stands in its turn too.
  for (const one of [of, ...twins(db, of)]) {
    const name = identityAt(db, one.kind, one.row) ?? "";
    if (pinned !== undefined) say(name, "pin", { on: pinned });
    if (into !== undefined) say(name, "merge", { into });
    else if (hidden !== undefined) say(name, "hide", { on: hidden });
    settleMarks(db, index, one, name);
  }
  if (kind === "observation") supersede(db, [of.row]);
  const [amended = stored] = getRecords(db, { ids: [id] });
  return amended;
}

function identityOfId(db: Database, id: string): string | undefined {
  const of = parseId(id);
  return of && identityAt(db, of.kind, of.row);
}

/** Gives the row back what stood there before any edit; `settleMarks` follows. */
export function uncover(db: Database, of: RecordRow): void {
  const { edited } = kept(db, of);
  if (!edited) return;
  write(db, undefined, of, edited.was);
  db.run(
    "UPDATE marks SET edited_at = NULL, texts = NULL, was = NULL WHERE kind = ? AND record = ?",
    [of.kind, of.row],
  );
}

/** What a person said of a record, laid over it anew; `identity` is the record's. */
export function settleMarks(db: Database, index: Findable, of: RecordRow, identity: string): void {
  const words = wordsAbout(db, identity);
  const before = kept(db, of);
  if (words.length === 0 && !before.pinned && !before.hidden && !before.edited) return;
  uncover(db, of);
  const now: Kept = { pinned: false, hidden: false };
  let texts: Fields | undefined;
  let editedAt = 0;
  for (const { kind, time, body } of words) {
    if (kind === "pin") now.pinned = body.on === true;
    else if (kind === "hide") [now.hidden, now.merged] = [body.on === true, undefined];
    else if (kind === "merge") [now.hidden, now.merged] = [true, String(body.into)];
    else {
      texts = body.undo === true ? undefined : texts;
      if (body.set) texts = { ...texts, ...ownTexts(of.kind, body.set as Fields) };
      editedAt = msOf(time);
    }
  }
  const original = recordAt(db, of);
  if (texts) {
    const said = texts;
    const names = Object.keys(said).filter((name) => !isSame(original[name], said[name]));
    now.edited = { time: editedAt, texts: said, was: pick(original, names) };
  }
  if (before.edited || texts) write(db, index, of, texts ?? {});
  writeMarks(db, of, now);
}

/** Another memory's word may be of fields that nobody edits here, or say a list where a text is. */
function ownTexts(kind: RecordKind, set: Fields): Fields {
  const names: readonly string[] = [...editable[kind], "state"];
  return Object.fromEntries(
    Object.entries(set).filter(
      ([name, text]) => names.includes(name) && Array.isArray(text) === (name === "facts"),
    ),
  );
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

function writeMarks(db: Database, of: RecordRow, { pinned, hidden, merged, edited }: Kept): void {
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

function write(
  db: Database,
  index: Findable | undefined,
  { kind, row }: RecordRow,
  fields: Fields,
): void {
  const written = Object.entries(kinds[kind].fields).filter(([name]) => name in fields);
  const columns = writeFields(Object.fromEntries(written), fields);
  if (kind === "observation" && typeof fields.title === "string")
    columns.title_key = titleKey(fields.title);
  const set = Object.keys(columns).map((column) => `${column} = $${column}`);
  if (set.length > 0)
    db.prepare(`UPDATE ${kinds[kind].table} SET ${set.join(", ")} WHERE id = $row`).run({
      ...columns,
      row,
    });
  const read = index && readRow(db, kind, row);
  if (read) index.put(documentOf({ kind, row }), () => searchDocument(kind, read.record, read));
}

/** The user's words, where they say anything new. */
function wanted(
  db: Database,
  of: RecordRow,
  record: Fields,
  set: Fields,
  { edited }: Partial<Kept>,
): Fields | undefined {
  // By the user's word it stands.
  const texts = of.kind === "memory" ? { ...set, state: "standing" } : set;
  const before = { ...record, ...edited?.texts };
  if (Object.keys(texts).every((name) => isSame(before[name], texts[name as keyof typeof texts])))
    return undefined;
  if (of.kind === "memory") refuseTwice(db, of.row, set);
  return texts;
}

function checkUndo(db: Database, of: RecordRow, { edited }: Kept): void {
  if (!edited) throw new MemoirError("usage", `${documentOf(of)} was not edited.`);
  if (of.kind === "memory") refuseTwice(db, of.row, edited.was);
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
        `\`${name}\` must be ${name === "facts" ? "a list" : "a string"}.`,
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
