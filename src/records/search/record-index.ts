// The search index beside the records: kept whole, kept in step, and packed when nobody waits.
import { type Database, isCorrupt } from "../../host/sqlite.ts";
import { takeOutTables } from "../../host/take-out-tables.ts";
import type { SearchIndexState } from "../../sdk/storage.ts";
import { tableNames } from "../../search/index/schema.ts";
import { createIndex, type SearchDocument, type SearchIndex } from "../../search/index.ts";
import { recordTables } from "../kinds.ts";
import { allDocuments } from "./found.ts";

/** The index of a database of records. */
export type RecordIndex = ReturnType<typeof openRecordIndex>;
/** What writers of records need of it. */
export type Findable = Pick<RecordIndex, "put">;

/** From this many waiting documents on they are packed, so many at a time, with a pause between. */
const waiting = 256;
const packedAtOnce = 32;
const pauseMs = 100;
/** Records read at once where nothing else waits, and where others do. */
const whole = 4_096;
const few = 128;
/** So many records are read at once by whoever finds that it has to be done; of more, only the first. */
const mostAtOnce = 4_096;

/** What is left of an index whose pages are damaged is taken out of a closed file; the next to open it makes it anew. */
export async function takeOutIndex(path: string): Promise<void> {
  await takeOutTables(path, tableNames);
}

/** Opens the index; one that is missing, old, torn, cut off in its making or out of step is made anew. The records stay as they are. */
export function openRecordIndex(db: Database, now: () => number = Date.now) {
  const index = createIndex(db);
  const idle = idleWork(db, index);
  let madeAnewAt: number | undefined;

  function forgetDeleted(): void {
    const gone = db.prepare<{ document: string }>("SELECT document FROM unsearched");
    if (gone.get() === undefined) return;
    db.transaction(() => {
      for (const { document } of gone.all()) index.remove(document);
      db.exec("DELETE FROM unsearched");
    });
  }

  function isInStep(): boolean {
    try {
      forgetDeleted();
      return index.isWhole() && index.documents() === recordCount(db) && index.isSound();
    } catch (error) {
      if (!isTorn(error)) throw error;
      return false;
    }
  }

  function repair(): void {
    if (recordCount(db) > 0) madeAnewAt = now();
    if (recordCount(db) > mostAtOnce) {
      idle.rebuild();
      return;
    }
    for (const _ of index.rebuild(allDocuments(db, whole)));
    db.exec("DELETE FROM unsearched");
  }

  if (!isInStep()) repair();
  return {
    /** Makes or replaces a record's document; call it inside the transaction that writes the record. */
    put(document: SearchDocument): void {
      try {
        index.put(document);
      } catch (error) {
        // The record is kept, and will be in the index that is made anew.
        if (!isTorn(error)) throw error;
        idle.rebuildSoon();
      }
    },
    /**
     * Asks the index as it is now: what was deleted by any hand is forgotten first. One that turns out to be torn is made anew,
     * and asked again: many records take a while, and until then what is in it already is found.
     */
    ask<Answer>(question: (index: SearchIndex) => Answer): Answer {
      try {
        forgetDeleted();
        return question(index);
      } catch (error) {
        if (!isTorn(error)) throw error;
        repair();
        return question(index);
      }
    },
    /** Packs some of the newest documents, a few at a time, once nothing else is to be done. */
    packLater: idle.packLater,
    /** Begins to make the index anew, a few records at a time; one that is under way begins again. Gives how many records there are. */
    rebuildLater(): number {
      idle.rebuild();
      return recordCount(db);
    },
    /** How far it is. */
    state(): SearchIndexState {
      const isWhole = index.isWhole();
      const records = recordCount(db);
      const indexed = isWhole ? records : idle.done();
      return { isWhole, records, indexed, ...(madeAnewAt === undefined ? {} : { madeAnewAt }) };
    },
    close: idle.stop,
  };
}

/** What is done to an index a little at a time, others having their turn in between. */
function idleWork(db: Database, index: SearchIndex) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let rebuilding: { steps: Generator<number, void>; done: number } | undefined;

  function rebuild(): void {
    clearTimeout(timer);
    db.exec("DELETE FROM unsearched");
    rebuilding = { steps: index.rebuild(allDocuments(db, few)), done: 0 };
    step();
  }

  /** One batch of an index that is being made. */
  function step(): void {
    timer = undefined;
    if (!rebuilding) return;
    const { value, done } = rebuilding.steps.next();
    if (done) rebuilding = undefined;
    else rebuilding.done = value;
    if (rebuilding) timer = setTimeout(quietly(step), 1);
    else packLater();
  }

  function packLater(): void {
    if (timer !== undefined || index.waiting() < waiting) return;
    timer = setTimeout(
      quietly(() => {
        timer = undefined;
        index.pack(packedAtOnce);
        packLater();
      }),
      pauseMs,
    );
    // A process that is done need not stay for it.
    timer.unref?.();
  }

  return {
    packLater,
    rebuild,
    /** When whoever writes is done. */
    rebuildSoon(): void {
      clearTimeout(timer);
      timer = setTimeout(quietly(rebuild), 1);
    },
    /** Documents of an index that is being made, so far. */
    done: () => rebuilding?.done ?? 0,
    stop: () => clearTimeout(timer),
  };
}

/** What meets damage while nobody asks leaves it to whoever asks next, and is told by them. */
function quietly(work: () => void): () => void {
  return () => {
    try {
      work();
    } catch (error) {
      if (!isTorn(error) && !isCorrupt(error)) throw error;
    }
  };
}

/** What reading cut bytes and texts, or missing tables, throws; damage of the file itself is another matter. */
function isTorn(error: unknown): boolean {
  if (error instanceof RangeError || error instanceof SyntaxError) return true;
  return error instanceof Error && /no such (?:table|index|column)/.test(error.message);
}

function recordCount(db: Database): number {
  const counts = recordTables.map((table) => `(SELECT count(*) FROM ${table})`).join(" + ");
  return db.prepare<{ n: number }>(`SELECT ${counts} AS n`).get()?.n ?? 0;
}
