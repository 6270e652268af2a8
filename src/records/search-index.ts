// The search index beside the records: kept whole, kept in step, and packed when nobody waits.
import { type Database, isCorrupt } from "../host/sqlite.ts";
import { takeOutTables } from "../host/write-anew.ts";
import { editable } from "../sdk/record-texts.ts";
import type { RecordKind, SearchIndexState } from "../sdk/storage.ts";
import type { Evidence, EvidenceKind } from "../sdk/turn.ts";
import { within } from "../sdk/within.ts";
import { tableNames } from "../search/index/schema.ts";
import { createIndex, type Piece, type SearchDocument, type SearchIndex } from "../search/index.ts";
import { isAbsolutePath } from "../text/text.ts";
import type { Bulk } from "./bulk.ts";
import {
  allKinds,
  documentOf,
  filesOf,
  kinds,
  type RecordOf,
  recordOf,
  recordTables,
} from "./fields.ts";
import { readKind } from "./list.ts";

/** The index of a database of records. */
export type RecordIndex = ReturnType<typeof openRecordIndex>;
/** What writers of records need of it. */
export interface Findable {
  /** Puts a record's document, which is made when it is read; what is left for later is read from its row instead. */
  put(id: string, document: () => SearchDocument): void;
}

/** More are read later, a batch at a time: what waits for the records does not wait for their words. */
const putAtOnce = 64;

/** Keeps what is put of each record last, until `settle` puts all of it at once, or leaves many for later where that may be. */
export function holdingBack(index: Pick<RecordIndex, "putAll" | "putLater">) {
  const documents = new Map<string, () => SearchDocument>();
  return {
    put(id: string, document: () => SearchDocument): void {
      documents.set(id, document);
    },
    settle(mayWait: boolean): void {
      if (mayWait && documents.size >= putAtOnce) index.putLater([...documents.keys()]);
      else index.putAll(...Array.from(documents.values(), (make) => make()));
    },
  };
}

/** From this many unpacked documents on they are packed, so many at a time, with a pause between. */
const packFrom = 256;
const packedAtOnce = 32;
const pauseMs = 100;
/** Of those that were left for later so many are read at a time, some milliseconds; nobody waits for longer. */
export const readAtOnce = 64;
/** So many that were read are written together, a tenth of a second: the more, the less it costs. */
const writtenAtOnce = 256;
/** Of an index that is made anew so many are left for later at a time. */
const notedAtOnce = 4_096;
/** With less, when no more came for so long. */
export const quietMs = 500;
/** Where so many are due, or came one after the other with less than some seconds between, a thread is started that reads and writes them. */
const inBulk = 1_024;
const betweenMs = 5_000;
/** So many are read before a question is answered; more than that, and the answer is of what is there. */
const readBefore = 256;
/** Whoever writes waits no longer for the thread: then the file's own lock says whose turn it is. */
const writePatienceMs = 20_000;
/** So many records are read at once by whoever finds that the index has to be made anew; of more, only the first. */
const mostAtOnce = 4_096;
const few = 128;

/** What is left of an index whose pages are damaged is taken out of a closed file; the next to open it makes it anew. */
export async function takeOutIndex(path: string): Promise<void> {
  await takeOutTables(path, tableNames);
}

/**
 * Opens the index; one that is missing, old, torn, cut off in its making or out of step is made anew. The records stay as they are.
 * `path` is that of the database, where a thread may open it too.
 * Long because it is the list of what is asked of an index, over one file.
 */
