// The index's small parts: how what is counted, named and kept of documents is read again.
import { describe, expect, test } from "bun:test";
import { openDatabase } from "../../../src/host/sqlite.ts";
import { analyse } from "../../../src/search/analyse.ts";
import { keptLength, readColumns, writeColumns } from "../../../src/search/index/columns.ts";
import {
  type Counts,
  countNumbers,
  countsOf,
  matchForward,
  packForward,
} from "../../../src/search/index/forward.ts";
import { blockSize } from "../../../src/search/index/postings.ts";
import { tailIndex } from "../../../src/search/index/reader.ts";
import {
  changePacked,
  changeTail,
  hasTables,
  knownName,
  makeTables,
  nameOf,
  numberOfName,
  readState,
} from "../../../src/search/index/schema.ts";
import type { TailDocument } from "../../../src/search/index/tail.ts";
import { document } from "../support.ts";

async function emptyTables() {
  const db = await openDatabase(":memory:");
  makeTables(db);
  return db;
}

describe("counts", () => {
  const passages = [
    { field: 0, piece: 0, start: 0, end: 9, terms: ["heron", "pond", "heron"], names: ["h/p"] },
    { field: 4, piece: 1, start: 0, end: 9, terms: ["heron"], names: [] },
  ];
  const listed = <Term>({ terms, passages, ...sums }: Counts<Term>) => ({
    ...{ terms: Object.fromEntries(terms), passages: Object.fromEntries(passages), ...sums },
  });
  const wanted = {
    // Twice in a prompt, once in a description, which weighs half.
    terms: { heron: 2.5, pond: 1, "h/p": 1, "=type:bug": 1 },
    passages: { heron: 2, pond: 1, "h/p": 1 },
    length: 3.5,
    passageLength: 4,
  };

  test("words count by the weight of their field, names add nothing to the length, labels count once", () => {
    const counts = countsOf({ passages, labels: ["=type:bug", "=type:bug"], words: new Map() });
    expect(listed(counts)).toEqual(wanted);
  });

  test("a packed document counts as it did before", () => {
    const terms = ["heron", "pond", "h/p", "=type:bug"];
    const numbers = (list: string[]) => list.map((term) => terms.indexOf(term));
    const packed = passages.map((one) => ({
      ...{ ...one, terms: numbers(one.terms), names: numbers(one.names) },
    }));
    const { terms: found, length, passageLength } = countNumbers({ passages: packed, labels: [3] });
    expect([...found]).toEqual([
      [0, 2.5],
      [1, 1],
      [2, 1],
      [3, 1],
    ]);
    expect([length, passageLength]).toEqual([3.5, 4]);
  });
});

test("what a query has of a packed passage: its words and names, in order where that was asked for", () => {
  const passage = {
    field: 1,
    piece: 2,
    start: 10,
    end: 300,
    terms: [7, 300, 7, 5_000],
    names: [9],
  };
  const bytes = packForward({ passages: [passage], labels: [7] });
  const wanted = new Map([
    [7, 0],
    [9, 1],
    // Alike in what a first look compares, and not in the document.
    [7 + 4_096, 2],
    [5_000, 3],
  ]);
  const place = { field: 1, piece: 2, start: 10, end: 300, length: 4, found: [0, 0, 3, 1] };
  expect(matchForward(bytes, wanted, true)).toEqual([{ ...place, order: [0, -1, 0, 3] }]);
  expect(matchForward(bytes, wanted, false)).toEqual([{ ...place, order: undefined }]);
  expect(matchForward(bytes, new Map(), false)).toEqual([
    { ...place, found: [], order: undefined },
  ]);
  expect(() => matchForward(bytes.slice(0, 9), wanted, true)).toThrow("middle of a number");
});

describe("names", () => {
  test("each kind of name has its own numbers from 1, and a name keeps its number", async () => {
    const db = await emptyTables();
    const numbers = (["project", "session"] as const).map((what) =>
      ["a", "b", "a"].map((name) => numberOfName(db, what, name)),
    );
    expect(numbers).toEqual([
      [1, 2, 1],
      [1, 2, 1],
    ]);
    expect(numberOfName(db, "session", "c")).toBe(3);
    expect([nameOf(db, "session", 3), nameOf(db, "project", 3)]).toEqual(["c", ""]);
    expect([knownName(db, "project", "b"), knownName(db, "project", "c")]).toEqual([2, undefined]);
  });
});

