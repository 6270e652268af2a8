// Postings that are kept in memory: read once, forgotten with what is written, and never more than there is room for.
import { expect, test } from "bun:test";
import { keptPostings } from "../../src/search/index/reader.ts";
import { document, idsOf, indexOf } from "./support.ts";

/** Keeps so many bytes, and notes what had to be read. */
function open(most: number) {
  const kept = keptPostings(most);
  const read: string[] = [];
  const ask = (span: number, asked: string, bytes = 100) =>
    kept.of(span, asked, () => {
      read.push(`${span} ${asked}`);
      return { bytes: new Uint8Array(bytes), ends: [bytes] };
    });
  return { kept, read, ask };
}

test("what was read is not read again until something of its span is written", () => {
  const { kept, read, ask } = open(10_000);
  const first = ask(1, "7");
  expect(ask(1, "7")).toBe(first);
  ask(1, "7 of project 2");
  ask(2, "7");
  expect(read).toEqual(["1 7", "1 7 of project 2", "2 7"]);
  kept.forget(1);
  ask(1, "7");
  ask(1, "7 of project 2");
  ask(2, "7");
  expect(read.slice(3)).toEqual(["1 7", "1 7 of project 2"]);
  kept.clear();
  ask(2, "7");
  expect(read.slice(5)).toEqual(["2 7"]);
});

test("where there is no more room, what was asked for longest ago goes; what is too large is never kept", () => {
  const { read, ask } = open(3_900);
  for (const asked of ["a", "b", "a", "c"]) ask(0, asked, 1_000);
  ask(0, "a");
  ask(0, "b", 1_000);
  expect(read).toEqual(["0 a", "0 b", "0 c", "0 b"]);
  ask(0, "huge", 5_000);
  ask(0, "huge", 5_000);
  expect(read.slice(4)).toEqual(["0 huge", "0 huge"]);
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
  index.reindex([document("a heron", { id: "d9" })]);
  expect(idsOf(index, "heron")).toEqual(["d9"]);
});