export function openRecordIndex(db: Database, now: () => number = Date.now, path?: string) {
  const index = createIndex(db);
  const turns = writersAndThread();
  const idle = idleWork(db, index, turns, path);
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
    idle.rebuild(recordCount(db) <= mostAtOnce);
  }

  function mended<Answer>(work: () => Answer): Answer {
    try {
      return work();
    } catch (error) {
      if (!isTorn(error)) throw error;
      repair();
      return work();
    }
  }

  function putAll(...documents: readonly SearchDocument[]): void {
    try {
      index.put(...documents);
    } catch (error) {
      // The record is kept, and will be in the index that is made anew.
      if (!isTorn(error)) throw error;
      idle.rebuildSoon();
    }
  }

  if (!isInStep()) repair();
  idle.packLater();
  return {
    /** Makes or replaces records' documents; call it inside the transaction that writes the records. */
    putAll,
    /** The same of one record. */
    put: (_id: string, document: () => SearchDocument): void => putAll(document()),
    /** Resolves once nobody else writes, with what says that it is over: to be called around what writes into the database. */
    write: turns.write,
    /** Leaves the words of many records for when nothing else is to be done; call it inside the transaction that writes them. */
    putLater: idle.later,
    /**
     * Asks the index as it is now: what was deleted by any hand is forgotten first, and a few records that were left for later are read.
     * One that turns out to be torn is made anew, and asked again: many records take a while, and until then what is in it already is found.
     */
    ask: <Answer>(question: (index: SearchIndex) => Answer): Answer =>
      mended(() => {
        forgetDeleted();
        const due = index.dueCount();
        if (due > 0 && due <= readBefore && !idle.isInBulk()) idle.readDue(readBefore);
        return question(index);
      }),
    /** What was deleted by any hand is forgotten. */
    forgetDeleted: (): void => mended(forgetDeleted),
    /** Packs some of the newest documents, a few at a time, once nothing else is to be done. */
    packLater: idle.packLater,
    /** Begins to make the index anew, a few records at a time; one that is under way begins again. Gives how many records there are. */
    rebuildLater(): number {
      idle.rebuild(false);
      return recordCount(db);
    },
    /** How far it is. */
    state(): SearchIndexState {
      const due = index.dueCount();
      const isWhole = index.isWhole() && due === 0;
      const records = recordCount(db);
      const indexed = Math.max(0, (index.isWhole() ? records : idle.noted()) - due);
      return { isWhole, records, indexed, ...(madeAnewAt === undefined ? {} : { madeAnewAt }) };
    },
    close: idle.stop,
  };
}

/** Those who write into the database here, any number at a time, and the thread that writes into its index: never both. */
function writersAndThread() {
  let writers = 0;
  /** Begins the thread's turn, once nobody else writes. */
  let letWrite: (() => void) | undefined;
  let writing: PromiseWithResolvers<void> | undefined;

  function next(): void {
    if (writers > 0 || !letWrite) return;
    const begin = letWrite;
    letWrite = undefined;
    writing = Promise.withResolvers();
    begin();
  }

  return {
    async write(): Promise<() => void> {
      if (writing) await within(writePatienceMs, writing.promise, undefined);
      writers++;
      return () => {
        writers--;
        next();
      };
    },
    /** Lets the thread write once nobody else does. */
    letThread(write: () => void): void {
      letWrite = write;
      next();
    },
    /** It is done, or gone. */
    threadWrote(): void {
      letWrite = undefined;
      writing?.resolve();
      writing = undefined;
    },
  };
}

