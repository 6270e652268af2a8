// Documents for tests of search, and an index to put them into.
import { type Database, openDatabase } from "../../src/host/sqlite.ts";
import { createIndex, type SearchDocument, type SearchIndex } from "../../src/search/index.ts";

/** Noon of a day, the time of documents that name none. */
export const noon = Date.UTC(2026, 10, 2, 12);

/** A document of one text; its id is `d1` unless told. */
export function document(text: string, part: Partial<SearchDocument> = {}): SearchDocument {
  return {
    id: "d1",
    kind: "turn",
    session: "s1",
    project: "shop",
    time: noon,
    pieces: [{ field: "said", text }],
    ...part,
  };
}

/** Makes an index anew, of all documents at once. */
export function reindex(index: SearchIndex, documents: readonly SearchDocument[]): void {
  index.begin();
  index.later(documents.map(({ id }) => id));
  index.read(documents.length, () => documents);
  index.settle();
  index.end();
}

/** An empty index in memory. */
export async function emptyIndex(): Promise<{ db: Database; index: SearchIndex }> {
  const db = await openDatabase(":memory:");
  const index = createIndex(db);
  reindex(index, []);
  return { db, index };
}

/** An index of texts, one document and session each: `d0` in `s0`, `d1` in `s1`, … Packed or not. */
export async function indexOf(texts: readonly string[], packed = true) {
  const { db, index } = await emptyIndex();
  texts.forEach((text, i) => {
    index.put(document(text, { id: `d${i}`, session: `s${i}`, time: noon + i }));
  });
  if (packed) index.pack(texts.length);
  return { db, index, ids: (...found: string[]) => idsOf(index, ...found) };
}

/** Ids of what is found, best first. */
export function idsOf(index: SearchIndex, ...texts: string[]): string[] {
  return index.search({ texts }).hits.map(({ id }) => id);
}
