// Reads records for search: each kind's rows as documents of the index and as results.
import type { Database } from "../../host/sqlite.ts";
import type { RecordKind, SearchResult } from "../../sdk/storage.ts";
import type { Turn } from "../../sdk/turn.ts";
import type { SearchDocument } from "../../search/index.ts";
import { estimateTokens } from "../../text/tokens.ts";
import { parseId } from "../ids.ts";
import {
  type MemoryRow,
  type ObservationRow,
  type PromptRow,
  type SessionRow,
  type SummaryRow,
  select,
  type TurnRow,
  toMemoryItem,
  toObservation,
  toPrompt,
  toSession,
  toSummary,
  toTurn,
} from "../rows.ts";
import {
  memoryDocument,
  observationDocument,
  promptDocument,
  sessionDocument,
  summaryDocument,
  turnDocument,
} from "./documents.ts";

/** A record as the index has it, and as a result before it has a score. */
export interface Found {
  document: SearchDocument;
  result: Omit<SearchResult, "score" | "corrected">;
}

/** All kinds, as they are searched where none are named. */
export const recordKinds: readonly RecordKind[] = [
  "observation",
  "summary",
  "session",
  "prompt",
  "memory",
  "turn",
];

/** The kind and row that a document's id stands for. */
export function recordOf(id: string): { kind: RecordKind; row: number } | undefined {
  const session = /^session (\d+)$/.exec(id);
  return session ? { kind: "session", row: Number(session[1]) } : parseId(id);
}

/** The records of documents, by the documents' ids; those that are gone are left out. */
export function loadFound(db: Database, ids: readonly string[]): Map<string, Found> {
  const rows = Map.groupBy(
    ids.flatMap((id) => recordOf(id) ?? []),
    ({ kind }) => kind,
  );
  const found = new Map<string, Found>();
  for (const [kind, list] of rows) {
    const numbers = JSON.stringify(list.map(({ row }) => row));
    for (const one of readers[kind](db, "IN (SELECT value FROM json_each(?))", [numbers]))
      found.set(one.document.id, one);
  }
  return found;
}

/** Every record, in pages that are read when they are asked for. */
export function* allDocuments(db: Database, page: number): Generator<SearchDocument[]> {
  for (const kind of recordKinds)
    for (let last = 0; ; ) {
      const found = readers[kind](db, "> ? ORDER BY 1 LIMIT ?", [last, page]);
      yield found.map(({ document }) => document);
      const newest = found.at(-1);
      if (!newest || found.length < page) break;
      last = recordOf(newest.document.id)?.row ?? Number.MAX_SAFE_INTEGER;
    }
}

type Reader = (db: Database, rows: string, params: Array<string | number>) => Found[];

/** For each kind: the rows whose number meets a condition. */
const readers: Record<RecordKind, Reader> = {
  observation: (db, rows, params) =>
    db
      .prepare<ObservationRow>(`${select.observation} WHERE o.id ${rows}`)
      .all(params)
      .map((row) => {
        const record = toObservation(row);
        return found(observationDocument(record, row.root), {
          id: record.id,
          title: record.title,
          subtitle: record.subtitle,
          facts: record.facts,
          files: [...new Set([...record.filesModified, ...record.filesRead])],
        });
      }),
  summary: (db, rows, params) =>
    db
      .prepare<SummaryRow>(`${select.summary} WHERE y.id ${rows}`)
      .all(params)
      .map((row) => {
        const record = toSummary(row);
        return found(summaryDocument(record, row.root), {
          id: record.id,
          title: short(record.request || record.completed),
          subtitle: record.completed || record.learned,
        });
      }),
  prompt: (db, rows, params) =>
    db
      .prepare<PromptRow>(`${select.prompt} WHERE p.id ${rows}`)
      .all(params)
      .map((row) => {
        const record = toPrompt(row);
        return found(promptDocument(record), { id: record.id, title: short(record.text) });
      }),
  session: (db, rows, params) =>
    db
      .prepare<SessionRow>(`${select.session} WHERE s.id ${rows}`)
      .all(params)
      .map((row) => {
        const record = toSession(row);
        const { id, title, subtitle, prompts } = record;
        return found(sessionDocument(record, row.id), {
          ...{ id, title, subtitle },
          promptNumber: prompts,
        });
      }),
  memory: (db, rows, params) =>
    db
      .prepare<MemoryRow>(`${select.memory} WHERE m.id ${rows}`)
      .all(params)
      .map((row) => {
        const record = toMemoryItem(row);
        return found(memoryDocument(record, row.created_at), {
          id: record.id,
          title: short(record.content),
          subtitle: record.context,
        });
      }),
  turn: (db, rows, params) =>
    db
      .prepare<TurnRow>(`${select.turn} WHERE t.id ${rows}`)
      .all(params)
      .map((row) => {
        const record = toTurn(row);
        return found(turnDocument(record, row.root), {
          id: record.id,
          title: short(record.pieces[0]?.text ?? ""),
          subtitle: short(saidLast(record)),
          files: record.files.map(({ path }) => path),
        });
      }),
};

/** Fills what the kinds have in common. */
function found(
  document: SearchDocument,
  part: Pick<SearchResult, "id" | "title"> & Partial<SearchResult>,
): Found {
  return {
    document,
    result: {
      kind: document.kind as RecordKind,
      type: document.type ?? document.kind,
      session: document.session,
      project: document.project,
      subtitle: "",
      createdAt: document.time,
      promptNumber: document.position ?? 0,
      facts: [],
      files: [],
      readTokens: estimateTokens(document.pieces.map(({ text }) => text).join("\n")),
      ...part,
    },
  };
}

function saidLast({ pieces }: Turn): string {
  return pieces.findLast(({ kind }) => kind === "closing" || kind === "said")?.text ?? "";
}

const titleLength = 120;

/** One line of at most 120 characters. */
function short(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= titleLength) return line;
  return `${line
    .slice(0, titleLength - 1)
    .toWellFormed()
    .replace(/\ufffd$/, "")}…`;
}
