// Reads and writes the rows of any kind, as its fields say; the files and concepts that a row names have rows of their own.
import { isAnswered } from "../home/database/row-sums.ts";
import type { Database, Row, SqlInput, SqlParams } from "../host/sqlite.ts";
import { readColumn } from "../host/unreadable-rows.ts";
import type { NewObservation, NewSummary } from "../sdk/model.ts";
import type { RecordKind, StoredRecord } from "../sdk/storage.ts";
import type { NewTurn } from "../sdk/turn.ts";
import { baseName } from "../text/text.ts";
import { type ReadJson, readFields, rows, writeFields } from "./fields.ts";
import { documentOf, type FileKind, kinds, slashed } from "./kinds.ts";

type RecordOf<Kind extends RecordKind> = Extract<StoredRecord, { kind: Kind }>["record"];

/** A record, and what its row says beside it. */
export interface Read<Kind extends RecordKind> {
  record: RecordOf<Kind>;
  /** The row's number. */
  row: number;
  /** The folder of its session, or empty. */
  root: string;
  /** Epoch ms; of kinds that have the column. */
  createdAt: number;
}

/** What is read beside a row, and from where. */
function besideOf(kind: RecordKind): { columns: string; join: string } {
  switch (kind) {
    case "session":
      return {
        columns:
          "j.name AS project_name, (SELECT count(*) FROM observations c WHERE c.session_id = r.id) AS observations",
        join: "JOIN projects j ON j.id = r.project",
      };
    case "memory":
      return { columns: "'' AS root", join: "" };
    default:
      return {
        columns: "s.client, s.client_session_id, s.root",
        join: "JOIN sessions s ON s.id = r.session_id",
      };
  }
}

/**
 * The kind's records that meet conditions. `rest` begins with WHERE or ORDER: there `r` is the record's row, and `s` its session's
 * where it is of one. `byRow`: the conditions name the rows, and no index over others is worth a look.
 */
export function readKind<Kind extends RecordKind>(
  db: Database,
  kind: Kind,
  rest: string,
  params: SqlParams,
  { byRow = false } = {},
): Array<Read<Kind>> {
  const { table } = kinds[kind];
  const { columns, join } = besideOf(kind);
  const sql = `SELECT r.*, ${columns}, k.pinned, k.hidden, k.merged, k.edited_at, k.was FROM ${table} r ${byRow ? "NOT INDEXED" : ""} ${join}
    LEFT JOIN marks k ON k.kind = '${kind}' AND k.record = r.id ${rest}`;
  return db
    .prepare<Row>(sql)
    .all(params)
    .filter((row) => isAnswered(db, table, row))
    .map((row) => {
      const number = Number(row.id);
      const parse: ReadJson = (column, json) =>
        readColumn(db, json, () => `${documentOf({ kind, row: number })} (${column})`);
      const record = { ...readFields(rows[kind].fields, row, parse), ...marksOf(row, parse) };
      return {
        record: record as RecordOf<Kind>,
        row: number,
        root: String(row.root),
        createdAt: Number(row.created_at),
      };
    });
}

/** The record in one row. */
export function readRow<Kind extends RecordKind>(
  db: Database,
  kind: Kind,
  row: number,
): Read<Kind> | undefined {
  return readKind(db, kind, "WHERE r.id = ?", [row])[0];
}

/** What the user made of it. */
function marksOf({ pinned, hidden, merged, edited_at: time, was }: Row, parse: ReadJson) {
  return {
    ...(pinned ? { pinned: true } : {}),
    ...(hidden ? { hidden: true } : {}),
    ...(hidden && merged !== null ? { merged } : {}),
    ...(time === null
      ? {}
      : { edited: { time, was: typeof was === "string" ? (parse("was", was) ?? {}) : {} } }),
  };
}

/** Writes the rows of one kind in an open database. */
export function rowWriter(db: Database, kind: RecordKind) {
  const { table } = kinds[kind];
  const { fields, key, beside: others } = rows[kind];
  const columns = [...Object.values(fields).flatMap((field) => field.columns), ...others];
  const set = columns
    .filter(({ name, repeat }) => repeat !== name)
    .map(({ name, repeat }) => `${name} = ${repeat}`)
    .join(", ");
  const upsert = db.prepare<{ id: number }>(`
    INSERT INTO ${table} (${columns.map(({ name }) => name).join(", ")})
    VALUES (${columns.map(({ first }) => first).join(", ")})
    ON CONFLICT (${key.join(", ")}) DO UPDATE SET ${set} RETURNING id`);
  const update = db.prepare(`UPDATE ${table} SET ${set} WHERE id = $id`);
  return {
    /** `beside` are columns beside the record's fields. Gives the row's number; of `known`, the row that it replaces, the same. */
    write(record: object, beside: Record<string, SqlInput>, known?: number): number {
      const values = { ...writeFields(fields, record), ...beside };
      if (known === undefined) return upsert.get(values)?.id ?? 0;
      update.run({ ...values, id: known });
      return known;
    },
  };
}

interface WithFiles {
  observation: NewObservation;
  summary: NewSummary;
  turn: NewTurn;
}

/** Paths as a record has them, by what was done to the files. */
const filesOf: {
  readonly [Kind in FileKind]: (record: WithFiles[Kind]) => Record<"read" | "modified", string[]>;
} = {
  observation: ({ filesRead: read, filesModified: modified }) => ({ read, modified }),
  summary: ({ filesRead: read, filesEdited: modified }) => ({ read, modified }),
  turn: ({ files }) => ({
    read: files.flatMap(({ path, changed }) => (changed ? [] : path)),
    modified: files.flatMap(({ path, changed }) => (changed ? path : [])),
  }),
};

/** Writes the rows by which a file or a concept leads to the kind's records, in place of those that are there. */
export function lookUpWriter<Kind extends FileKind>(db: Database, kind: Kind) {
  const removeFiles = db.prepare(`DELETE FROM ${kind}_files WHERE ${kind}_id = ?`);
  const addFile = db.prepare(
    `INSERT OR IGNORE INTO ${kind}_files (${kind}_id, path, basename, mode) VALUES (?, ?, ?, ?)`,
  );
  const addConcept = db.prepare(
    "INSERT OR IGNORE INTO observation_concepts (observation_id, concept) VALUES (?, ?)",
  );
  return (row: number, record: WithFiles[Kind]): void => {
    removeFiles.run([row]);
    for (const [mode, paths] of Object.entries(filesOf[kind](record)))
      for (const path of paths) addFile.run([row, slashed(path), baseName(path), mode]);
    if ("concepts" in record) for (const concept of record.concepts) addConcept.run([row, concept]);
  };
}
