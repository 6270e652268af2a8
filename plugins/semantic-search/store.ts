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
export type VectorStore = ReturnType<typeof createVectorStore>;

/** Vectors from which the centre is taken; below that many all are compared. */
const centreAt = 256;
/** Passages compared exactly, and of them the most that are answered. */
const reranked = 400;
const answered = 200;

type Added = [number: number, turn: string, code: Uint32Array | undefined];

/** Reads codes into memory; about 100 bytes a passage. Long because it is the list of what can be asked of it. */
export function createVectorStore(db: Database) {
  let centre: Float32Array | undefined;
  let index = load();

  function note(name: string): string | undefined {
    return db.prepare<{ value: string }>("SELECT value FROM notes WHERE name = ?").get([name])
      ?.value;
  }

  function setNote(name: string, value: string): void {
    db.prepare("INSERT OR REPLACE INTO notes (name, value) VALUES (?, ?)").run([name, value]);
  }

  /** Numbers in each vector; 0 as long as there is none. */
  function dimensions(): number {
    return Number(note("dimensions") ?? 0);
  }

  function load() {
    const kept = note("centre");
    centre = kept === undefined ? undefined : Float32Array.from(JSON.parse(kept) as number[]);
    const loaded = createNearest(dimensions());
    const turns = db.prepare<KeptTurn & Record<string, string | number>>(
      "SELECT id, session, project, client, prompt_number AS promptNumber, time FROM turns",
    );
    for (const turn of turns.iterate()) loaded.setTurn(turn);
    const codes = db.prepare<{ number: number; turn: string; code: Uint8Array | null }>(
      "SELECT number, turn, code FROM passages WHERE length(vector) > 0 ORDER BY number",
    );
    for (const { number, turn, code } of codes.iterate())
      loaded.add(number, turn, code ? wordsOf(code) : undefined);
    return loaded;
  }

  /** From so many vectors on each has a code; the centre stays, so that codes go on being comparable. */
  function centreOnce(): void {
    if (centre || index.size() < centreAt) return;
    const kept = db
      .prepare<{ number: number; vector: Uint8Array }>(
        "SELECT number, vector FROM passages WHERE length(vector) > 0",
      )
      .all()
      .map(({ number, vector }) => ({ number, vector: floatsOf(vector) }));
    const middle = centreOf(kept.map(({ vector }) => vector));
    const setCode = db.prepare("UPDATE passages SET code = ? WHERE number = ?");
    db.transaction(() => {
      for (const { number, vector } of kept) setCode.run([bytesOf(codeOf(vector, middle)), number]);
      setNote("centre", JSON.stringify([...middle]));
    });
    index = load();
  }

  /** Else the bytes of what was deleted would stay in the files, and in the log. */
  function giveBack(): void {
    db.exec("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)");
  }

  return {
    note,
    setNote,
    /** Forgets everything where the vectors were made otherwise. */
    madeBy(making: string): void {
      if (note("making") === making) return;
      db.transaction(() => {
        db.exec("DELETE FROM passages; DELETE FROM turns; DELETE FROM notes WHERE name <> 'spent'");
        setNote("making", making);
      });
      giveBack();
      index = load();
    },
    dimensions,
    turns: (): number => db.prepare<{ n: number }>("SELECT count(*) AS n FROM turns").get()?.n ?? 0,
    passages: (): number => index.size(),
    /** Empty for a turn that is not whole. */
    hashOf: (turn: string): string | undefined =>
      db.prepare<{ hash: string }>("SELECT hash FROM turns WHERE id = ?").get([turn])?.hash,
    /** Hashes of the passages of a turn that need no embedding. */
    known(turn: string): Set<string> {
      const rows = db.prepare<{ hash: string }>("SELECT hash FROM passages WHERE turn = ?");
      return new Set(rows.all([turn]).map(({ hash }) => hash));
    },
    /** Enters a turn, or enters it anew; its vectors are not whole then. */
    see(turn: Turn, sweep: number): void {
      const { id, session, project, client, promptNumber, startedAt: time } = turn;
      const kept = { id, session, project, client, promptNumber, time };
      db.prepare(
        `INSERT INTO turns (id, hash, session, project, client, prompt_number, time, sweep)
         VALUES ($id, '', $session, $project, $client, $promptNumber, $time, $sweep)
         ON CONFLICT (id) DO UPDATE SET hash = '', session = $session, project = $project, client = $client,
           prompt_number = $promptNumber, time = $time, sweep = $sweep`,
      ).run({ ...kept, sweep });
      index.setTurn(kept);
    },
    touch(turn: string, sweep: number): void {
      db.prepare("UPDATE turns SET sweep = ? WHERE id = ?").run([sweep, turn]);
    },
    /** Turns that are not whole, the newest first. */
    open: (limit: number): string[] =>
      db
        .prepare<{ id: string }>("SELECT id FROM turns WHERE hash = '' ORDER BY time DESC LIMIT ?")
        .all([limit])
        .map(({ id }) => id),
    /** Adds vectors of passages, null for a text that is taken in no form; of a turn that was removed meanwhile nothing is kept. */
    add(
      list: ReadonlyArray<{ turn: string; passage: Passage; vector: Float32Array | null }>,
    ): void {
      const insert = db.prepare(
        `INSERT INTO passages (turn, hash, code, vector)
         SELECT $turn, $hash, $code, $vector WHERE EXISTS (SELECT 1 FROM turns WHERE id = $turn)`,
      );
      const added: Added[] = [];
      db.transaction(() => {
        for (const { turn, passage, vector } of list) {
          if (vector && dimensions() === 0) setNote("dimensions", String(vector.length));
          const code = vector && centre ? codeOf(vector, centre) : undefined;
          const { changes, lastInsertRowid } = insert.run({
            turn,
            hash: passage.hash,
            code: code && bytesOf(code),
            vector: vector ? bytesOf(vector) : new Uint8Array(0),
          });
          if (changes > 0 && vector) added.push([lastInsertRowid, turn, code]);
        }
      });
      if (index.dimensions === 0) index = load();
      else for (const one of added) index.add(...one);
      centreOnce();
    },
    /** The turn is whole: what is no passage of it any more goes. */
    finish(turn: string, hash: string, passages: readonly Passage[]): void {
      const wanted = new Set(passages.map((passage) => passage.hash));
      const stale = db
        .prepare<{ number: number; hash: string }>(
          "SELECT number, hash FROM passages WHERE turn = ?",
        )
        .all([turn])
        .filter((row) => !wanted.has(row.hash));
      const remove = db.prepare("DELETE FROM passages WHERE number = ?");
      db.transaction(() => {
        for (const { number } of stale) remove.run([number]);
        db.prepare("UPDATE turns SET hash = ? WHERE id = ?").run([hash, turn]);
      });
      for (const { number } of stale) index.remove(number);
    },
    remove(turns: readonly string[]): void {
      if (turns.length === 0) return;
      db.transaction(() => {
        for (const id of turns) {
          db.prepare("DELETE FROM passages WHERE turn = ?").run([id]);
          db.prepare("DELETE FROM turns WHERE id = ?").run([id]);
        }
      });
      giveBack();
      for (const id of turns) index.removeTurn(id);
    },
    /** Turns that the sweep did not meet. */
    missedBy: (sweep: number): string[] =>
      db
        .prepare<{ id: string }>("SELECT id FROM turns WHERE sweep <> ?")
        .all([sweep])
        .map(({ id }) => id),
    /**
     * The nearest passages of the turns that pass, the nearest first: by their mean likeness to the vectors, for what is near to one
     * phrasing only is often near by chance.
     */
    nearest(vectors: readonly Float32Array[], passes: (turn: KeptTurn) => boolean): Near[] {
      const size = dimensions();
      const fitting = vectors.filter(({ length }) => length === size);
      if (fitting.length === 0) return [];
      const middle = centre;
      const codes = middle && fitting.map((vector) => codeOf(vector, middle));
      return db
        .prepare<{ turn: string; hash: string; vector: Uint8Array }>(
          "SELECT turn, hash, vector FROM passages WHERE number IN (SELECT value FROM json_each(?))",
        )
        .all([JSON.stringify(index.candidates(codes, passes, reranked))])
        .map(({ turn, hash, vector }) => {
          const kept = floatsOf(vector);
          return { turn, hash, likeness: meanOf(fitting.map((query) => dot(query, kept))) };
        })
        .sort((a, b) => b.likeness - a.likeness)
        .slice(0, answered);
    },
  };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
