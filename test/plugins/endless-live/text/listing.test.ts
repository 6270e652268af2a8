// What counts as a listing of files, and how its entries, headings and other lines are told.
import { expect, test } from "bun:test";
import { shortenListing } from "../../../../plugins/endless-live/text/listing.ts";
import { defaultPolicy } from "../cases.ts";

const files = (count: number, folder = "src/") =>
  Array.from({ length: count }, (_, at) => `${folder}f${at}.ts`);
const names = (count: number) => files(count, "").join(" ");
const shorten = (lines: readonly string[], command = "find . -name '*.ts'") =>
  shortenListing(lines.join("\n"), defaultPolicy, { command });
const told = (lines: readonly string[], command?: string) => shorten(lines, command)?.text;

test("entries are grouped by folder and counted", () => {
  expect(shorten(files(20))).toEqual({
    text: `src/: ${names(20)}\n20 entries in all`,
    leftOut: "only repeated folder names",
    how: "grouped by folder",
  });
});

test("fewer than twenty filled lines are left alone; blank ones do not count", () => {
  expect(shorten(files(19))).toBeUndefined();
  expect(shorten([...files(19), "", "  "])).toBeUndefined();
  expect(shorten(["", ...files(20), ""])).toBeDefined();
});

test.each([
  ["find src -type f"],
  ["cd x && ls -R"],
  ["fd . src"],
  ["du -a"],
  ["git ls-files"],
  ["git diff HEAD --name-only"],
  ["rg --files"],
  ["rg -l total src"],
  ["grep -rl total ."],
  ["grep --files-with-matches total *"],
  ["git   ls-tree HEAD"],
])("names without a folder are a listing when `%s` gives them", (command) => {
  expect(told(files(20, ""), command)).toBe(`./: ${names(20)}\n20 entries in all`);
});

test("of any other command only paths are entries, with a folder and without blanks", () => {
  expect(told(files(20), "./list-them")).toBe(`src/: ${names(20)}\n20 entries in all`);
  expect(shorten(files(20, ""), "./list-them")).toBeUndefined();
  expect(shorten(files(20, "a b/"), "./list-them")).toBeUndefined();
  expect(shorten(files(20, "a b/"))).toBeDefined();
});

test.each([
  "a  b.ts",
  "a\tb.ts",
  "const a = 1;",
  "{a}.ts",
  "<a>.ts",
  "a|b",
  'say "a"',
  "note: a",
  `src/${"x".repeat(400)}`,
])("lines like `%s` are no entries", (line) => {
  expect(shorten(Array(20).fill(line))).toBeUndefined();
  expect(told([...files(20), line])).toBe(`${line}\nsrc/: ${names(20)}\n20 entries in all`);
});

test("a tenth of other lines is let through, and one more", () => {
  const others = (count: number) => Array.from({ length: count }, (_, at) => `note: number ${at}`);
  expect(told([...others(3), ...files(18)])).toBe(
    `note: number 0\nnote: number 1\nnote: number 2\nsrc/: ${names(18)}\n18 entries in all`,
  );
  expect(shorten([...others(4), ...files(18)])).toBeUndefined();
});

test("forty other lines are kept, more are counted", () => {
  const others = (count: number) => Array.from({ length: count }, (_, at) => `note: ${at}`);
  expect(told([...others(40), ...files(400)])).not.toContain("no ent");
  const one = told([...others(41), ...files(400)])?.split("\n");
  expect(one?.slice(39, 41)).toEqual(["note: 39", "… 1 more line that is no entry"]);
  expect(told([...others(43), ...files(400)])).toContain(
    "… 3 more lines that are no entries\nsrc/",
  );
});

test("`ls -l` keeps names, sizes and folders; permissions, owners and dates go", () => {
  const long = (name: string, kind = "-") =>
    `${kind}rw-r--r-- 1 ada staff 1.2K Mar  1 10:00 ${name}`;
  const lines = [
    "src:",
    "total 48",
    long(".", "d"),
    long("..", "d"),
    ...files(40, "").map((name) => long(name)),
    long("deep", "d"),
    "",
    "src/deep/:",
    "-rw-r--r--@ 1 ada staff 300 2026-03-01 10:00 a b.ts",
  ];
  const sized = files(40, "").map((name) => `${name}(1.2K)`);
  expect(shorten(lines, "ls -lR src")).toEqual({
    text: `src/: ${sized.join(" ")} deep/\nsrc/deep/: a b.ts(300)\n42 entries in all`,
    leftOut: "permissions, owners and dates",
    how: "grouped by folder",
  });
});

test("what is left out says how many names, and permissions too where there were some", () => {
  expect(shorten(files(900))?.leftOut).toMatch(/^the names of \d+ of 900 entries$/);
  const long = files(900, "").map((name) => `-rw-r--r-- 1 ada staff 12 Mar  1 10:00 ${name}`);
  expect(shorten(long, "ls -l")?.leftOut).toMatch(
    /^permissions, owners and dates and the names of \d+ of 900 entries$/,
  );
});

test("an output that the client cut is not told as the whole", () => {
  const cut = "... [1200 lines truncated] ...";
  expect(told([...files(20), cut])).toBe(
    `${cut}\nsrc/: ${names(20)}\n20 entries listed; the output had been cut before`,
  );
});

test("sizes before the names stay with them", () => {
  expect(
    told(
      files(20).map((path) => `4.0K\t${path}`),
      "du -a",
    ),
  ).toContain("4.0K\tsrc/");
});

test("a tree's drawing becomes paths: folders are told by their entries, links by their names", () => {
  const drawn = [
    "shop/",
    "├── src",
    "│   ├── cart",
    "│   │   └── total.ts",
    "│   └── main.ts",
    "├── empty",
    "├── latest -> src",
    ...files(14, "").map((name) => `├── ${name}`),
    "└── last.md",
    "",
    "3 directories, 18 files",
  ];
  expect(told(drawn, "tree shop")).toBe(
    [
      "3 directories, 18 files",
      "shop/src/cart/: total.ts",
      "shop/src/: main.ts",
      `shop/: empty latest ${names(14)} last.md`,
      "19 entries in all",
    ].join("\n"),
  );
});

test("a tree is drawn with plain letters and hard blanks too; its first line may be an entry", () => {
  const drawn = [
    "|-- src",
    "|\u00a0\u00a0 `-- main.ts",
    ...files(19, "").map((name) => `|-- ${name}`),
  ];
  expect(told(drawn, "tree --charset ascii")).toBe(
    `src/: main.ts\n./: ${names(19)}\n20 entries in all`,
  );
  expect(shorten(drawn, "./draw")).toBeUndefined();
});
