// Reads records of any kind: the rows behind a condition, each as a record.
import { isAnswered } from "../home/database-file.ts";
import type { Database, Row, SqlParams } from "../host/sqlite.ts";
import type { RecordKind, StoredRecord } from "../sdk/storage.ts";
import type { Place } from "../sdk/turn.ts";
import { idOf } from "./ids.ts";
import {
  type ColumnReader,
  columnReader,
  type MemoryRow,
  type ObservationRow,
  type PromptRow,
  type SessionRow,
  type SummaryRow,
  type TurnRow,
  toMemoryItem,
  toObservation,
  toPrompt,
  toSession,
  toSummary,
  toTurn,
} from "./to-record.ts";

/** How a kind is read. */
interface Table<Stored, Record> {
  /** Where its rows stand. */
  table: string;
  /** Under this letter its columns stand in conditions; those of the session under `s`. */
  letter: string;
  from: string;
  toRecord(row: Stored, read: ColumnReader): Record;
}

interface Rows {
  observation: ObservationRow;
  summary: SummaryRow;
  prompt: PromptRow;
  session: SessionRow;
  memory: MemoryRow;
  turn: TurnRow;
}
type RecordOf<Kind extends RecordKind> = Extract<StoredRecord, { kind: Kind }>["record"];

const marks = {
  columns: "k.pinned, k.hidden, k.merged, k.edited_at, k.was",
  of: (kind: RecordKind, letter: string) =>
    `LEFT JOIN marks k ON k.kind = '${kind}' AND k.record = ${letter}.id`,
};

const tables: { readonly [Kind in RecordKind]: Table<Rows[Kind], RecordOf<Kind>> } = {
  observation: {
    table: "observations",
    letter: "o",
    from: ofSession("observations o", "observation"),
    toRecord: toObservation,
  },
  summary: {
    table: "session_summaries",
    letter: "y",
    from: ofSession("session_summaries y", "summary"),
    toRecord: toSummary,
  },
  prompt: {
    table: "prompts",
    letter: "p",
    from: ofSession("prompts p", "prompt"),
    toRecord: toPrompt,
  },
  session: {
    table: "sessions",
    letter: "s",
    from: `s.*, j.name AS project_name, (SELECT count(*) FROM observations c WHERE c.session_id = s.id) AS observations, ${marks.columns} FROM sessions s JOIN projects j ON j.id = s.project ${marks.of("session", "s")}`,
    toRecord: toSession,
  },
  memory: {
    table: "memory",
    letter: "m",
    from: `m.*, ${marks.columns} FROM memory m ${marks.of("memory", "m")}`,
    toRecord: toMemoryItem,
  },
  turn: { table: "turns", letter: "t", from: ofSession("turns t", "turn"), toRecord: toTurn },
};

function ofSession(table: string, kind: RecordKind): string {
  const letter = table.slice(-1);
  return `${letter}.*, s.client, s.client_session_id, s.root, ${marks.columns} FROM ${table} JOIN sessions s ON s.id = ${letter}.session_id ${marks.of(kind, letter)}`;
}

/** A row and what it says. */
export interface Read<Kind extends RecordKind> {
  row: Rows[Kind];
  record: RecordOf<Kind>;
}

/** The kind's records that meet conditions; `rest` begins with WHERE or ORDER, and gets the letter of the kind's table. */
export function readKind<Kind extends RecordKind>(
  db: Database,
  kind: Kind,
  rest: (letter: string) => string,
  params: SqlParams,
): Array<Read<Kind>> {
  const { table, letter, from, toRecord } = tables[kind];
  return db
    .prepare<Rows[Kind]>(`SELECT ${from} ${rest(letter)}`)
    .all(params)
    .filter((row) => isAnswered(db, table, row as unknown as Row))
    .map((row) => ({ row, record: toRecord(row, columnReader(db, nameOf(kind, row.id))) }));
}

function nameOf(kind: RecordKind, row: number): string {
  return kind === "session" ? `session ${row}` : idOf(kind, row);
}

/** What a record was derived from, as its column keeps it; undefined for none. */
export function placesJson(places: readonly Place[] | undefined): string | undefined {
  return places === undefined || places.length === 0 ? undefined : JSON.stringify(places);
}

/** A JSON list column; whatever is no string in it is left out. */
export function strings(json: string): string[] {
  const value: unknown = JSON.parse(json);
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
