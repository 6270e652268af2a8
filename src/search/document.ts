// What is indexed: a turn, or a record derived from one, as pieces of text of different weight.

// Labels: what filters look for, kept in the index beside the words. They begin with "=", which no word does.

const mark = "=";

export const typeLabel = (type: string): string => `${mark}type:${type}`;
export const clientLabel = (client: string): string => `${mark}client:${client}`;
/** Concepts compare without case. */
export const conceptLabel = (concept: string): string =>
  `${mark}concept:${concept.normalize("NFKC").toLowerCase()}`;

const filePrefix = `${mark}file:`;
const separator = "\u0001";

/** The name comes first, so that all files of one name stand together. */
export function fileLabel(path: string): string {
  const clean = slashed(path);
  return `${filePrefix}${baseName(clean)}${separator}${clean}`;
}

/** The path that a file's label stands for. */
export function pathOf(label: string): string {
  return label.slice(label.indexOf(separator) + 1);
}

/** What the labels of all files begin with, or of those of one name. */
export function fileLabels(name?: string): string {
  return name === undefined ? filePrefix : `${filePrefix}${name}${separator}`;
}

/** True when `asked` names the file `path`: the whole of it, the end of it, or a folder above it. */
export function isFile(path: string, asked: string): boolean {
  const wanted = slashed(asked);
  const folder = wanted.replace(/\/+$/, "");
  if (folder === "") return false;
  const isFolderOnly = wanted.endsWith("/");
  return (
    (!isFolderOnly && (path === wanted || path.endsWith(`/${wanted}`))) ||
    path.startsWith(`${folder}/`) ||
    path.includes(folder.startsWith("/") ? `${folder}/` : `/${folder}/`)
  );
}

/** One notation of a path. */
export function slashed(path: string): string {
  return path.replaceAll("\\", "/").replace(/^(?:\.\/)+/, "");
}

/** The last part of a path in one notation. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

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
