// A diff's files: which are kept whole, and what stands for the others.
import { describe, expect, test } from "bun:test";
import { askedIn } from "../../../../plugins/endless-live/look/asked.ts";
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
const head = (path: string, told: string) => `diff --git a/${path} b/${path}  … ${told}`;
/** Diffs of fewer files stay as they are. */
const others = [...file("y.ts", 1), ...file("z.ts", 1)];

test("a big file is told by its counts, its place and its hunks; small ones stay", () => {
  const small = file("a.ts", 3);
  const big = [...file("b.ts", 100), "-gone", "@@ -90 +95 @@", "-gone too"];
  expect(shorten([...small, ...big, ...file("c.ts", 1)])).toEqual({
    text: [
      ...small,
      head("b.ts", "+100 −2"),
      "@@ -1,2 +1,9 @@ function total()  … +100 −1",
      "… lines 14–114",
      "@@ -90 +95 @@",
      "-gone too",
      ...file("c.ts", 1),
    ].join("\n"),
    leftOut: "hunks of 1 of 3 files",
    how: "kept small files and what was asked for",
    of: "diff",
  });
});

test("one or two files stay whole, up to what the client shows", () => {
  const two = [...file("a.ts", 300), ...file("b.ts", 300)];
  expect(shorten(two)).toMatchObject({ text: two.join("\n"), isWhole: true });
  const large = [...file("a.ts", 300), ...file("b.ts", 4_000)];
  expect(shorten(large)?.text.length).toBeLessThan(1_000);
});

test("hunks that were asked for stay, by what is in them and by their file, as far as there is room", () => {
  const lines = [...file("cart.ts", 200), "@@ -9 +9 @@", "+roundTotal(7, of, the, others, of, it)"];
  const many = Array.from({ length: 10 }, (_, at) => file(`f${at}.ts`, 1)).flat();
  const asked = (prompt: string, diffCharacters = 1_000) =>
    shortenDiff(
      [...lines, ...many].join("\n"),
      { ...defaultPolicy, diffCharacters },
      { command: "git diff", asked: askedIn([prompt]) },
    )?.text ?? "";
  const added = (text: string) => text.split("\n").filter((line) => line === "+added").length;
  expect(asked("")).not.toContain("roundTotal");
  expect(asked("Why roundTotal?")).toContain("+roundTotal(7");
  expect(added(asked("Why roundTotal?"))).toBeLessThan(20);
  expect(added(asked("What changed in cart.ts?", 2_000))).toBeGreaterThan(200);
  expect(added(asked("What changed?", 2_000))).toBeLessThan(20);
  expect(asked("Why roundTotal?", 10)).not.toContain("roundTotal");
});

