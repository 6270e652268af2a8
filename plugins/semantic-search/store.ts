// What is kept of turns: their passages' vectors on disk, and in memory what finds the nearest of them.
import type { Database } from "../../src/records/index.ts";
import type { Turn } from "../../src/sdk/index.ts";
import {
  bytesOf,
  centreOf,
  codeOf,
  createNearest,
  dot,
  floatsOf,
  type KeptTurn,
  wordsOf,
} from "./nearest.ts";
import type { Passage } from "./passages.ts";

/** A passage near to a question. */
export interface Near {
  turn: string;
  /** Of the passage's text. */
  hash: string;
  /** From -1 to 1. */
  likeness: number;
}

/** The kept vectors. Everything is synchronous. */
export interface VectorStore {
  note(name: string): string | undefined;
  setNote(name: string, value: string): void;
  /** Forgets everything where the vectors were made otherwise. */
  madeBy(making: string): void;
  /** Numbers in each vector; 0 as long as there is none. */
  dimensions(): number;
  turns(): number;
  passages(): number;
  hashOf(turn: string): string | undefined;
  /** Hashes of the passages of a turn that need no embedding. */
  known(turn: string): Set<string>;
  /** Enters a turn; its vectors are not whole. */
  see(turn: Turn, sweep: number): void;
  touch(turn: string, sweep: number): void;
  /** Turns that are not whole. */
  open(limit: number): string[];
  /** Adds vectors of passages; of a turn that was removed meanwhile nothing is kept. */
  add(list: ReadonlyArray<{ turn: string; passage: Passage; vector: Float32Array | null }>): void;
  /** The turn is whole: what is no passage of it any more goes. */
  finish(turn: string, hash: string, passages: readonly Passage[]): void;
  remove(turns: readonly string[]): void;
  /** Turns that the sweep did not meet. */
  missedBy(sweep: number): string[];
  /** The nearest passages of the turns that pass, the nearest first: by their mean likeness to the vectors, for what is near to one phrasing only is often near by chance. */
  nearest(vectors: readonly Float32Array[], passes: (turn: KeptTurn) => boolean): Near[];
}

/** Vectors from which the centre is taken; below that many all are compared. */
const centreAt = 256;
/** Passages compared exactly, and of them the most that are answered. */
const reranked = 400;
const answered = 200;

