// Whether an index holds together: samples of it show what is torn, and an empty or a whole one is sound.
import { expect, test } from "bun:test";
import { document, emptyIndex, indexOf } from "../support.ts";

test("an empty index, one that only waits, and a packed one are sound", async () => {
  expect((await emptyIndex()).index.isSound()).toBe(true);
  expect((await indexOf(["A heron."], false)).index.isSound()).toBe(true);
  const { index } = await indexOf(["A heron.", "A pond.", "A reed."]);
  index.remove("d1");
  expect(index.isSound()).toBe(true);
});

test("a document without words is sound", async () => {
  const { index } = await indexOf(["A heron."], false);
  index.put(document("", { id: "empty" }));
  index.pack(9);
  expect(index.isSound()).toBe(true);
});

test.each([
  "DELETE FROM search_names WHERE what = 'session'",
  "DELETE FROM search_names WHERE what = 'project'",
  "DELETE FROM search_documents",
  "UPDATE search_documents SET number = number + 9000",
  "UPDATE search_blocks SET kinds = substr(kinds, 1, 2)",
  "UPDATE search_blocks SET kinds = zeroblob(40)",
  "UPDATE search_documents SET forward = substr(forward, 1, 4)",
  "DELETE FROM search_terms WHERE term = 'heron'",
  "DELETE FROM search_terms WHERE term = '=type:bugfix'",
  "DELETE FROM search_postings WHERE project = 1",
  "UPDATE search_postings SET project = 2",
  "UPDATE search_postings SET span = 1",
  "UPDATE search_postings SET postings = x'04'",
])("after %p it is not", async (spoil) => {
  const { db, index } = await emptyIndex();
  for (const id of Array.from({ length: 20 }, (_, i) => `d${i}`))
    index.put(document(`A heron ${id}.`, { id, type: "bugfix" }));
  index.pack(20);
  expect(index.isSound()).toBe(true);
  db.exec(spoil);
  expect(index.isSound()).toBe(false);
});
