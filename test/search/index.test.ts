// The index: what is put is found, what is replaced or removed leaves nothing behind, whoever writes and whenever it ends.
import { describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "../../src/host/sqlite.ts";
import { readColumns } from "../../src/search/index/schema.ts";
import { createIndex } from "../../src/search/index.ts";
import { document, emptyIndex, idsOf, indexOf, noon, reindex } from "./support.ts";

const tables = [
  "search_tail",
  "search_documents",
  "search_names",
  "search_terms",
  "search_postings",
];

/** Everything the index holds of documents, as text; bytes by their numbers. */
function dump(db: Database): string {
  return tables
    .map((table) => JSON.stringify(db.prepare(`SELECT * FROM ${table}`).all()))
    .join("\n");
}

function sums(db: Database) {
  const { stamp: _, packed: __, ...rest } = db.prepare("SELECT * FROM search_state").get() ?? {};
  return rest;
}

test("an index whose making was broken off is not whole, and is when it was made again", async () => {
  const { db } = await indexOf(["The payment queue is retried."]);
  expect(createIndex(db).isWhole()).toBe(true);
  db.exec("UPDATE search_state SET complete = 0");
  const again = createIndex(db);
  expect(again.isWhole()).toBe(false);
  reindex(again, [document("The payment queue is retried.")]);
  expect(createIndex(db).isWhole()).toBe(true);
});

describe.each([
  ["in the tail", false],
  ["packed", true],
] as const)("%s", (_, packed) => {
  test("finds by any word, the best first", async () => {
    const { ids } = await indexOf(
      ["The payment queue is retried.", "A queue.", "Nothing of that kind."],
      packed,
    );
    expect(ids("retrying the payment queue")).toEqual(["d0", "d1"]);
    expect(ids("zebra")).toEqual([]);
  });

  test("replaces a document in place", async () => {
    const { index, ids } = await indexOf(["The old ledger.", "Other."], packed);
    index.put(document("The new invoice.", { id: "d0", session: "s0" }));
    expect(ids("ledger")).toEqual([]);
    expect(ids("invoice")).toEqual(["d0"]);
    expect(index.documents()).toBe(2);
  });

  test("a removed document leaves no term behind", async () => {
    const { db, index } = await indexOf(["Shared words stay."], packed);
    const before = dump(db);
    const sumsBefore = sums(db);
    index.put(
      document("Shared secretWord in src/hidden/vault.ts 数据", {
        id: "gone",
        session: "gone-session",
        project: "gone-project",
        client: "gone-client",
        concepts: ["gone-concept"],
        files: ["/x/gone-file.ts"],
      }),
    );
    if (packed) index.pack(10);
    expect(dump(db)).toContain("gone");
    expect(index.remove("gone")).toBe(true);
    const after = dump(db);
    for (const word of ["gone", "secret", "vault", "hidden", "数据"])
      expect(after).not.toContain(word);
    // How shared words were written is forgotten with it, nothing else.
    expect(after.replaceAll(/"word":[^,}]+/g, "")).toBe(before.replaceAll(/"word":[^,}]+/g, ""));
    expect(sums(db)).toEqual(sumsBefore);
    expect(index.remove("gone")).toBe(false);
    expect(idsOf(index, "vault hidden")).toEqual([]);
  });
});

test("of a removed document no length, kind or time stays in its block, and those beside it do", async () => {
  const { db, index } = await indexOf(["One heron.", "Two herons came.", "Three."]);
  const before = readColumns(db, 0);
  index.remove("d1");
  const { lengths, kinds, times } = readColumns(db, 0);
  expect([lengths[1], kinds[1], times[1]]).toEqual([0, 0, 0]);
  for (const slot of [0, 2])
    expect([lengths[slot], kinds[slot], times[slot]]).toEqual([
      before.lengths[slot],
      before.kinds[slot],
      before.times[slot],
    ]);
});

test("what became another kind in a block that was read is found as that", async () => {
  const { index } = await indexOf(["One heron.", "Two herons came."]);
  const ids = (kind: string) =>
    index
      .search({ texts: ["heron"], filter: { kinds: [kind] } })
      .hits.map(({ id }) => id)
      .toSorted();
  expect([ids("turn"), ids("memory")]).toEqual([["d0", "d1"], []]);
  index.put(document("One heron.", { id: "d0", session: "s0", kind: "memory" }));
  index.pack(1);
  expect([ids("turn"), ids("memory")]).toEqual([["d1"], ["d0"]]);
});

test("packing changes no answer", async () => {
  const texts = Array.from(
    { length: 60 },
    (_, i) => `Falcon ${i} ${"flies over the hill ".repeat(i % 5)} and ${i % 7} refreshToken`,
  );
  const { index } = await indexOf(texts, false);
  const ask = () =>
    ["falcon hill", "refreshToken 3", "falcon 59"].map((text) =>
      index.search({ texts: [text], limit: 60 }).hits.map(({ id, session }) => [id, session]),
    );
  const before = ask();
  expect(index.unpacked()).toBe(60);
  expect(index.pack(25)).toBe(25);
  expect(ask()).toEqual(before);
  index.pack(100);
  expect(index.unpacked()).toBe(0);
  expect(ask()).toEqual(before);
});

