// The search index beside the records: kept whole, kept in step, and packed when nobody waits.
import type { Database } from "../../host/sqlite.ts";
import { createIndex, type SearchDocument, type SearchIndex } from "../../search/index.ts";
import { allDocuments } from "./kinds.ts";

/** What writers of records need of the index. */
export interface Findable {
  /** Makes or replaces a record's document; call it inside the transaction that writes the record. */
  put(document: SearchDocument): void;
}

/** The index of a database of records. */
export interface RecordIndex extends Findable {
  /** As it is now: what was deleted by any hand is forgotten first. */
  current(): SearchIndex;
  /** Packs some of the newest documents, a few at a time, once nothing else is to be done. */
  packLater(): void;
  close(): void;
}

/** From this many waiting documents on they are packed, so many at a time, with a pause between. */
const waiting = 256;
const packedAtOnce = 8;
const pauseMs = 100;

/** Opens the index; one that is missing, old, cut off in its making or out of step is made anew. The records stay as they are. */
export function openRecordIndex(db: Database): RecordIndex {
  const index = createIndex(db);
  let timer: ReturnType<typeof setTimeout> | undefined;

  function forgetDeleted(): void {
    const gone = db.prepare<{ document: string }>("SELECT document FROM unsearched");
    if (gone.get() === undefined) return;
    db.transaction(() => {
      for (const { document } of gone.all()) index.remove(document);
      db.exec("DELETE FROM unsearched");
    });
  }

  function rebuild(): void {
    index.reindex(allDocuments(db));
    db.exec("DELETE FROM unsearched");
  }

  function packLater(): void {
    if (timer !== undefined || index.waiting() < waiting) return;
    timer = setTimeout(() => {
      timer = undefined;
      index.pack(packedAtOnce);
      packLater();
    }, pauseMs);
    // A process that is done need not stay for it.
    timer.unref?.();
  }

  forgetDeleted();
  if (!index.status().isWhole || index.status().documents !== recordCount(db)) rebuild();
  return {
    put: (document) => index.put(document),
    current() {
      forgetDeleted();
      return index;
    },
    packLater,
    close: () => clearTimeout(timer),
  };
}

function recordCount(db: Database): number {
  const tables = ["observations", "session_summaries", "prompts", "sessions", "memory", "turns"];
  const counts = tables.map((table) => `(SELECT count(*) FROM ${table})`).join(" + ");
  return db.prepare<{ n: number }>(`SELECT ${counts} AS n`).get()?.n ?? 0;
}
