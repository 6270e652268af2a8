// Documents that are noted first and read later, a few at a time: whatever happens to them meanwhile, what is found is what an index has to
// which each was put as it is in the end, in the same order and with the same scores.
import { expect, test } from "bun:test";
import type { SearchDocument, SearchIndex } from "../../src/search/index.ts";
import { numbers } from "../support/synthetic-turns.ts";
import { document, emptyIndex } from "./support.ts";

const words =
  "queue token cache heron ledger invoice retry walrus parser stream retries retried".split(" ");

/** Three hundred in four projects, of words that come again and some that do not. */
function made(): SearchDocument[] {
  const random = numbers(7);
  const word = () => words[Math.floor(words.length * random() ** 2)];
  return Array.from({ length: 300 }, (_, at) =>
    document(
      [...Array.from({ length: 3 + Math.floor(random() * 60) }, word), `only${at}`].join(" "),
      { id: `d${at}`, session: `s${at >> 1}`, project: `p${at % 4}`, files: [`/x/f${at % 9}.ts`] },
    ),
  );
}

const questions = [...words, "queue token", "heron invoice walrus", "only7", "only9", "only250"];

function found(index: SearchIndex) {
  return questions.map((text) =>
    index
      .search({ texts: [text], groupBy: "document", limit: 300 })
      .hits.map(({ id, score }) => `${id} ${score}`),
  );
}

async function plain(documents: readonly SearchDocument[]) {
  const { db, index } = await emptyIndex();
  for (const one of documents) index.put(one);
  index.pack(documents.length);
  return { db, found: found(index), documents: index.documents() };
}

/** Reads all that wait, seven at a time. */
function readAll(index: SearchIndex, documents: ReadonlyMap<string, SearchDocument>): void {
  const find = (ids: readonly string[]) => ids.flatMap((id) => documents.get(id) ?? []);
  while (index.read(7, find) > 0);
}

const byId = (documents: readonly SearchDocument[]) =>
  new Map(documents.map((one) => [one.id, one]));

test("is found as what was put one at a time", async () => {
  const documents = made();
  const { db, index } = await emptyIndex();
  index.later(documents.map(({ id }) => id));
  readAll(index, byId(documents));
  expect([index.readCount(), index.dueCount(), index.search({ texts: ["queue"] }).hits]).toEqual([
    ...[300, 300, []],
  ]);
  index.settle();
  expect([index.readCount(), index.dueCount(), index.unpacked()]).toEqual([0, 0, 0]);
  const one = await plain(documents);
  expect(found(index)).toEqual(one.found);
  expect(one.found[0]?.length).toBeGreaterThan(100);
  // Also what no search shows: each term with its sums, and each document with its terms.
  for (const sql of [
    "SELECT term, word, documents, passages FROM search_terms ORDER BY term",
    `SELECT t.term, p.span, n.name, p.last, p.postings FROM search_postings p JOIN search_terms t ON t.number = p.term
     JOIN search_names n ON n.what = 'project' AND n.number = p.project ORDER BY 1, 2, 3`,
    "SELECT documents, length, passages, passage_length FROM search_state",
  ])
    expect(db.all(sql)).toEqual(one.db.all(sql));
});

test("what was removed, put or noted again after it was read counts as it is then", async () => {
  const documents = made();
  const now = byId(documents);
  const { db, index } = await emptyIndex();
  // An earlier form of one stands in the index already.
  index.put(document("walrus walrus ledger", { id: "d20" }));
  index.pack(1);
  index.later(documents.map(({ id }) => id));
  for (let at = 0; at < 20; at++) index.read(7, (ids) => ids.flatMap((id) => now.get(id) ?? []));
  index.remove("d5");
  index.remove("d250");
  const [noted, put] = [
    document("heron heron said anew", { id: "d7", session: "s3", project: "p3" }),
    document("walrus put at once", { id: "d9", session: "s4", project: "p1" }),
  ];
  now.set("d7", noted);
  index.later(["d7"]);
  index.put(put);
  // Its record is gone, and nobody has said so yet.
  now.delete("d251");
  readAll(index, now);
  index.settle();
  const left = documents.filter(({ id }) => !["d5", "d7", "d9", "d250", "d251"].includes(id));
  const one = await plain([...left, noted, put]);
  expect([index.documents(), index.dueCount()]).toEqual([297, 0]);
  expect(found(index)).toEqual(one.found);
  index.pack(1);
  expect(found(index)).toEqual(one.found);
  const terms = "SELECT term, documents, passages FROM search_terms ORDER BY term";
  expect(db.all(terms)).toEqual(one.db.all(terms));
});

test("what was read is read again where its writing came to nothing, and where the index was begun anew", async () => {
  const documents = made().slice(0, 20);
  const { db, index } = await emptyIndex();
  index.later(documents.map(({ id }) => id));
  readAll(index, byId(documents));
  db.exec(
    "CREATE TRIGGER full BEFORE INSERT ON search_documents BEGIN SELECT raise(ABORT, 'full'); END",
  );
  expect(() => index.settle()).toThrow("full");
  db.exec("DROP TRIGGER full");
  expect([index.readCount(), index.dueCount()]).toEqual([0, 20]);
  readAll(index, byId(documents));
  index.settle();
  expect(found(index)).toEqual((await plain(documents)).found);
  index.later(documents.map(({ id }) => id));
  readAll(index, byId(documents));
  index.begin();
  index.settle();
  index.end();
  expect([index.documents(), index.readCount()]).toEqual([0, 0]);
});
