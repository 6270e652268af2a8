// Loads the records behind index entries, as search results with the texts they are ranked by.
import type { Database } from "../../host/sqlite.ts";
import type { RecordKind, SearchResult } from "../../sdk/storage.ts";
import { estimateTokens } from "../../text/tokens.ts";
import { idOf } from "../ids.ts";
import { observationText } from "../put-observation.ts";
import { summaryText } from "../put-summary.ts";
import {
  type MemoryRow,
  type ObservationRow,
  type PromptRow,
  type SessionRow,
  type SummaryRow,
  select,
  type TurnRow,
  toObservation,
  toSummary,
  toTurn,
} from "../rows.ts";
import type { Candidate } from "./candidates.ts";
import type { Ranked } from "./score.ts";

/** A result before it has a score. */
export interface Found extends Ranked {
  entry: number;
  result: Omit<SearchResult, "score" | "corrected">;
}

const titleLength = 120;

/** The records of the entries, in no particular order; entries whose record is gone are left out. */
export function loadResults(db: Database, entries: readonly Candidate[]): Found[] {
  const rows = new Map<RecordKind, Map<number, number>>();
  for (const { kind, record, id } of entries) {
    const ofKind = rows.get(kind) ?? new Map<number, number>();
    rows.set(kind, ofKind.set(record, id));
  }
  const found: Found[] = [];
  for (const [kind, ids] of rows)
    for (const one of loaders[kind](db, JSON.stringify([...ids.keys()]))) {
      const { row, ...rest } = one;
      found.push({ ...rest, entry: ids.get(row) ?? 0 });
    }
  return found;
}

type Loaded = Omit<Found, "entry"> & { row: number };

/** For each kind: the rows whose numbers stand in a JSON list. */
const loaders: Record<RecordKind, (db: Database, ids: string) => Loaded[]> = {
  observation: (db, ids) =>
    db
      .prepare<ObservationRow>(
        `${select.observation} WHERE o.id IN (SELECT value FROM json_each(?))`,
      )
      .all([ids])
      .map((row) => {
        const observation = toObservation(row);
        const text = observationText(observation);
        return loaded("observation", row.id, text, row.superseded_by !== null, {
          id: observation.id,
          session: observation.session,
          project: observation.project,
          type: observation.type,
          title: observation.title,
          subtitle: observation.subtitle,
          createdAt: observation.time,
          promptNumber: observation.promptNumber,
          facts: observation.facts,
          files: [...new Set([...observation.filesModified, ...observation.filesRead])],
        });
      }),
  summary: (db, ids) =>
    db
      .prepare<SummaryRow>(`${select.summary} WHERE y.id IN (SELECT value FROM json_each(?))`)
      .all([ids])
      .map((row) => {
        const summary = toSummary(row);
        return loaded("summary", row.id, summaryText(summary), false, {
          id: summary.id,
          session: summary.session,
          project: summary.project,
          title: short(summary.request || summary.completed),
          subtitle: summary.completed || summary.learned,
          createdAt: summary.time,
          promptNumber: summary.promptNumber,
        });
      }),
  prompt: (db, ids) =>
    db
      .prepare<PromptRow>(`${select.prompt} WHERE p.id IN (SELECT value FROM json_each(?))`)
      .all([ids])
      .map((row) =>
        loaded("prompt", row.id, { narrative: row.user_prompt }, false, {
          id: idOf("prompt", row.id),
          session: row.client_session_id,
          project: row.project,
          title: short(row.user_prompt),
          createdAt: row.created_at,
          promptNumber: row.prompt_number,
        }),
      ),
  session: (db, ids) =>
    db
      .prepare<SessionRow>(`${select.session} WHERE s.id IN (SELECT value FROM json_each(?))`)
      .all([ids])
      .map((row) =>
        loaded(
          "session",
          row.id,
          { title: row.title, subtitle: row.subtitle, labels: row.branch ?? "" },
          false,
          {
            id: row.client_session_id,
            session: row.client_session_id,
            project: row.project,
            title: row.title,
            subtitle: row.subtitle,
            createdAt: row.started_at,
            promptNumber: row.prompts,
          },
        ),
      ),
  memory: (db, ids) =>
    db
      .prepare<MemoryRow>(`${select.memory} WHERE m.id IN (SELECT value FROM json_each(?))`)
      .all([ids])
      .map((row) =>
        loaded(
          "memory",
          row.id,
          { facts: row.content, narrative: row.context, labels: row.kind },
          false,
          {
            id: idOf("memory", row.id),
            session: row.client_session_id,
            project: row.project,
            title: short(row.content),
            subtitle: row.context,
            createdAt: row.created_at,
          },
        ),
      ),
  turn: (db, ids) =>
    db
      .prepare<TurnRow>(`${select.turn} WHERE t.id IN (SELECT value FROM json_each(?))`)
      .all([ids])
      .map((row) => {
        const { id, session, project, startedAt, promptNumber, pieces, files } = toTurn(row);
        const [first] = pieces;
        const text = { narrative: pieces.map((piece) => piece.text).join("\n") };
        return loaded("turn", row.id, text, false, {
          id,
          session,
          project,
          title: short(first?.text ?? ""),
          createdAt: startedAt,
          promptNumber,
          files: files.map(({ path }) => path),
        });
      }),
};

/** Fills what the kinds have in common. */
function loaded(
  kind: RecordKind,
  row: number,
  text: Ranked["text"],
  superseded: boolean,
  part: Pick<SearchResult, "id" | "session" | "project" | "title" | "createdAt"> &
    Partial<SearchResult>,
): Loaded {
  return {
    kind,
    row,
    text,
    superseded,
    createdAt: part.createdAt,
    result: {
      kind,
      type: kind,
      subtitle: "",
      promptNumber: 0,
      facts: [],
      files: [],
      readTokens: estimateTokens(Object.values(text).join("\n")),
      ...part,
    },
  };
}

/** One line of at most 120 characters. */
function short(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= titleLength) return line;
  return `${line
    .slice(0, titleLength - 1)
    .toWellFormed()
    .replace(/\ufffd$/, "")}…`;
}