describe("columns", () => {
  test("a block comes back as it was written, and knows its oldest and newest", async () => {
    const db = await emptyTables();
    const columns = readColumns(db, 3);
    expect(columns.kinds).toHaveLength(blockSize);
    for (const [slot, time] of [
      [2, 500],
      [7, 300],
    ] as const) {
      columns.lengths[slot] = 1_000 + slot;
      columns.kinds[slot] = slot;
      columns.times[slot] = time;
    }
    writeColumns(db, 3, columns);
    expect(readColumns(db, 3)).toEqual(columns);
    expect(readColumns(db, 2).times.some((time) => time > 0)).toBe(false);
    const bounds = () => db.prepare("SELECT oldest, newest FROM search_blocks").all();
    expect(bounds()).toEqual([{ oldest: 300, newest: 500 }]);
    columns.kinds.fill(0);
    writeColumns(db, 3, columns);
    expect(bounds()).toEqual([{ oldest: null, newest: null }]);
  });

  test.each([
    [0, 1],
    [0.2, 1],
    [3, 6],
    [3.5, 7],
    [40_000, 65_535],
  ])("a length of %p is kept as %p halves", (length, kept) => {
    expect(keptLength(length)).toBe(kept);
  });
});

describe("the state", () => {
  test("a new index holds nothing and is not whole", async () => {
    const { stamp, packed, version, ...sums } = readState(await emptyTables());
    expect(sums).toEqual({ complete: 0, documents: 0, length: 0, passages: 0, passageLength: 0 });
    expect([stamp > 1, packed > 1, version > 0]).toEqual([true, true, true]);
  });

  test("packed documents change the sums and both stamps, the tail one stamp alone", async () => {
    const db = await emptyTables();
    changePacked(db, { documents: 2, length: 3.5, passages: 4, passageLength: 5 });
    changePacked(db, { documents: -1, length: -1, passages: -1, passageLength: -1 });
    const before = readState(db);
    const sums = { documents: 1, length: 2.5, passages: 3, passageLength: 4 };
    expect(before).toEqual({ ...before, ...sums });
    expect(before.packed).toBe(before.stamp);
    changeTail(db);
    const { stamp, ...after } = readState(db);
    expect({ ...after, stamp: before.stamp }).toEqual(before);
    expect(stamp).not.toBe(before.stamp);
  });

  test("an index without its row says what is wrong", async () => {
    const db = await emptyTables();
    db.exec("DELETE FROM search_state");
    expect(() => readState(db)).toThrow("The search index has no state.");
    expect(hasTables(db)).toBe(false);
  });

  test("tables are made anew, empty", async () => {
    const db = await emptyTables();
    numberOfName(db, "kind", "turn");
    expect(hasTables(db)).toBe(true);
    makeTables(db);
    expect(knownName(db, "kind", "turn")).toBeUndefined();
    db.exec("DROP INDEX search_terms_by_spelling");
    expect(hasTables(db)).toBe(false);
  });
});

test("the tail's terms follow what comes and goes", () => {
  const of = (...terms: string[]) =>
    ({ counts: { terms: new Map(terms.map((term) => [term, 1])) } }) as unknown as TailDocument;
  const [one, other] = [of("heron", "pond"), of("heron")];
  const index = tailIndex();
  index.add(one);
  index.add(other);
  expect([...index.having("heron")]).toEqual([one, other]);
  index.remove(one);
  expect([...index.having("heron")]).toEqual([other]);
  expect([...index.terms()].map(([term]) => term)).toEqual(["heron"]);
  expect(index.having("pond").size).toBe(0);
});

describe("a document is analysed", () => {
  const analysed = analyse(
    document("", {
      ...{ client: "codex", type: "bugfix", concepts: ["C++", "c++"], files: ["/a/b.ts"] },
      pieces: [
        { field: "prompt", text: "Why did the tokens of on-call Tokens expire?" },
        { field: "said", text: "…" },
        { field: "commit", text: "is it" },
      ],
    }),
  );

  test("into passages without stop words, but for those that begin a name or stand alone", () => {
    const found = analysed.passages.map(({ piece, terms, names }) => ({ piece, terms, names }));
    expect(found).toEqual([
      { piece: 0, terms: ["token", "on", "call", "token", "expir"], names: ["oncal"] },
      { piece: 2, terms: ["is", "it"], names: [] },
    ]);
  });

  test("with how its terms were first written, and each label once", () => {
    expect([...analysed.words]).toEqual([
      ["token", "tokens"],
      ["expir", "expire"],
    ]);
    expect(analysed.labels).toHaveLength(4);
  });
});
