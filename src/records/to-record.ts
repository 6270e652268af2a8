// What the row of each kind holds, and the record that it becomes.

import type { Database } from "../host/sqlite.ts";
import { readColumn } from "../host/unreadable-rows.ts";
import {
  type MemoryItem,
  type Observation,
  ofSummaryTexts,
  type Prompt,
  type Session,
  type Summary,
  type SummaryText,
} from "../sdk/model.ts";
import type { Evidence, Place, TouchedFile, Turn } from "../sdk/turn.ts";
import { nameWords } from "../text/text.ts";
import { idOf } from "./ids.ts";

/** What the user made of it; null where there is nothing. */
interface MarkColumns {
  pinned: number | null;
  hidden: number | null;
  merged: string | null;
  edited_at: number | null;
  was: string | null;
}

/** What every row of a session's record carries through the join with `sessions`. */
interface SessionColumns extends MarkColumns {
  root: string;
  client: string;
  client_session_id: string;
}

export interface ObservationRow extends SessionColumns {
  id: number;
  project: string;
  branch: string | null;
  prompt_number: number;
  type: string;
  title: string;
  subtitle: string;
  facts: string;
  narrative: string;
  concepts: string;
  files_read: string;
  files_modified: string;
  tool_use_ids: string;
  agent_id: string | null;
  agent_type: string | null;
  discovery_tokens: number | null;
  observer_tokens: number | null;
  strategy: string;
  model: string | null;
  superseded_by: number | null;
  evidence: string | null;
  created_at: number;
}

/** The column of a summary's text. */
export function columnOf(text: SummaryText): string {
  return nameWords(text, "_");
}

/** Its texts stand in columns of their names. */
export interface SummaryRow extends SessionColumns {
  id: number;
  project: string;
  scope: "prompt" | "session";
  prompt_number: number;
  files_read: string;
  files_edited: string;
  observer_tokens: number | null;
  strategy: string;
  model: string | null;
  evidence: string | null;
  created_at: number;
}

export interface PromptRow extends SessionColumns {
  id: number;
  project: string;
  prompt_number: number;
  user_prompt: string;
  created_at: number;
}

export interface SessionRow extends SessionColumns {
  id: number;
  project: string;
  project_name: string;
  root: string;
  branch: string | null;
  title: string;
  subtitle: string;
  prompts: number;
  status: "active" | "ended";
  transcript_path: string | null;
  started_at: number;
  last_active_at: number;
  ended_at: number | null;
  end_reason: string | null;
  observations: number;
}

export interface MemoryRow extends MarkColumns {
  id: number;
  project: string;
  client_session_id: string;
  kind: MemoryItem["kind"];
  date: string;
  content: string;
  context: string;
  state: MemoryItem["state"] | null;
  quote: string | null;
  evidence: string | null;
  created_at: number;
}

export interface TurnRow extends SessionColumns {
  id: number;
  project: string;
  branch: string | null;
  prompt_number: number;
  created_at: number;
  last_at: number;
  ended: Turn["end"];
  pieces: string;
  files: string;
  left_out: string | null;
  gaps: number;
}

export function toObservation(row: ObservationRow, read: ColumnReader): Observation {
  return {
    id: idOf("observation", row.id),
    session: row.client_session_id,
    client: row.client,
    project: row.project,
    ...(row.branch === null ? {} : { branch: row.branch }),
    promptNumber: row.prompt_number,
    type: row.type,
    title: row.title,
    subtitle: row.subtitle,
    facts: stringsIn(read, "facts", row.facts),
    narrative: row.narrative,
    concepts: stringsIn(read, "concepts", row.concepts),
    filesRead: stringsIn(read, "files_read", row.files_read),
    filesModified: stringsIn(read, "files_modified", row.files_modified),
    toolUseIds: stringsIn(read, "tool_use_ids", row.tool_use_ids),
    ...(row.agent_id === null
      ? {}
      : {
          agent: { id: row.agent_id, ...(row.agent_type === null ? {} : { type: row.agent_type }) },
        }),
    time: row.created_at,
    discoveryTokens: row.discovery_tokens,
    observerTokens: row.observer_tokens,
    provenance: { strategy: row.strategy, model: row.model },
    ...evidenceOf(row, read),
    ...marksOf(row, read),
    ...(row.superseded_by === null ? {} : { supersededBy: idOf("observation", row.superseded_by) }),
  };
}

