// Reads records for search: each kind's rows as documents of the index and as results.
import type { Database } from "../../host/sqlite.ts";
import type { RecordKind, SearchResult } from "../../sdk/storage.ts";
import type { Marks, Turn } from "../../sdk/turn.ts";
import type { ScoredDocument, SearchDocument } from "../../search/index.ts";
import { estimateTokens } from "../../text/text.ts";
import { recordKinds, recordOf } from "../kinds.ts";
import { type Read, readKind } from "../rows.ts";
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

/** The records of documents, by the documents' ids; those that are gone are left out. */
export function loadFound(db: Database, ids: readonly string[]): Map<string, Found> {
  const rows = Map.groupBy(
    ids.flatMap((id) => recordOf(id) ?? []),
    ({ kind }) => kind,
  );
  const found = new Map<string, Found>();
  for (const [kind, list] of rows) {
    const numbers = JSON.stringify(list.map(({ row }) => row));
    for (const one of readFound(db, kind, "IN (SELECT value FROM json_each(?))", [numbers]))
      found.set(one.document.id, one);
  }
  return found;
}

/** Every record, in pages that are read when they are asked for. */
export function* allDocuments(db: Database, page: number): Generator<SearchDocument[]> {
  for (const kind of recordKinds)
    for (let last = 0; ; ) {
      const found = readFound(db, kind, "> ? ORDER BY 1 LIMIT ?", [last, page]);
      yield found.map(({ document }) => document);
      const newest = found.at(-1);
      if (!newest || found.length < page) break;
      last = recordOf(newest.document.id)?.row ?? Number.MAX_SAFE_INTEGER;
    }
}

/** The kind's records whose row's number meets a condition. */
function readFound<Kind extends RecordKind>(
  db: Database,
  kind: Kind,
  rows: string,
  params: Array<string | number>,
): Found[] {
  return readKind(db, kind, `WHERE r.id ${rows}`, params).map(readers[kind]);
}

/** What the user made of it. */
function marksOf({ pinned, hidden, merged, edited }: Marks): {
  marks?: Array<keyof Marks>;
} {
  const marks = Object.entries({ pinned, hidden, merged, edited }).flatMap(([mark, is]) =>
    is ? (mark as keyof Marks) : [],
  );
  return marks.length > 0 ? { marks } : {};
}

const readers: { readonly [Kind in RecordKind]: (read: Read<Kind>) => Found } = {
  observation: ({ record, root }) =>
    found(record, observationDocument(record, root), {
      title: record.title,
      subtitle: record.subtitle,
      facts: record.facts,
      ...(record.supersededBy === undefined ? {} : { supersededBy: record.supersededBy }),
      files: [...new Set([...record.filesModified, ...record.filesRead])],
    }),
  summary: ({ record, root }) =>
    found(record, summaryDocument(record, root), {
      title: short(record.request || record.completed),
      subtitle: record.completed || record.learned,
    }),
  prompt: ({ record }) => found(record, promptDocument(record), { title: short(record.text) }),
  session: ({ record, row }) =>
    found(record, sessionDocument(record, row), {
      title: record.title,
      subtitle: record.subtitle,
      promptNumber: record.prompts,
    }),
  memory: ({ record, createdAt }) =>
    found(record, memoryDocument(record, createdAt), {
      title: short(record.content),
      subtitle: record.context,
    }),
  turn: ({ record, root }) =>
    found(record, turnDocument(record, root), {
      title: short(record.pieces[0]?.text ?? ""),
      subtitle: short(saidLast(record)),
      files: record.files.map(({ path }) => path),
    }),
};

/** Fills what the kinds have in common. */
function found(
  record: Marks & { id: string },
  document: SearchDocument,
  part: Pick<SearchResult, "title"> & Partial<SearchResult>,
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
      id: record.id,
      ...marksOf(record),
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

// What counts for a record beside its words: its kind, its age, and whether a newer one took its place.

/** Prompts repeat the words one searches with without saying what came of it. */
const kindWeights = new Map([
  ["summary", 0.95],
  ["session", 0.85],
  ["prompt", 0.7],
]);
const supersededWeight = 0.5;
const day = 86_400_000;

/** A factor for each document; 0 for those to be left out, and for a prompt whose turn says the same and more, where turns are searched too. */
export function weigher(
  db: Database,
  now: number,
  withTurns: boolean,
  leftOut: ReadonlySet<string>,
) {
  const rowsIn = (sql: string, ids: readonly number[]): Set<number> =>
    ids.length === 0
      ? new Set()
      : new Set(
          db
            .prepare<{ id: number }>(sql)
            .all([JSON.stringify(ids)])
            .map(({ id }) => id),
        );

  return (documents: readonly ScoredDocument[]): number[] => {
    const rows = (kind: string) =>
      documents.flatMap((document) =>
        document.kind === kind ? (recordOf(document.id)?.row ?? []) : [],
      );
    const superseded = rowsIn(
      `SELECT id FROM observations WHERE superseded_by IS NOT NULL
       AND id IN (SELECT value FROM json_each(?))`,
      rows("observation"),
    );
    const repeated = withTurns
      ? rowsIn(
          `SELECT p.id FROM prompts p JOIN turns t ON t.session_id = p.session_id AND t.prompt_number = p.prompt_number
           WHERE p.id IN (SELECT value FROM json_each(?))`,
          rows("prompt"),
        )
      : new Set<number>();
    return documents.map(({ id, kind, time }) => {
      if (leftOut.has(id)) return 0;
      const row = recordOf(id)?.row ?? 0;
      if (kind === "prompt" && repeated.has(row)) return 0;
      const state = kind === "observation" && superseded.has(row) ? supersededWeight : 1;
      return (kindWeights.get(kind) ?? 1) * state * freshness(now - time);
    });
  };
}

/** Age takes a twentieth at most: it decides between records that say the same. */
function freshness(age: number): number {
  return 0.95 + 0.05 * Math.exp(-Math.max(0, age) / day / 60);
}
