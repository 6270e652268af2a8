// A diff's files: which are kept whole, and what stands for the others.
import { describe, expect, test } from "bun:test";
import { shortenDiff } from "../../../../plugins/endless-live/text/diff.ts";
import { defaultPolicy } from "../cases.ts";

/** One file's change with `count` added lines below one hunk. */
const file = (path: string, count: number, line = "+added") => [
  `diff --git a/${path} b/${path}`,
  ...["index 1..2 100644", `--- a/${path}`, `+++ b/${path}`, "@@ -1,2 +1,9 @@ function total()"],
  ...Array(count).fill(line),
];
const size = (lines: readonly string[]) => lines.reduce((sum, line) => sum + line.length + 1, 0);
const shorten = (lines: readonly string[], diffCharacters = 1_000, firstLine?: number) =>
  shortenDiff(
    lines.join("\n"),
    { ...defaultPolicy, diffCharacters },
    { command: "git diff", ...(firstLine !== undefined && { firstLine }) },
  );
const head = (path: string, told: string) => `diff --git a/${path} b/${path}  … ${told} left out`;

test("a big file is told by its counts, its place and its hunks; small ones stay", () => {
  const small = file("a.ts", 3);
  const big = [...file("b.ts", 100), "-gone", "@@ -90 +95 @@", "-gone too"];
  expect(shorten([...small, ...big])).toEqual({
    text: [
      ...small,
      head("b.ts", "+100 −2, lines 9–116"),
      "@@ -1,2 +1,9 @@ function total()",
      "@@ -90 +95 @@",
    ].join("\n"),
    leftOut: "the changes of 1 of 2 files",
    how: "kept small files and hunk heads",
  });
});

test("lines are counted as they stand in the whole, where this is only a part", () => {
  expect(shorten(file("a.ts", 400), 1_000, 500)?.text).toContain("lines 500–904 left out");
});

test.each(["", "no diff\n+++ b\n@@ x", "--- a\n+++ b\nno hunk", "see diff --git"])(
  "what is no diff is left alone: %j",
  (text) => {
    expect(shortenDiff(text, { ...defaultPolicy, diffCharacters: 1 }, { command: "" })).toBe(
      undefined,
    );
  },
);

describe("which files are whole", () => {
  test("one that takes all there is, if it is alone", () => {
    const one = file("a.ts", 20);
    expect(shorten(one, size(one))).toBeUndefined();
    expect(shorten(one, size(one) - 1)).toBeDefined();
  });

  test("beside others none that takes more than three fifths", () => {
    const [small, big] = [file("a.ts", 1), file("b.ts", 60)];
    const most = Math.ceil(size(big) / 0.6);
    expect(shorten([...big, ...small], most)).toBeUndefined();
    expect(shorten([...big, ...small], most - 2)?.leftOut).toBe("the changes of 1 of 2 files");
  });

  test("in turn, while there is room: what is kept and what is told takes of it", () => {
    const files = ["a.ts", "b.ts", "c.ts"].map((path) => file(path, 20));
    const each = size(files[0] ?? []);
    const left = (most: number) => shorten(files.flat(), most)?.leftOut;
    expect(left(3 * each)).toBeUndefined();
    expect(left(3 * each - 1)).toBe("the changes of 1 of 3 files");
    expect(left(2 * each - 1)).toBe("the changes of 2 of 3 files");
    const outlined = 3 * each - 1 - 2 * each;
    expect(outlined).toBeLessThan(each);
    const generated = file("bun.lock", 20);
    const told = shorten([...generated, ...(files[0] ?? [])], each)?.text ?? "";
    expect(told).not.toContain("+added");
  });

  test("never what is generated or binary", () => {
    expect(shorten([...file("package-lock.json", 2), ...file("a.ts", 1)])?.text).toBe(
      [head("package-lock.json", "+2 −0, generated, lines 1–7"), ...file("a.ts", 1)].join("\n"),
    );
    const binary = ["diff --git a/x.png b/x.png", "Binary files a/x.png and b/x.png differ"];
    const long = Array(100).fill("index of a very large one");
    expect(shorten([...binary, ...long, ...file("a.ts", 1)])?.text.split("\n")[0]).toBe(
      head("x.png", "+0 −0, binary, lines 1–102"),
    );
  });
});