test("lines are counted as they stand in the whole, where this is only a part", () => {
  const lines = [...file("a.ts", 400), ...others];
  expect(shorten(lines, 1_000, 500)?.text).toContain("… lines 505–904");
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
  test("none that takes more than three fifths", () => {
    const big = [...file("b.ts", 60), ...others];
    const most = Math.ceil(size(file("b.ts", 60)) / 0.6);
    expect(shorten(big, most)).toBeUndefined();
    expect(shorten(big, most - 2)?.leftOut).toBe("hunks of 1 of 3 files");
  });

  test("in turn, while there is room: what is kept and what is told takes of it", () => {
    const files = ["a.ts", "b.ts", "c.ts"].map((path) => file(path, 20));
    const each = size(files[0] ?? []);
    const left = (most: number) => shorten(files.flat(), most)?.leftOut;
    expect(left(3 * each)).toBeUndefined();
    expect(left(3 * each - 1)).toBe("hunks of 1 of 3 files");
    expect(left(2 * each - 1)).toBe("hunks of 2 of 3 files");
    const outlined = 3 * each - 1 - 2 * each;
    expect(outlined).toBeLessThan(each);
    const generated = file("bun.lock", 20);
    const told = shorten([...generated, ...(files[0] ?? [])], each)?.text ?? "";
    expect(told).not.toContain("+added");
  });

  test("never what is generated or binary", () => {
    expect(shorten([...file("package-lock.json", 2), ...file("a.ts", 1)])?.text).toBe(
      [head("package-lock.json", "+2 −0, generated, lines 1–7 left out"), ...file("a.ts", 1)].join(
        "\n",
      ),
    );
    const binary = ["diff --git a/x.png b/x.png", "Binary files a/x.png and b/x.png differ"];
    const long = Array(100).fill("index of a very large one");
    expect(shorten([...binary, ...long, ...file("a.ts", 1)])?.text.split("\n")[0]).toBe(
      head("x.png", "+0 −0, binary, lines 1–102 left out"),
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
    const lines = [...plain("a.ts", 300), ...plain("b.ts", 1), ...plain("c.ts", 1)];
    expect(shorten(lines)?.text.split("\n")).toEqual([
      "diff a.ts  … +1 −300",
      "@@ -1 +1 @@  … +1 −300",
      "… lines 4–304",
      ...plain("b.ts", 1),
      ...plain("c.ts", 1),
    ]);
  });

  test("a removed line that looks like a file's name begins none inside a hunk of one", () => {
    const lines = [...file("a.ts", 300), "--- a comment", "+x", ...others];
    expect(shorten(lines)?.leftOut).toBe("hunks of 1 of 3 files");
    expect(shorten(lines)?.text).toContain("+301 −1");
  });

  test("a file that is gone keeps its old name, one that was moved its new one", () => {
    const gone = ["--- a/bun.lock", "+++ /dev/null", "@@ -1 +0,0 @@", "-x"];
    expect(shorten(gone)?.text).toStartWith("diff bun.lock  … +0 −1, generated");
    const moved = ["--- a/a.ts", "+++ b/bun.lock", "@@ -1 +1 @@", "-x"];
    expect(shorten(moved)?.text).toStartWith("diff bun.lock  … +0 −1, generated");
  });

  test("names with blanks are quoted; what two sides wrote stays, whoever wrote it", () => {
    const quoted = ['diff --git "a/my bun.lock" "b/web/bun.lock"', "@@ -1 +1 @@"];
    expect(shorten(quoted)?.text).toContain("generated");
    const merged = ["diff --cc dist/a.js", "@@@ -1 -1 +1 @@@", "++<<<<<<< HEAD", " +of one side"];
    expect(shorten([...merged, ...file("bun.lock", 9)])?.text).toStartWith(merged.join("\n"));
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
    ).toEqual([...most, head("bun.lock", "+1 −0, generated, lines 61–66 left out")]);
    const more = shorten([...message(63), ...file("bun.lock", 1)], 1_000, 11)?.text.split("\n");
    expect(more?.slice(59, 61)).toEqual([...message(60).slice(59), "… lines 71–73"]);
  });

  test("of `git log -p` each commit keeps the beginning of its own message", () => {
    const commit = (id: string, lines: number) => [`commit ${id.repeat(40)}`, ...message(lines)];
    const lines = [...commit("a", 12), ...file("bun.lock", 1), ...commit("b", 13)];
    const short = shorten(lines, 10)?.text.split("\n") ?? [];
    expect(short.slice(0, 13)).toEqual(commit("a", 12));
    expect(short.slice(14)).toEqual([...commit("b", 11), "… lines 32–33"]);
    expect(shorten(lines, 10)?.leftOut).toBe("hunks of 2 of 3 files");
  });

  test("twenty hunks of a file, the rest counted; a hunk's head is cut", () => {
    const hunks = (count: number) =>
      Array.from({ length: count }, (_, at) => [
        `@@ -${at} +${at} @@ ${"x".repeat(300)}`,
        `+${"a".repeat(80)}`,
      ]);
    const lines = (count: number) => [
      ...others,
      "diff --git a/a.ts b/a.ts",
      ...hunks(count).flat(),
    ];
    const told = (count: number) => shorten(lines(count))?.text.split("\n").slice(12) ?? [];
    expect(told(20)).toHaveLength(41);
    expect(told(20)[1]).toHaveLength(169);
    expect(told(21).at(-1)).toBe("… lines 53–55");
    expect(told(25).at(-1)).toBe("… lines 53–63");
    expect(told(25)[0]).toEndWith("… +25 −0 in 25 hunks");
  });
});
