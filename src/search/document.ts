// What is indexed: a turn, or a record derived from one, as pieces of text of different weight.

/**
 * The fields of a document. `document` weighs a field's words when documents are picked, `passage` its passages when those
 * are ranked; 0: its words lead to the document, and are shown as what was found only where nothing else of it was.
 */
export const fields = {
  prompt: { code: 0, document: 1, passage: 1 },
  said: { code: 1, document: 1, passage: 1 },
  commit: { code: 2, document: 1.5, passage: 1.2 },
  asked: { code: 3, document: 0.5, passage: 0.7 },
  described: { code: 4, document: 0.5, passage: 0 },
  failure: { code: 5, document: 0.5, passage: 0.7 },
  title: { code: 6, document: 1, passage: 1.1 },
  subtitle: { code: 7, document: 1, passage: 1 },
  fact: { code: 8, document: 1, passage: 1.05 },
  text: { code: 9, document: 1, passage: 1 },
  label: { code: 10, document: 0.5, passage: 0.6 },
} as const;
/** Where in a document a text stands. */
export type Field = keyof typeof fields;

const names = new Map<number, Field>(
  Object.entries(fields).map(([name, { code }]) => [code, name as Field]),
);

/** The field with a code; `text` for a code that a newer version wrote. */
export function fieldOf(code: number): Field {
  return names.get(code) ?? "text";
}

/** One text of a document. Its place is its index in `pieces`. */
export interface Piece {
  field: Field;
  text: string;
}

/** What is found: one record. */
export interface SearchDocument {
  /** The caller's own; a later document of the same id replaces the earlier. */
  id: string;
  /** `turn`, `observation` and the like. */
  kind: string;
  session: string;
  project: string;
  /** Epoch ms. */
  time: number;
  /** Where it stands in its session, for neighbours: a prompt's number. */
  position?: number;
  client?: string;
  type?: string;
  concepts?: readonly string[];
  /** Paths, absolute where that is known. */
  files?: readonly string[];
  pieces: readonly Piece[];
}
