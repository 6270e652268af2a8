// Records as documents of the search index: which of their texts stands in which field.

import {
  type MemoryItem,
  type Observation,
  type Prompt,
  type Session,
  type Summary,
  type SummaryText,
  summaryTextNames,
} from "../../sdk/model.ts";
import type { Evidence, EvidenceKind, Turn } from "../../sdk/turn.ts";
import type { Piece, SearchDocument } from "../../search/index.ts";
import { isAbsolutePath } from "../kinds.ts";

/** `root` is the folder of the record's session, or empty: files are found by their absolute paths as well. */
export function observationDocument(record: Observation, root: string): SearchDocument {
  const { id, session, client, project, type, time, promptNumber, concepts } = record;
  const files = [...record.filesModified, ...record.filesRead];
  return {
    ...{ id, kind: "observation", session, client, project, type, time, concepts },
    position: promptNumber,
    files: absolute(files, root),
    pieces: pieces({
      title: [record.title],
      subtitle: [record.subtitle],
      fact: record.facts,
      text: [record.narrative],
      label: [concepts.join("\n"), files.join("\n")],
    }),
  };
}

/** The texts of a summary that count for more than text. */
const weighty: readonly SummaryText[] = ["request", "learned", "completed", "nextSteps"];

/** Of a summary. */
export function summaryDocument(record: Summary, root: string): SearchDocument {
  const { id, session, client, project, time, promptNumber } = record;
  const files = [...record.filesEdited, ...record.filesRead];
  return {
    ...{ id, kind: "summary", type: "summary", session, client, project, time },
    position: promptNumber,
    files: absolute(files, root),
    pieces: pieces({
      title: [record.request],
      fact: [record.learned, record.completed],
      subtitle: [record.nextSteps],
      text: summaryTextNames.filter((name) => !weighty.includes(name)).map((name) => record[name]),
      label: [files.join("\n")],
    }),
  };
}

/** Of a prompt. */
export function promptDocument(record: Prompt): SearchDocument {
  const { id, session, client, project, time, promptNumber } = record;
  return {
    ...{ id, kind: "prompt", type: "prompt", session, client, project, time },
    position: promptNumber,
    pieces: [{ field: "prompt", text: record.text }],
  };
}

/** Of a session; it goes by the number of its row, for two clients may use one id. */
export function sessionDocument(
  record: Pick<Session, "id" | "client" | "title" | "subtitle" | "startedAt"> & {
    project: { id: string; branch?: string | undefined };
  },
  row: number,
): SearchDocument {
  const { id, client, project, title, subtitle, startedAt } = record;
  return {
    ...{ id: `session ${row}`, kind: "session", type: "session", client, time: startedAt },
    session: id,
    project: project.id,
    pieces: pieces({ title: [title], subtitle: [subtitle], label: [project.branch ?? ""] }),
  };
}

/** Of a memory item; `time` is epoch ms. */
export function memoryDocument(record: MemoryItem, time: number): SearchDocument {
  const { id, session, project, content, context, kind, quote = "" } = record;
  return {
    ...{ id, kind: "memory", type: "memory", session, project, time },
    pieces: pieces({ fact: [content], text: [context, quote], label: [kind] }),
  };
}

/** Where the words of each kind of evidence stand. */
const fieldOf: Record<EvidenceKind, Piece["field"]> = {
  prompt: "prompt",
  typed: "prompt",
  refusal: "prompt",
  choice: "asked",
  plan: "asked",
  interrupted: "described",
  closing: "said",
  said: "said",
  task: "asked",
  todo: "asked",
  report: "said",
  compaction: "said",
  commit: "commit",
  failure: "failure",
  repair: "failure",
  passed: "described",
  ran: "described",
};

/** Of a turn. */
export function turnDocument(record: Turn, root: string): SearchDocument {
  const { id, session, client, project, promptNumber, startedAt, files } = record;
  return {
    ...{ id, kind: "turn", type: "turn", session, client, project, time: startedAt },
    position: promptNumber,
    files: absolute(
      files.map(({ path }) => path),
      root,
    ),
    pieces: turnPieces(record.pieces),
  };
}

/** Two for each piece of evidence: its text, and what it is about. */
function turnPieces(evidence: readonly Evidence[]): Piece[] {
  return evidence.flatMap(({ kind, text, about, described }): Piece[] => [
    { field: fieldOf[kind], text },
    {
      field: "described",
      text: [described, about].filter((part) => part !== undefined).join("\n"),
    },
  ]);
}

/** The evidence that a piece of a turn's document comes from. */
export function evidenceAt(piece: number): number {
  return Math.floor(piece / 2);
}

function pieces(texts: Partial<Record<Piece["field"], readonly string[]>>): Piece[] {
  return Object.entries(texts).flatMap(([field, list]) =>
    list.map((text) => ({ field: field as Piece["field"], text })),
  );
}

function absolute(files: readonly string[], root: string): string[] {
  return files.map((path) => (root === "" || isAbsolutePath(path) ? path : `${root}/${path}`));
}
