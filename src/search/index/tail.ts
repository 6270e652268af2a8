// The newest documents: one row each, as they came, until they are packed.
import type { Database } from "../../host/sqlite.ts";
import { type Analysed, analyse, type Passage } from "../analyse.ts";
import type { SearchDocument } from "../document.ts";
import type { Counts } from "./forward.ts";
import { changeTail, newStamp } from "./schema.ts";

/** A row of the tail. */
export interface TailRow {
  number: number;
  stamp: number;
  id: string;
  kind: string;
  session: string;
  project: string;
  time: number;
  position: number;
  analysed: string;
}

/** A document that is not packed yet, ready to be compared. */
export interface TailDocument extends Omit<TailRow, "analysed"> {
  analysed: Analysed;
  counts: Counts<string>;
  labels: ReadonlySet<string>;
}

type KeptPassage = [
  field: number,
  piece: number,
  start: number,
  end: number,
  terms: string,
  names: string,
];
interface Kept {
  p: KeptPassage[];
  l: string[];
  w: Array<[term: string, word: string]>;
}

/** Adds a document whose id the index does not hold; call it inside the transaction that writes its record. */
export function addToTail(db: Database, document: SearchDocument): void {
  const { passages, labels, words } = analyse(document);
  const kept: Kept = {
    p: passages.map(({ field, piece, start, end, terms, names }) => [
      field,
      piece,
      start,
      end,
      terms.join(" "),
      names.join(" "),
    ]),
    l: labels,
    w: [...words],
  };
  db.prepare(
    "INSERT INTO search_tail (stamp, id, kind, session, project, time, position, analysed) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
  ).run([
    newStamp(),
    document.id,
    document.kind,
    document.session,
    document.project,
    document.time,
    document.position ?? 0,
    JSON.stringify(kept),
  ]);
  changeTail(db);
}

/** What a row holds. Throws when it is not what was written. */
export function parseTail({ analysed }: TailRow): Analysed {
  const kept = JSON.parse(analysed) as Kept;
  return {
    passages: kept.p.map(
      ([field, piece, start, end, terms, names]): Passage => ({
        field,
        piece,
        start,
        end,
        terms: split(terms),
        names: split(names),
      }),
    ),
    labels: kept.l,
    words: new Map(kept.w),
  };
}

function split(text: string): string[] {
  return text === "" ? [] : text.split(" ");
}
