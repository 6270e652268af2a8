// Table rows as types, and how each becomes a record.
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

/** What every row of a session's record carries through the join with `sessions`. */
interface SessionColumns {
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

export interface MemoryRow {
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

/** `SELECT` heads; each gives the row type of the same name. Append conditions on `o`, `y`, `p`, `s`, `m` and `t`. */
export const select = {
  observation:
    "SELECT o.*, s.client, s.client_session_id, s.root FROM observations o JOIN sessions s ON s.id = o.session_id",
  summary:
    "SELECT y.*, s.client, s.client_session_id, s.root FROM session_summaries y JOIN sessions s ON s.id = y.session_id",
  prompt:
    "SELECT p.*, s.client, s.client_session_id, s.root FROM prompts p JOIN sessions s ON s.id = p.session_id",
  session:
    "SELECT s.*, j.name AS project_name, (SELECT count(*) FROM observations c WHERE c.session_id = s.id) AS observations FROM sessions s JOIN projects j ON j.id = s.project",
  memory: "SELECT m.* FROM memory m",
  turn: "SELECT t.*, s.client, s.client_session_id, s.root FROM turns t JOIN sessions s ON s.id = t.session_id",
} as const;

export function toObservation(row: ObservationRow): Observation {
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
    facts: strings(row.facts),
    narrative: row.narrative,
    concepts: strings(row.concepts),
    filesRead: strings(row.files_read),
    filesModified: strings(row.files_modified),
    toolUseIds: strings(row.tool_use_ids),
    ...(row.agent_id === null
      ? {}
      : {
          agent: { id: row.agent_id, ...(row.agent_type === null ? {} : { type: row.agent_type }) },
        }),
    time: row.created_at,
    discoveryTokens: row.discovery_tokens,
    observerTokens: row.observer_tokens,
    provenance: { strategy: row.strategy, model: row.model },
    ...evidenceOf(row),
    ...(row.superseded_by === null ? {} : { supersededBy: idOf("observation", row.superseded_by) }),
  };
}

export function toSummary(row: SummaryRow): Summary {
  return {
    id: idOf("summary", row.id),
    scope: row.scope,
    session: row.client_session_id,
    client: row.client,
    project: row.project,
    promptNumber: row.prompt_number,
    ...ofSummaryTexts((text) => String(Reflect.get(row, columnOf(text)))),
    filesRead: strings(row.files_read),
    filesEdited: strings(row.files_edited),
    time: row.created_at,
    observerTokens: row.observer_tokens,
    provenance: { strategy: row.strategy, model: row.model },
    ...evidenceOf(row),
  };
}

export function toPrompt(row: PromptRow): Prompt {
  return {
    id: idOf("prompt", row.id),
    session: row.client_session_id,
    client: row.client,
    project: row.project,
    promptNumber: row.prompt_number,
    text: row.user_prompt,
    time: row.created_at,
  };
}

export function toSession(row: SessionRow): Session {
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
  };
}

export function toMemoryItem(row: MemoryRow): MemoryItem {
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
    ...evidenceOf(row),
  };
}

export function toTurn(row: TurnRow): Turn {
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
    pieces: JSON.parse(row.pieces) as Evidence[],
    files: JSON.parse(row.files) as TouchedFile[],
    ...(row.left_out === null
      ? {}
      : { leftOut: JSON.parse(row.left_out) as Record<string, number> }),
    ...(row.gaps === 0 ? {} : { gaps: true }),
  };
}

/** What a record was derived from, as its column keeps it; undefined for none. */
export function placesJson(places: readonly Place[] | undefined): string | undefined {
  return places === undefined || places.length === 0 ? undefined : JSON.stringify(places);
}

function evidenceOf({ evidence }: { evidence: string | null }): { evidence?: Place[] } {
  return evidence === null ? {} : { evidence: JSON.parse(evidence) as Place[] };
}

/** A JSON list column; whatever is no string in it is left out. */
export function strings(json: string): string[] {
  const value: unknown = JSON.parse(json);
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