describe("where a file begins", () => {
  test("without git, at its two names; a tab and what follows it are no part of the name", () => {
    const plain = (path: string, count: number) => [
      `--- ${path}\t2026-03-01`,
      `+++ ${path}\t2026-03-02`,
      ...["@@ -1 +1 @@", ...Array(count).fill("-gone"), "+++ "],
    ];
    expect(shorten([...plain("a.ts", 300), ...plain("b.ts", 1)])?.text.split("\n")).toEqual([
      "diff a.ts  … +1 −300, lines 1–304 left out",
      "@@ -1 +1 @@",
      ...plain("b.ts", 1),
    ]);
  });

  test("a removed line that looks like a file's name begins none inside a hunk of one", () => {
    const lines = [...file("a.ts", 300), "--- a comment", "+x"];
    expect(shorten(lines)?.leftOut).toBe("the changes of 1 of 1 file");
    expect(shorten(lines)?.text).toContain("+301 −1");
  });

  test("a file that is gone keeps its old name, one that was moved its new one", () => {
    const gone = ["--- a/bun.lock", "+++ /dev/null", "@@ -1 +0,0 @@", "-x"];
    expect(shorten(gone)?.text).toStartWith("diff bun.lock  … +0 −1, generated");
    const moved = ["--- a/a.ts", "+++ b/bun.lock", "@@ -1 +1 @@", "-x"];
    expect(shorten(moved)?.text).toStartWith("diff bun.lock  … +0 −1, generated");
  });

  test("names with blanks are quoted, a merge's are told once", () => {
    const quoted = ['diff --git "a/my bun.lock" "b/web/bun.lock"', "@@ -1 +1 @@"];
    expect(shorten(quoted)?.text).toContain("generated");
    expect(shorten(["diff --cc bun.lock", "@@@ -1 -1 +1 @@@"])?.text).toContain("generated");
  });
});

describe("what stands before and between", () => {
  const message = (count: number) =>
    Array.from({ length: count }, (_, at) => `    word ${at} of the message`);

  test("sixty lines before the first file, the rest is marked", () => {
    const most = message(60);
    expect(
      shorten([...most, ...file("bun.lock", 1)])
        ?.text.split("\n")
        .slice(0, 61),
    ).toEqual([...most, head("bun.lock", "+1 −0, generated, lines 61–66")]);
    const more = shorten([...message(63), ...file("bun.lock", 1)], 1_000, 11)?.text.split("\n");
    expect(more?.slice(59, 61)).toEqual([...message(60).slice(59), "… lines 71–73"]);
  });

  test("of `git log -p` each commit keeps the beginning of its own message", () => {
    const commit = (id: string, lines: number) => [`commit ${id.repeat(40)}`, ...message(lines)];
    const lines = [...commit("a", 12), ...file("bun.lock", 1), ...commit("b", 13)];
    const short = shorten(lines, 10)?.text.split("\n") ?? [];
    expect(short.slice(0, 13)).toEqual(commit("a", 12));
    expect(short.slice(14)).toEqual([...commit("b", 11), "… lines 32–33"]);
    expect(shorten(lines, 10)?.leftOut).toBe("the changes of 3 of 3 files");
  });

  test("twenty hunks of a file, the rest counted; a hunk's head is cut", () => {
    const hunks = (count: number) =>
      Array.from({ length: count }, (_, at) => [`@@ -${at} +${at} @@ ${"x".repeat(300)}`, "+a"]);
    const lines = (count: number) => ["diff --git a/a.ts b/a.ts", ...hunks(count).flat()];
    const told = (count: number) => shorten(lines(count))?.text.split("\n") ?? [];
    expect(told(20)).toHaveLength(21);
    expect(told(20)[1]).toHaveLength(160);
    expect(told(21).at(-1)).toBe("… 1 more hunk");
    expect(told(25).at(-1)).toBe("… 5 more hunks");
  });
});
