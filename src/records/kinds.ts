// The six kinds of record: where the rows of each stand, and what a row is called by people and by the search index.
import type { RecordKind } from "../sdk/storage.ts";

interface Kind {
  table: string;
  /** An id is this letter and the row's number: `o12`. Sessions go by the client's own id. */
  letter?: string;
  /** Has rows of files that it names, in a table of its own. */
  files?: string;
}

/** By kind, in the order in which a new index is filled. */
export const kinds = {
  observation: { table: "observations", letter: "o", files: "observation_files" },
  summary: { table: "session_summaries", letter: "s", files: "summary_files" },
  session: { table: "sessions" },
  prompt: { table: "prompts", letter: "p" },
  memory: { table: "memory", letter: "m" },
  turn: { table: "turns", letter: "t", files: "turn_files" },
} as const satisfies Record<RecordKind, Kind>;
type NumberedKind = Exclude<RecordKind, "session">;
/** A kind whose records name files. */
export type FileKind = "observation" | "summary" | "turn";

/** All kinds, as they are searched where none are named. */
export const recordKinds = Object.keys(kinds) as readonly RecordKind[];
/** Their tables. */
export const recordTables: readonly string[] = Object.values(kinds).map(({ table }) => table);

/** A record by its kind and the number of its row. */
export interface RecordRow {
  kind: RecordKind;
  row: number;
}

/** `o12` for the observation in row 12. */
export function idOf(kind: NumberedKind, row: number): string {
  return `${kinds[kind].letter}${row}`;
}

/** The kind and row an id means, or undefined when it has not the form of one. */
export function parseId(id: string): { kind: NumberedKind; row: number } | undefined {
  const match = /^([a-z])([1-9]\d{0,15})$/.exec(id);
  const kind = recordKinds.find((one) => one !== "session" && kinds[one].letter === match?.[1]);
  return kind && { kind: kind as NumberedKind, row: Number(match?.[2]) };
}

/** What the index calls a record; of a session its row's number, for two clients may use one id. */
export function documentOf({ kind, row }: RecordRow): string {
  return kind === "session" ? `session ${row}` : idOf(kind, row);
}

/** The kind and row that a document's id stands for. */
export function recordOf(document: string): RecordRow | undefined {
  const session = /^session (\d+)$/.exec(document);
  return session ? { kind: "session", row: Number(session[1]) } : parseId(document);
}

// Paths as they are kept, so that a file leads to the records that name it.

/** Forward slashes, no leading `./`: `.\\src\\a.ts` and `./src/a.ts` are both `src/a.ts`. */
export function slashed(path: string): string {
  return path
    .replaceAll("\\", "/")
    .replace(/^(?:\.\/)+/, "")
    .replace(/(?<=.)\/+$/, "");
}

/** True for `/a` and `C:/a`. */
export function isAbsolutePath(path: string): boolean {
  return /^(?:\/|[A-Za-z]:\/)/.test(slashed(path));
}
