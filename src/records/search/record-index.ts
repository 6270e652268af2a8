// The search index beside the records: kept whole, kept in step, and packed when nobody waits.
import type { Database } from "../../host/sqlite.ts";
import type { SearchIndexState } from "../../sdk/storage.ts";
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
  /** Begins to make the index anew, a few records at a time; one that is under way begins again. Gives how many records there are. */
  rebuildLater(): number;
  /** How far it is. */
  state(): SearchIndexState;
  close(): void;
}

/** From this many waiting documents on they are packed, so many at a time, with a pause between. */
const waiting = 256;
const packedAtOnce = 8;
const pauseMs = 100;
/** Records read at once where nothing else waits, and where others do. */
const whole = 4_096;
const few = 128;

/** Opens the index; one that is missing, old, cut off in its making or out of step is made anew. The records stay as they are. */
export function openRecordIndex(db: Database): RecordIndex {
  const index = createIndex(db);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let rebuilding: { steps: Generator<number, void>; done: number } | undefined;

  function forgetDeleted(): void {
    const gone = db.prepare<{ document: string }>("SELECT document FROM unsearched");
    if (gone.get() === undefined) return;
    db.transaction(() => {
      for (const { document } of gone.all()) index.remove(document);
      db.exec("DELETE FROM unsearched");
    });
  }

  function rebuild(): void {
    for (const _ of index.rebuild(allDocuments(db, whole)));
    db.exec("DELETE FROM unsearched");
  }

  function rebuildLater(): number {
    clearTimeout(timer);
    forgetDeleted();
    rebuilding = { steps: index.rebuild(allDocuments(db, few)), done: 0 };
    step();
    return recordCount(db);
  }

  /** One batch of an index that is being made; the rest after others had their turn. */
  function step(): void {
    timer = undefined;
    if (!rebuilding) return;
    const { value, done } = rebuilding.steps.next();
    if (done) rebuilding = undefined;
    else rebuilding.done = value;
    if (rebuilding) timer = setTimeout(step, 1);
    else packLater();
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
    rebuildLater,
    state() {
      const { isWhole } = index.status();
      const records = recordCount(db);
      return { isWhole, records, indexed: isWhole ? records : (rebuilding?.done ?? 0) };
    },
    close: () => clearTimeout(timer),
  };
}

function recordCount(db: Database): number {
  const tables = ["observations", "session_summaries", "prompts", "sessions", "memory", "turns"];
  const counts = tables.map((table) => `(SELECT count(*) FROM ${table})`).join(" + ");
  return db.prepare<{ n: number }>(`SELECT ${counts} AS n`).get()?.n ?? 0;
}