export function toSummary(row: SummaryRow, read: ColumnReader): Summary {
  return {
    id: idOf("summary", row.id),
    scope: row.scope,
    session: row.client_session_id,
    client: row.client,
    project: row.project,
    promptNumber: row.prompt_number,
    ...ofSummaryTexts((text) => String(Reflect.get(row, columnOf(text)))),
    filesRead: stringsIn(read, "files_read", row.files_read),
    filesEdited: stringsIn(read, "files_edited", row.files_edited),
    time: row.created_at,
    observerTokens: row.observer_tokens,
    provenance: { strategy: row.strategy, model: row.model },
    ...evidenceOf(row, read),
    ...marksOf(row, read),
  };
}

export function toPrompt(row: PromptRow, read: ColumnReader): Prompt {
  return {
    id: idOf("prompt", row.id),
    session: row.client_session_id,
    client: row.client,
    project: row.project,
    promptNumber: row.prompt_number,
    text: row.user_prompt,
    time: row.created_at,
    ...marksOf(row, read),
  };
}

export function toSession(row: SessionRow, read: ColumnReader): Session {
  return {
    id: row.client_session_id,
    client: row.client,
    project: {
      id: row.project,
      name: row.project_name,
      root: row.root,
      ...(row.branch === null ? {} : { branch: row.branch }),
    },
    title: row.title,
    subtitle: row.subtitle,
    prompts: row.prompts,
    status: row.status,
    ...(row.transcript_path === null ? {} : { transcriptPath: row.transcript_path }),
    startedAt: row.started_at,
    lastActiveAt: row.last_active_at,
    endedAt: row.ended_at,
    ...(row.end_reason === null ? {} : { endReason: row.end_reason }),
    observations: row.observations,
    ...marksOf(row, read),
  };
}

export function toMemoryItem(row: MemoryRow, read: ColumnReader): MemoryItem {
  return {
    id: idOf("memory", row.id),
    kind: row.kind,
    date: row.date,
    content: row.content,
    context: row.context,
    session: row.client_session_id,
    project: row.project,
    ...(row.state ? { state: row.state } : {}),
    ...(row.quote === null ? {} : { quote: row.quote }),
    ...evidenceOf(row, read),
    ...marksOf(row, read),
  };
}

export function toTurn(row: TurnRow, read: ColumnReader): Turn {
  return {
    id: idOf("turn", row.id),
    session: row.client_session_id,
    client: row.client,
    project: row.project,
    ...(row.branch === null ? {} : { branch: row.branch }),
    promptNumber: row.prompt_number,
    startedAt: row.created_at,
    time: row.last_at,
    end: row.ended,
    pieces: read.list<Evidence>("pieces", row.pieces),
    files: read.list<TouchedFile>("files", row.files),
    ...leftOutOf(row, read),
    ...(row.gaps === 0 ? {} : { gaps: true }),
    ...marksOf(row, read),
  };
}

function evidenceOf(
  { evidence }: { evidence: string | null },
  read: ColumnReader,
): { evidence?: Place[] } {
  return evidence === null ? {} : { evidence: read.list<Place>("evidence", evidence) };
}

function marksOf({ pinned, hidden, merged, edited_at, was }: MarkColumns, read: ColumnReader) {
  return {
    ...(pinned ? { pinned: true as const } : {}),
    ...(hidden ? { hidden: true as const } : {}),
    ...(hidden && merged !== null ? { merged } : {}),
    ...(edited_at === null
      ? {}
      : {
          edited: { time: edited_at, was: read.object<Record<string, unknown>>("was", was) ?? {} },
        }),
  };
}

function leftOutOf({ left_out }: TurnRow, read: ColumnReader): Pick<Turn, "leftOut"> {
  const leftOut = read.object<Record<string, number>>("left_out", left_out);
  return leftOut === undefined ? {} : { leftOut };
}

function stringsIn(read: ColumnReader, column: string, json: string): string[] {
  return read.list<unknown>(column, json).filter((item) => typeof item === "string");
}

// Columns that hold JSON: one whose text does not parse costs what it said, not the answer it would have stood in.

/** Reads columns of one row, and notes those that cannot be read. */
export interface ColumnReader {
  /** The list in a column, or none. */
  list<Item>(column: string, json: string): Item[];
  /** The object in a column, or undefined. */
  object<Value extends object>(column: string, json: string | null): Value | undefined;
}

/** A reader for the row that people call `name`. */
export function columnReader(db: Database, name: string): ColumnReader {
  const parsed = (column: string, json: string) =>
    readColumn(db, json, () => `${name} (${column})`);
  return {
    list<Item>(column: string, json: string) {
      const value = parsed(column, json);
      return Array.isArray(value) ? (value as Item[]) : [];
    },
    object<Value extends object>(column: string, json: string | null) {
      const value = json === null ? undefined : parsed(column, json);
      return typeof value === "object" && value !== null ? (value as Value) : undefined;
    },
  };
}
