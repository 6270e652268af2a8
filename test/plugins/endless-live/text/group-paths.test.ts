// How paths are listed by folder.
import { expect, test } from "bun:test";
import { fitListing } from "../../../../plugins/endless-live/text/listing.ts";

const of = (folder: string, count: number, ending = ".ts") =>
  Array.from({ length: count }, (_, at) => `${folder}f${at}${ending}`);
const lines = (...asked: Parameters<typeof fitListing>) => fitListing(...asked).lines;

test("a folder is named once, with its entries in order; what has no folder and folders themselves too", () => {
  const paths = ["src/a.ts", "b.md", "src/c.ts", "src/deep/", "src/deep/d.ts"];
  expect(fitListing(paths, 1_000, 1)).toMatchObject({
    lines: ["src/: a.ts c.ts deep/", "./: b.md", "src/deep/: d.ts"],
    unnamed: 0,
  });
});

test("what fits exactly is whole; with less room as few entries are named as must be, the rest by its kinds", () => {
  const paths = [...of("a/", 6), ...of("a/", 3, ".md"), "a/one.json", "a/dir/"];
  const [whole = ""] = lines(paths, 1_000, 2);
  expect(lines(paths, whole.length + 1, 2)).toEqual([whole]);
  expect(fitListing(paths, whole.length, 2)).toMatchObject({
    lines: ["a/: f0.ts f1.ts … and 9 more (4 .ts, 3 .md, 1 .json, 1 folders)"],
    unnamed: 9,
  });
  expect(fitListing([...of("a/", 9), ...of("b/", 4)], 50, 2).unnamed).toBe(9);
});

test("halves are tried before the least, and never fewer than the least", () => {
  const paths = of("a/", 200);
  const named = (budget: number, least: number) => 200 - fitListing(paths, budget, least).unnamed;
  expect([named(600, 4), named(300, 4), named(100, 4), named(10, 4)]).toEqual([64, 32, 8, 4]);
  expect(named(10, 12)).toBe(12);
});

test("sixty folders stay apart whatever the room, more are counted under their parents", () => {
  const folders = (count: number) =>
    Array.from({ length: count }, (_, at) => `src/part${at}/index.ts`);
  expect(lines(folders(60), 100, 1)).toHaveLength(60);
  expect(fitListing(folders(61), 100, 1)).toMatchObject({ unnamed: 61 });
  expect(lines(folders(61), 100, 1)).toEqual([
    "src/: 61 entries in 61 folders (61 .ts) part0/ part1/ part2/ part3/ part4/ part5/ part6/ part7/ …",
  ]);
});