test("a word weighs what the field it stands in weighs, packed or not", async () => {
  const { index } = await emptyIndex();
  const fields = ["described", "said", "commit"] as const;
  fields.forEach((field, at) => {
    const pieces = [
      { field, text: "The heron came back." },
      { field: "said" as const, text: "Some other words that are much the same everywhere." },
    ];
    index.put(document("", { id: field, session: `s${at}`, pieces }));
  });
  const ask = () =>
    index
      .search({ texts: ["heron"], groupBy: "document", limit: 9 })
      .hits.map(({ id, score }) => [id, score]);
  const before = ask();
  expect(before.map(([id]) => id)).toEqual(["commit", "said", "described"]);
  index.pack(3);
  expect(ask()).toEqual(before);
});

test("documents that cannot come among the best are left out of the reckoning, and nothing else is", async () => {
  const texts = Array.from({ length: 1_000 }, (_, i) => {
    const words = ["common", "usual"].filter((_word, at) => (i * 7 + at) % 3 > 0);
    if (i % 11 === 0) words.push("seldom");
    if (i % 97 === 0) words.push("rare", "rare");
    if (i % 500 === 3) words.push("unique");
    const filler = Array.from({ length: i % 40 }, (_value, at) => `filler${(i + at) % 90}`);
    return [...words, ...filler].join(" ");
  });
  // Of those that wait each is scored.
  const { index } = await indexOf(texts, false);
  const ask = () =>
    ["rare common", "unique usual common seldom", "seldom usual rare unique"].map((text) =>
      index
        .search({ texts: [text], groupBy: "document", limit: 200 })
        .hits.map(({ id, score, why }) => [id, score, why.documentRank]),
    );
  const all = ask();
  expect(all.map((hits) => hits.length)).toEqual([200, 200, 200]);
  index.pack(texts.length);
  expect(ask()).toEqual(all);
});

test("a search after others sees what was packed, replaced and removed in between", async () => {
  const { index } = await indexOf(["a heron", "a wombat"]);
  expect(idsOf(index, "heron")).toEqual(["d0"]);
  index.put(document("another heron", { id: "d2", session: "s2" }));
  index.pack(1);
  expect(idsOf(index, "heron").sort()).toEqual(["d0", "d2"]);
  index.put(document("a kingfisher", { id: "d0", session: "s0" }));
  index.pack(1);
  expect(idsOf(index, "heron")).toEqual(["d2"]);
  index.remove("d2");
  expect(idsOf(index, "heron")).toEqual([]);
  reindex(index, [document("a heron", { id: "d9" })]);
  expect(idsOf(index, "heron")).toEqual(["d9"]);
});

test("a write that is rolled back was never there", async () => {
  const { db, index, ids } = await indexOf(["A ledger."]);
  expect(() =>
    db.transaction(() => {
      index.put(document("A wombat.", { id: "d9" }));
      index.remove("d0");
      expect(ids("wombat")).toEqual(["d9"]);
      throw new Error("the record was refused");
    }),
  ).toThrow("refused");
  expect(ids("wombat")).toEqual([]);
  expect(ids("ledger")).toEqual(["d0"]);
  index.put(document("A badger.", { id: "d9" }));
  expect(ids("wombat")).toEqual([]);
  expect(ids("badger")).toEqual(["d9"]);
});

test("numbers that come again after a rollback or a new index bring nothing old", async () => {
  const { db, index, ids } = await indexOf(["A ledger."]);
  const attempt = (text: string, id: string) => () =>
    db.transaction(() => {
      index.put(document(text, { id }));
      index.pack(5);
      index.put(document(`${text} again`, { id: `${id} again` }));
      expect(ids("wombat")).toHaveLength(2);
      throw new Error("refused");
    });
  expect(attempt("A wombat.", "w")).toThrow("refused");
  index.put(document("A badger.", { id: "b" }));
  index.pack(5);
  index.put(document("A heron.", { id: "h" }));
  expect(ids("wombat")).toEqual([]);
  expect([...ids("badger"), ...ids("heron"), ...ids("ledger")]).toEqual(["b", "h", "d0"]);
  reindex(index, [document("An otter.", { id: "o" })]);
  index.put(document("A lynx.", { id: "l" }));
  expect([...ids("heron"), ...ids("badger"), ...ids("ledger")]).toEqual([]);
  expect([...ids("otter"), ...ids("lynx")]).toEqual(["o", "l"]);
});