/** What is done to an index a little at a time, others having their turn in between. Long because its short steps share one timer. */
function idleWork(
  db: Database,
  index: SearchIndex,
  turns: ReturnType<typeof writersAndThread>,
  path: string | undefined,
) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** What a thread does at the time. */
  let bulk: Promise<Bulk> | undefined;
  let mayBulk = true;
  let isStopped = false;
  /** The records of an index that is being made, a page at a time, and how many of them are noted. */
  let rebuilding: { pages: Generator<string[]>; noted: number } | undefined;

  const find = (ids: readonly string[]) => documentsOf(db, ids);
  /** How many came in a row, and when the last of them did. */
  const streak = { length: 0, at: 0 };

  function later(ids: readonly string[]): void {
    const at = performance.now();
    streak.length = (at - streak.at > betweenMs ? 0 : streak.length) + ids.length;
    streak.at = at;
    index.later(ids);
  }

  const isMore = () => index.dueCount() > 0 || noteMore();
  const tellBulk = (tell: (one: Bulk) => void) => void bulk?.then(tell, () => undefined);

  /** What is left to do goes on in a thread; where that fails, here. */
  function goOnInBulk(file: string): void {
    index.forgetRead();
    const over = (isFailed: boolean) => {
      turns.threadWrote();
      bulk = undefined;
      mayBulk &&= !isFailed;
      if (!isStopped) quietly(packLater)();
    };
    let isLeft = false;
    const look = quietly(() => {
      isLeft = !isStopped && isMore();
    });
    const empty = () => {
      look();
      return isLeft;
    };
    const owner = { full: turns.letThread, written: turns.threadWrote, empty, over };
    bulk = import("./bulk.ts").then(({ startBulk }) => startBulk(file, owner));
    bulk.catch(() => over(true));
  }

  /** Makes it anew: all of it at once, or begins to, with the first few. */
  function rebuild(isAtOnce: boolean): void {
    clearTimeout(timer);
    timer = undefined;
    tellBulk((one) => one.anew());
    index.begin();
    db.exec("DELETE FROM unsearched");
    rebuilding = { pages: allIds(db, notedAtOnce), noted: 0 };
    while (noteMore()) {
      readDue(isAtOnce ? mostAtOnce : few);
      if (!isAtOnce) break;
    }
    packLater();
  }

  /** Notes the next page; false where there was none, and the index is whole once those that are due are read. */
  function noteMore(): boolean {
    const page = rebuilding?.pages.next().value;
    if (rebuilding && page) {
      later(page);
      rebuilding.noted += page.length;
      return true;
    }
    if (rebuilding) index.end();
    rebuilding = undefined;
    return false;
  }

  /** Puts up to so many of those that were left for later, and all that was read of them. */
  function readDue(most: number): void {
    if (index.readCount() < most) index.read(most - index.readCount(), find);
    index.settle();
  }

  /** A few of those that are due; what was read is written once it is enough, or no more come. */
  function readLater(): void {
    const due = index.dueCount();
    const isAllRead = index.readCount() >= due;
    clearTimeout(timer);
    timer = setTimeout(
      quietly(() => {
        timer = undefined;
        const read = index.readCount() < writtenAtOnce ? index.read(readAtOnce, find) : 0;
        if (read === 0) index.settle();
        packLater();
      }),
      isAllRead && !rebuilding && due < writtenAtOnce ? quietMs : 1,
    );
    timer.unref?.();
  }

  function packLater(): void {
    if (bulk) {
      tellBulk((one) => one.more());
      return;
    }
    if (isMore()) {
      const isMany = streak.length >= inBulk || index.dueCount() >= inBulk;
      if (path !== undefined && mayBulk && isMany) goOnInBulk(path);
      else readLater();
      return;
    }
    if (timer !== undefined || index.unpacked() < packFrom) return;
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
    later,
    readDue,
    rebuild,
    /** When whoever writes is done. */
    rebuildSoon(): void {
      clearTimeout(timer);
      timer = setTimeout(
        quietly(() => rebuild(false)),
        1,
      );
    },
    /** Records of an index that is being made: in it, or due. */
    noted: () => rebuilding?.noted ?? 0,
    isInBulk: () => bulk !== undefined,
    stop(): void {
      clearTimeout(timer);
      isStopped = true;
      tellBulk((one) => one.close());
    },
  };
}

/** What meets damage while nobody asks leaves it to whoever asks next. */
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

// Records as documents of the search index: which of their texts stands in which field.

/** Every record's document by its id, in pages that are read when they are asked for. */
function* allIds(db: Database, page: number): Generator<string[], undefined> {
  for (const kind of allKinds)
    for (let last = 0; ; ) {
      const sql = `SELECT id FROM ${kinds[kind].table} WHERE id > ? ORDER BY id LIMIT ?`;
      const rows = db.all<{ id: number }>(sql, [last, page]);
      last = rows.at(-1)?.id ?? 0;
      if (rows.length > 0) yield rows.map(({ id: row }) => documentOf({ kind, row }));
      if (rows.length < page) break;
    }
}

