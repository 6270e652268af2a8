// What is kept of turns: their passages' vectors on disk, and in memory what finds the nearest of them.
import type { Database } from "../../src/records/index.ts";
import type { Turn } from "../../src/sdk/index.ts";
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

/** Reads codes into memory; about 100 bytes a passage. */
export function createVectorStore(db: Database) {
  const notes = createNotes(db);
  const vectors = createVectors(db, notes);

  /** Else the bytes of what was deleted would stay in the files, and in the log. */
  function giveBack(): void {
    db.exec("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)");
  }

  return {
    ...notes,
    ...keptTurns(db),
    passages: vectors.size,
    nearest: vectors.nearest,
    add: vectors.add,
    /** Forgets everything where the vectors were made otherwise. */
    madeBy(making: string): void {
      if (notes.note("making") === making) return;
      db.transaction(() => {
        db.exec("DELETE FROM passages; DELETE FROM turns; DELETE FROM notes WHERE name <> 'spent'");
        notes.setNote("making", making);
      });
      giveBack();
      vectors.load();
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
      vectors.index().setTurn(kept);
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
      for (const { number } of stale) vectors.index().remove(number);
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
      for (const id of turns) vectors.index().removeTurn(id);
    },
  };
}

type Notes = ReturnType<typeof createNotes>;

function createNotes(db: Database) {
  const note = (name: string): string | undefined =>
    db.prepare<{ value: string }>("SELECT value FROM notes WHERE name = ?").get([name])?.value;
  return {
    note,
    setNote(name: string, value: string): void {
      db.prepare("INSERT OR REPLACE INTO notes (name, value) VALUES (?, ?)").run([name, value]);
    },
    /** Numbers in each vector; 0 as long as there is none. */
    dimensions: (): number => Number(note("dimensions") ?? 0),
  };
}

/** What is known of the turns that were entered. */
function keptTurns(db: Database) {
  const idsOf = (sql: string, value: number): string[] =>
    db
      .prepare<{ id: string }>(sql)
      .all([value])
      .map(({ id }) => id);
  return {
    turns: (): number => db.prepare<{ n: number }>("SELECT count(*) AS n FROM turns").get()?.n ?? 0,
    /** Empty for a turn that is not whole. */
    hashOf: (turn: string): string | undefined =>
      db.prepare<{ hash: string }>("SELECT hash FROM turns WHERE id = ?").get([turn])?.hash,
    /** Hashes of the passages of a turn that need no embedding. */
    known(turn: string): Set<string> {
      const rows = db.prepare<{ hash: string }>("SELECT hash FROM passages WHERE turn = ?");
      return new Set(rows.all([turn]).map(({ hash }) => hash));
    },
    touch(turn: string, sweep: number): void {
      db.prepare("UPDATE turns SET sweep = ? WHERE id = ?").run([sweep, turn]);
    },
    /** Turns that are not whole, the newest first. */
    open: (limit: number) =>
      idsOf("SELECT id FROM turns WHERE hash = '' ORDER BY time DESC LIMIT ?", limit),
    /** Turns that the sweep did not meet. */
    missedBy: (sweep: number) => idsOf("SELECT id FROM turns WHERE sweep <> ?", sweep),
  };
}