test("what took the number of a session and a project that are gone is shown under its own names", async () => {
  const { index } = await indexOf(["A ledger."]);
  const put = (id: string) => {
    index.put(document("A wombat.", { id, session: `session ${id}`, project: `project ${id}` }));
    index.pack(9);
    const [hit] = index.search({ texts: ["wombat"] }).hits;
    return [hit?.session, hit?.project];
  };
  expect(put("a")).toEqual(["session a", "project a"]);
  index.remove("a");
  expect(put("b")).toEqual(["session b", "project b"]);
});

test("another connection's writes are seen at once", async () => {
  const folder = await mkdtemp(join(tmpdir(), "memoir-search-"));
  try {
    const path = join(folder, "index.db");
    const [one, other] = [await openDatabase(path), await openDatabase(path)];
    one.exec("PRAGMA journal_mode = WAL");
    const [mine, theirs] = [createIndex(one), createIndex(other)];
    reindex(mine, [document("A ledger.")]);
    expect(idsOf(theirs, "ledger")).toEqual(["d1"]);
    theirs.put(document("A wombat.", { id: "d2" }));
    expect(idsOf(mine, "wombat")).toEqual(["d2"]);
    theirs.pack(5);
    expect(idsOf(mine, "wombat ledger").sort()).toEqual(["d1", "d2"]);
    theirs.remove("d1");
    expect(idsOf(mine, "ledger")).toEqual([]);
    one.close();
    other.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("many documents over several blocks are found, replaced and removed", async () => {
  const { index } = await emptyIndex();
  const count = 9_000;
  const all = function* () {
    for (let i = 0; i < count; i++)
      yield document(`common word${i} group${i % 3}`, {
        id: `d${i}`,
        session: `s${i % 100}`,
        time: noon + i,
      });
  };
  reindex(index, [...all()]);
  expect([index.isWhole(), index.documents()]).toEqual([true, count]);
  for (const number of [0, 8_191, 8_192, 8_999]) {
    expect(idsOf(index, `word${number}`)).toEqual([`d${number}`]);
    index.put(document(`common other${number}`, { id: `d${number}`, session: "s" }));
    expect(idsOf(index, `word${number}`)).toEqual([]);
    expect(idsOf(index, `other${number}`)).toEqual([`d${number}`]);
  }
  index.pack(10);
  expect(idsOf(index, "other8191")).toEqual(["d8191"]);
  expect(index.search({ texts: ["common"], limit: 200 }).hits).toHaveLength(200);
});

test("a tail that grows too long is packed by the put that makes it so", async () => {
  const { index } = await emptyIndex();
  for (let i = 0; i < 1_030; i++) index.put(document(`word${i}`, { id: `d${i}` }));
  expect(index.unpacked()).toBeLessThan(1_000);
  expect(idsOf(index, "word3")).toEqual(["d3"]);
});

test("documents put at once are as those put one by one, also where they replace others", async () => {
  const words = (number: number, version: number) =>
    `common other${number} ${number < 150 ? "jump" : "jumping"} version${version}`;
  const made = (number: number, version: number) =>
    document(words(number, version), { id: `d${number}`, session: `s${number % 9}`, time: number });
  const numbers = Array.from({ length: 200 }, (_, i) => i);
  const first = numbers.map((number) => made(number, 1));
  const second = numbers.slice(120).map((number) => made(number, 2));
  const [one, all] = [await emptyIndex(), await emptyIndex()];
  for (const each of [...first, ...second]) one.index.put(each);
  one.index.pack(1_000);
  all.index.put(...first);
  all.index.put(...second);
  expect(all.index.unpacked()).toBe(0);
  expect(sums(all.db)).toEqual(sums(one.db));
  const terms = ({ db }: typeof one) =>
    db.all("SELECT term, word, documents, passages FROM search_terms ORDER BY term");
  expect(terms(all)).toEqual(terms(one));
  for (const asked of ["other7", "other150", "version2", "common", "jumped"])
    expect(idsOf(all.index, asked)).toEqual(idsOf(one.index, asked));
});

describe("an index that is not as it should be", () => {
  test.each<[string, (db: Database) => void]>([
    ["of an older version", (db) => db.exec("UPDATE search_state SET version = 0")],
    ["with a table missing", (db) => db.exec("DROP TABLE search_postings")],
    ["without its state", (db) => db.exec("DELETE FROM search_state")],
    ["of another form", (db) => db.exec("DROP TABLE search_state; CREATE TABLE search_state (x)")],
    ["whose making was cut off", (db) => db.exec("UPDATE search_state SET complete = 0")],
  ])("%s says so, and is whole again after reindex", async (_, spoil) => {
    const { db } = await indexOf(["A ledger."]);
    spoil(db);
    const index = createIndex(db);
    expect(index.isWhole()).toBe(false);
    reindex(index, [document("A ledger.")]);
    expect([index.isWhole(), index.documents()]).toEqual([true, 1]);
    expect(idsOf(index, "ledger")).toEqual(["d1"]);
  });
});
