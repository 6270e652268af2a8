// What is kept of turns: their passages' vectors on disk, and in memory what finds the nearest of them.
import type { Database } from "../../src/records/index.ts";
import type { Turn } from "../../src/sdk/index.ts";
import { centreOf, codeOf, dot } from "./codes.ts";
import { createNearest, type KeptTurn } from "./nearest.ts";
import {
  addPassage,
  finishTurn,
  hashesOf,
  keptCodes,
  keptVectors,
  setCode,
  vectorsOf,
} from "./passage-rows.ts";
import type { Passage } from "./passages.ts";
import {
  countTurns,
  deleteTurns,
  enterTurn,
  giveBack,
  hashOf,
  keptTurns,
  openTurns,
  touchTurn,
  turnsMissedBy,
} from "./turn-rows.ts";

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