/** Those of some ids that are there, in the order in which they are asked for. */
export function documentsOf(db: Database, ids: readonly string[]): SearchDocument[] {
  const found = new Map<string, SearchDocument>();
  const asked = ids.flatMap((id) => recordOf(id) ?? []);
  for (const [kind, rows] of Map.groupBy(asked, (one) => one.kind)) {
    const all = JSON.stringify(rows.map(({ row }) => row));
    const where = "WHERE r.id IN (SELECT value FROM json_each(?))";
    for (const read of readKind(db, kind, where, [all])) {
      const document = searchDocument(kind, read.record, read);
      found.set(document.id, document);
    }
  }
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** What a document says beside its record. */
interface Beside {
  row: number;
  /** The folder of the record's session, or empty: files are found by their absolute paths as well. */
  root?: string;
  /** The id of its project as it was captured, where the record says another. */
  captured?: string;
  /** Epoch ms; of a memory item, whose date says no time. */
  createdAt?: number;
}

/** What records have in common, as far as the index is concerned. */
interface AnyRecord {
  session?: string;
  id: string;
  client?: string;
  project: string | { id: string };
  type?: string;
  time?: number;
  startedAt?: number;
  promptNumber?: number;
  concepts?: readonly string[];
}

/** A record as a document of the index. */
export function searchDocument<Kind extends RecordKind>(
  kind: Kind,
  record: RecordOf<Kind>,
  { row, root = "", captured, createdAt }: Beside,
): SearchDocument {
  const of: AnyRecord = record;
  const { modified = [], read = [] } = filesOf(kind, record);
  const files = [...modified, ...read];
  const { id, session = id, client, project, type = kind, promptNumber, concepts } = of;
  return {
    id: documentOf({ kind, row }),
    kind,
    type,
    session,
    ...(client !== undefined && { client }),
    project: captured ?? (typeof project === "string" ? project : project.id),
    time: of.startedAt ?? of.time ?? createdAt ?? 0,
    ...(promptNumber !== undefined && { position: promptNumber }),
    ...(concepts && { concepts }),
    files: files.map((path) => (root === "" || isAbsolutePath(path) ? path : `${root}/${path}`)),
    pieces: pieces[kind](record, files),
  };
}

const pieces: {
  readonly [Kind in RecordKind]: (record: RecordOf<Kind>, files: readonly string[]) => Piece[];
} = {
  observation: (record, files) => [
    ...textPieces(editable.observation, record),
    ...piecesOf("label", record.concepts.join("\n"), files.join("\n")),
  ],
  summary: (record, files) => [
    ...textPieces(weightyFirst, record),
    ...piecesOf("label", files.join("\n")),
  ],
  session: (record) => [
    ...textPieces(editable.session, record),
    ...piecesOf("label", record.project.branch ?? ""),
  ],
  prompt: ({ text }) => piecesOf("prompt", text),
  memory: (record) => [
    ...textPieces(editable.memory, record),
    ...piecesOf("text", record.quote ?? ""),
    ...piecesOf("label", record.kind),
  ],
  turn: (record) => record.pieces.flatMap(evidencePieces),
};

/** Where the words of a text by its name stand; of any other they are text. */
const fieldsOfTexts: Readonly<Record<string, Piece["field"]>> = {
  title: "title",
  subtitle: "subtitle",
  facts: "fact",
  content: "fact",
  request: "title",
  learned: "fact",
  completed: "fact",
  nextSteps: "subtitle",
};
const isWeighty = (name: string) => Object.hasOwn(fieldsOfTexts, name);
/** The texts of a summary, those that count for more than text before the others. */
const weightyFirst = editable.summary.toSorted(
  (a, b) => Number(isWeighty(b)) - Number(isWeighty(a)),
);

/** The texts that a record has. */
function textPieces(names: readonly string[], record: object): Piece[] {
  return names.flatMap((name) =>
    piecesOf(fieldsOfTexts[name] ?? "text", ...[Reflect.get(record, name) ?? []].flat()),
  );
}

function piecesOf(field: Piece["field"], ...texts: readonly string[]): Piece[] {
  return texts.map((text) => ({ field, text }));
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
  published: "commit",
  failure: "failure",
  repair: "failure",
  passed: "described",
  ran: "described",
};

/** Two for each piece of evidence: its text, and what it is about. */
function evidencePieces({ kind, text, about, described }: Evidence): Piece[] {
  return [
    { field: fieldOf[kind], text },
    {
      field: "described",
      text: [described, about].filter((part) => part !== undefined).join("\n"),
    },
  ];
}

/** The evidence that a piece of a turn's document comes from. */
export function evidenceAt(piece: number): number {
  return Math.floor(piece / 2);
}