/** Reads codes into memory; about 100 bytes a passage. Long because it is the list of what can be asked of it. */
export function createVectorStore(db: Database): VectorStore {
  let centre: Float32Array | undefined;
  let index = load();

  function note(name: string): string | undefined {
    return db.prepare<{ value: string }>("SELECT value FROM notes WHERE name = ?").get([name])
      ?.value;
  }

  function setNote(name: string, value: string): void {
    db.prepare("INSERT OR REPLACE INTO notes (name, value) VALUES (?, ?)").run([name, value]);
  }

  function dimensions(): number {
    return Number(note("dimensions") ?? 0);
  }

  function load() {
    const kept = note("centre");
    centre = kept === undefined ? undefined : Float32Array.from(JSON.parse(kept) as number[]);
    const loaded = createNearest(dimensions());
    for (const turn of keptTurns(db)) loaded.setTurn(turn);
    for (const passage of keptCodes(db)) loaded.add(...passage);
    return loaded;
  }

  /** From so many vectors on each has a code; the centre stays, so that codes go on being comparable. */
  function centreOnce(): void {
    if (centre || index.size() < centreAt) return;
    const kept = keptVectors(db);
    const middle = centreOf(kept.map(({ vector }) => vector));
    db.transaction(() => {
      for (const { number, vector } of kept) setCode(db, number, codeOf(vector, middle));
      setNote("centre", JSON.stringify([...middle]));
    });
    index = load();
  }

  return {
    note,
    setNote,
    madeBy(making) {
      if (note("making") === making) return;
      db.transaction(() => {
        db.exec("DELETE FROM passages; DELETE FROM turns; DELETE FROM notes WHERE name <> 'spent'");
        setNote("making", making);
      });
      giveBack(db);
      index = load();
    },
    dimensions,
    turns: () => countTurns(db),
    passages: () => index.size(),
    hashOf: (turn) => hashOf(db, turn),
    known: (turn) => hashesOf(db, turn),
    see: (turn, sweep) => index.setTurn(enterTurn(db, turn, sweep)),
    touch: (turn, sweep) => touchTurn(db, turn, sweep),
    open: (limit) => openTurns(db, limit),
    add(list) {
      const added: Array<[number: number, turn: string, code: Uint32Array | undefined]> = [];
      db.transaction(() => {
        for (const { turn, passage, vector } of list) {
          if (vector && dimensions() === 0) setNote("dimensions", String(vector.length));
          const code = vector && centre ? codeOf(vector, centre) : undefined;
          const number = addPassage(db, turn, passage, vector, code);
          if (number !== undefined && vector) added.push([number, turn, code]);
        }
      });
      if (index.dimensions === 0) index = load();
      else for (const one of added) index.add(...one);
      centreOnce();
    },
    finish(turn, hash, passages) {
      for (const number of finishTurn(db, turn, hash, passages)) index.remove(number);
    },
    remove(turns) {
      if (turns.length === 0) return;
      deleteTurns(db, turns);
      // What was deleted stands in the log too.
      db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      for (const id of turns) index.removeTurn(id);
    },
    missedBy: (sweep) => turnsMissedBy(db, sweep),
    nearest(vectors, passes) {
      const size = dimensions();
      const fitting = vectors.filter(({ length }) => length === size);
      if (fitting.length === 0) return [];
      const middle = centre;
      const codes = middle && fitting.map((vector) => codeOf(vector, middle));
      return vectorsOf(db, index.candidates(codes, passes, reranked))
        .map(({ turn, hash, vector }) => ({
          ...{ turn, hash },
          likeness: meanOf(fitting.map((query) => dot(query, vector))),
        }))
        .sort((a, b) => b.likeness - a.likeness)
        .slice(0, answered);
    },
  };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

// Turns whose passages have vectors, as rows. An empty hash says that a turn is not whole.

/** All of them, one after the other. */
function keptTurns(db: Database): Iterable<KeptTurn> {
  return db
    .prepare<KeptTurn & Record<string, string | number>>(
      "SELECT id, session, project, client, prompt_number AS promptNumber, time FROM turns",
    )
    .iterate();
}

function countTurns(db: Database): number {
  return db.prepare<{ n: number }>("SELECT count(*) AS n FROM turns").get()?.n ?? 0;
}

function hashOf(db: Database, turn: string): string | undefined {
  return db.prepare<{ hash: string }>("SELECT hash FROM turns WHERE id = ?").get([turn])?.hash;
}

/** Enters a turn, or enters it anew; it is not whole then. */
function enterTurn(db: Database, turn: Turn, sweep: number): KeptTurn {
  const { id, session, project, client, promptNumber, startedAt: time } = turn;
  const kept = { id, session, project, client, promptNumber, time };
  db.prepare(
    `INSERT INTO turns (id, hash, session, project, client, prompt_number, time, sweep)
     VALUES ($id, '', $session, $project, $client, $promptNumber, $time, $sweep)
     ON CONFLICT (id) DO UPDATE SET hash = '', session = $session, project = $project, client = $client,
       prompt_number = $promptNumber, time = $time, sweep = $sweep`,
  ).run({ ...kept, sweep });
  return kept;
}

function touchTurn(db: Database, turn: string, sweep: number): void {
  db.prepare("UPDATE turns SET sweep = ? WHERE id = ?").run([sweep, turn]);
}

/** Turns that are not whole, the newest first. */
function openTurns(db: Database, limit: number): string[] {
  return db
    .prepare<{ id: string }>("SELECT id FROM turns WHERE hash = '' ORDER BY time DESC LIMIT ?")
    .all([limit])
    .map(({ id }) => id);
}

/** Turns that the sweep did not meet. */
function turnsMissedBy(db: Database, sweep: number): string[] {
  return db
    .prepare<{ id: string }>("SELECT id FROM turns WHERE sweep <> ?")
    .all([sweep])
    .map(({ id }) => id);
}

/** With their passages; their bytes leave the files. */
function deleteTurns(db: Database, turns: readonly string[]): void {
  db.transaction(() => {
    for (const id of turns) {
      db.prepare("DELETE FROM passages WHERE turn = ?").run([id]);
      db.prepare("DELETE FROM turns WHERE id = ?").run([id]);
    }
  });
  giveBack(db);
}

/** Else the bytes of what was deleted would stay in the files. */
function giveBack(db: Database): void {
  db.exec("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)");
}

// Passages of turns as rows: each with its hash, its vector and, once there are enough of them, its code. A vector without bytes says that none could be made.

/** Hashes of the passages of a turn that need no embedding. */
function hashesOf(db: Database, turn: string): Set<string> {
  const rows = db.prepare<{ hash: string }>("SELECT hash FROM passages WHERE turn = ?").all([turn]);
  return new Set(rows.map(({ hash }) => hash));
}

/** What the index of codes is made of, in the order it was added. */
function* keptCodes(
  db: Database,
): Generator<[number: number, turn: string, code: Uint32Array | undefined]> {
  const rows = db.prepare<{ number: number; turn: string; code: Uint8Array | null }>(
    "SELECT number, turn, code FROM passages WHERE length(vector) > 0 ORDER BY number",
  );
  for (const { number, turn, code } of rows.iterate())
    yield [number, turn, code ? wordsOf(code) : undefined];
}

/** All vectors, by the numbers of their passages. */
function keptVectors(db: Database): Array<{ number: number; vector: Float32Array }> {
  return db
    .prepare<{ number: number; vector: Uint8Array }>(
      "SELECT number, vector FROM passages WHERE length(vector) > 0",
    )
    .all()
    .map(({ number, vector }) => ({ number, vector: floatsOf(vector) }));
}

function setCode(db: Database, number: number, code: Uint32Array): void {
  db.prepare("UPDATE passages SET code = ? WHERE number = ?").run([bytesOf(code), number]);
}

/** The passage's number; undefined where its turn was removed meanwhile. */
function addPassage(
  db: Database,
  turn: string,
  { hash }: Passage,
  vector: Float32Array | null,
  code: Uint32Array | undefined,
): number | undefined {
  const { changes, lastInsertRowid } = db
    .prepare(
      `INSERT INTO passages (turn, hash, code, vector)
       SELECT $turn, $hash, $code, $vector WHERE EXISTS (SELECT 1 FROM turns WHERE id = $turn)`,
    )
    .run({
      ...{ turn, hash },
      code: code && bytesOf(code),
      vector: vector ? bytesOf(vector) : new Uint8Array(0),
    });
  return changes > 0 ? lastInsertRowid : undefined;
}

/** Makes a turn whole; gives the numbers of what is no passage of it any more, which go. */
function finishTurn(
  db: Database,
  turn: string,
  hash: string,
  passages: readonly Passage[],
): number[] {
  const wanted = new Set(passages.map((passage) => passage.hash));
  const stale = db
    .prepare<{ number: number; hash: string }>("SELECT number, hash FROM passages WHERE turn = ?")
    .all([turn])
    .filter((row) => !wanted.has(row.hash))
    .map(({ number }) => number);
  db.transaction(() => {
    for (const number of stale) db.prepare("DELETE FROM passages WHERE number = ?").run([number]);
    db.prepare("UPDATE turns SET hash = ? WHERE id = ?").run([hash, turn]);
  });
  return stale;
}

/** The passages of these numbers, with their vectors. */
function vectorsOf(
  db: Database,
  numbers: readonly number[],
): Array<{ turn: string; hash: string; vector: Float32Array }> {
  return db
    .prepare<{ turn: string; hash: string; vector: Uint8Array }>(
      "SELECT turn, hash, vector FROM passages WHERE number IN (SELECT value FROM json_each(?))",
    )
    .all([JSON.stringify(numbers)])
    .map(({ turn, hash, vector }) => ({ turn, hash, vector: floatsOf(vector) }));
}