/** The vectors, with their codes about a centre in memory. Long because both change together. */
function createVectors(db: Database, { note, setNote, dimensions }: Notes) {
  let centre: Float32Array | undefined;
  let index = loaded();

  function loaded() {
    const kept = note("centre");
    centre = kept === undefined ? undefined : Float32Array.from(JSON.parse(kept) as number[]);
    const nearest = createNearest(dimensions());
    const turns = db.prepare<KeptTurn & Record<string, string | number>>(
      "SELECT id, session, project, client, prompt_number AS promptNumber, time FROM turns",
    );
    for (const turn of turns.iterate()) nearest.setTurn(turn);
    const codes = db.prepare<{ number: number; turn: string; code: Uint8Array | null }>(
      "SELECT number, turn, code FROM passages WHERE length(vector) > 0 ORDER BY number",
    );
    for (const { number, turn, code } of codes.iterate())
      nearest.add(number, turn, code ? wordsOf(code) : undefined);
    return nearest;
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
    index = loaded();
  }

  return {
    index: () => index,
    size: (): number => index.size(),
    load(): void {
      index = loaded();
    },
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
      if (index.dimensions === 0) index = loaded();
      else for (const one of added) index.add(...one);
      centreOnce();
    },
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

// The codes of all passages in memory, one after the other, and the few of them that are worth an exact look.

/** What filters compare of a turn. */
export interface KeptTurn {
  id: string;
  session: string;
  project: string;
  client: string;
  promptNumber: number;
  /** Epoch ms. */
  time: number;
}

/** Codes by passage number, of vectors of so many numbers. */
export function createNearest(dimensions: number) {
  const width = wordsFor(dimensions);
  let codes = new Uint32Array(width * 1_024);
  const numbers: number[] = [];
  /** Of each passage the place of its turn; -1 for one that was removed. */
  const owners: number[] = [];
  const places = new Map<number, number>();
  const turns: Array<KeptTurn | undefined> = [];
  const turnPlaces = new Map<string, number>();

  function remove(number: number): void {
    const place = places.get(number);
    if (place === undefined) return;
    places.delete(number);
    owners[place] = -1;
    codes.fill(0, place * width, (place + 1) * width);
  }

  return {
    dimensions,
    /** Passages that are there. */
    size: () => places.size,
    setTurn(turn: KeptTurn): void {
      const place = turnPlaces.get(turn.id) ?? turns.length;
      turnPlaces.set(turn.id, place);
      turns[place] = turn;
    },
    add(number: number, turn: string, code: Uint32Array | undefined): void {
      const place = numbers.length;
      if ((place + 1) * width > codes.length) {
        const larger = new Uint32Array(codes.length * 2);
        larger.set(codes);
        codes = larger;
      }
      if (code) codes.set(code, place * width);
      numbers.push(number);
      owners.push(turnPlaces.get(turn) ?? -1);
      places.set(number, place);
    },
    remove,
    removeTurn(turn: string): void {
      const own = turnPlaces.get(turn);
      if (own === undefined) return;
      turnPlaces.delete(turn);
      turns[own] = undefined;
      owners.forEach((owner, place) => {
        if (owner === own) remove(numbers[place] ?? 0);
      });
    },
    /** Numbers of about `most` passages of turns that pass: those that are nearest to any of the codes; without codes all. */
    candidates(
      queries: readonly Uint32Array[] | undefined,
      passes: (turn: KeptTurn) => boolean,
      most: number,
    ): number[] {
      const passing = Uint8Array.from(turns, (turn) => (turn && passes(turn) ? 1 : 0));
      const inScope: number[] = [];
      for (let place = 0; place < owners.length; place++)
        if (passing[owners[place] ?? -1] === 1) inScope.push(place);
      if (!queries || inScope.length <= most) return inScope.map((place) => numbers[place] ?? 0);
      const far = new Uint16Array(inScope.length);
      const counts = new Uint32Array(dimensions + 1);
      inScope.forEach((place, i) => {
        let nearest = dimensions;
        for (const query of queries)
          nearest = Math.min(nearest, distance(codes, place * width, query));
        far[i] = nearest;
        counts[nearest] = (counts[nearest] ?? 0) + 1;
      });
      const limit = within(counts, most);
      return inScope.flatMap((place, i) => ((far[i] ?? 0) <= limit ? (numbers[place] ?? 0) : []));
    },
  };
}

/** The distance up to which there are at least `most`. */
function within(counts: Uint32Array, most: number): number {
  let sum = 0;
  for (let distance = 0; distance < counts.length; distance++) {
    sum += counts[distance] ?? 0;
    if (sum >= most) return distance;
  }
  return counts.length;
}

// Vectors in short: a bit for each number says on which side of the centre it lies. Pure.

/** Bits of a code come in words of 32. */
function wordsFor(dimensions: number): number {
  return Math.ceil(dimensions / 32);
}

/** The code of a vector about a centre. */
export function codeOf(vector: Float32Array, centre: Float32Array): Uint32Array {
  const code = new Uint32Array(wordsFor(vector.length));
  for (let i = 0; i < vector.length; i++)
    if ((vector[i] ?? 0) > (centre[i] ?? 0)) code[i >> 5] = (code[i >> 5] ?? 0) | (1 << (i & 31));
  return code;
}

/** In how many bits the code that begins at `at` differs. */
export function distance(codes: Uint32Array, at: number, code: Uint32Array): number {
  let sum = 0;
  for (let i = 0; i < code.length; i++) {
    let bits = (codes[at + i] ?? 0) ^ (code[i] ?? 0);
    bits -= (bits >>> 1) & 0x55555555;
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
    sum += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return sum;
}

/** The likeness of two vectors of length 1. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

/** The mean of vectors. */
export function centreOf(vectors: readonly Float32Array[]): Float32Array {
  const sums = new Float64Array(vectors[0]?.length ?? 0);
  for (const vector of vectors)
    for (let i = 0; i < sums.length; i++) sums[i] = (sums[i] ?? 0) + (vector[i] ?? 0);
  return Float32Array.from(sums, (sum) => sum / vectors.length);
}

/** The bytes of a vector or code, as they are stored. */
export function bytesOf(values: Float32Array | Uint32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

/** The vector in stored bytes. */
export function floatsOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(bytes.slice().buffer);
}

/** The code in stored bytes. */
export function wordsOf(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.slice().buffer);
}
