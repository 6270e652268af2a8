// What is left out of a build's output, and what never is.
import { expect, test } from "bun:test";
import { shortenBuild } from "../../../../plugins/endless-live/text/build.ts";
import { defaultPolicy } from "../cases.ts";

const downloads = Array.from({ length: 120 }, (_, at) => `Downloading part-${at} v1.${at}.0`);
const shorten = (lines: readonly string[], command = "cargo build") =>
  shortenBuild(lines.join("\n"), defaultPolicy, { command });

test("progress goes, and a line of progress that tells of trouble stays", () => {
  const broken = "Downloading part-60 v1.60.0: connection refused";
  const short = shorten([...downloads.with(60, broken), "Finished dev in 3.1s"]);
  expect(short?.text).toContain(broken);
  expect(short?.text).toContain("Finished dev");
  expect(short?.text).not.toContain("part-40 ");
});

test("an error comes with its own paragraph, up to the blank line", () => {
  const error = ["error[E0308]: mismatched types", "  --> src/cart.rs:7", "   expected i64", ""];
  const short = shorten([...downloads, ...error, ...downloads]);
  expect(short?.text).toContain(error.slice(0, 3).join("\n"));
});

test("other commands' output is a build's only where a third of it is progress", () => {
  expect(shorten(downloads, "./make-it")).toBeDefined();
  const words = Array.from({ length: 300 }, (_, at) => `row ${at} of the report`);
  expect(shorten([...downloads.slice(0, 90), ...words], "./make-it")).toBeUndefined();
});

test.each([
  ...[
    "[==========>     ] 45%",
    "  45% [=====>",
    "⠋ resolving",
    "Compiling serde v1.0",
    "Get:3 http://x y",
  ],
  ...["npm http fetch GET 200", "#7 sha256:abc", "#7 CACHED", "0123456789ab: Pull complete"],
  ...["go: downloading x v1", "[12/40] CC a.o", "[ 45%] Building", "remote: Counting objects: 3"],
  ...["Receiving objects: 45%", "[INFO] Downloading x", "make[1]: Leaving directory '/x'"],
  "make: Entering directory '/x'",
])("progress: %s", (line) => {
  const words = Array.from({ length: 30 }, (_, at) => `line ${at} of other words here`);
  const short = shorten(
    [...words.slice(0, 10), ...Array(9).fill(line), ...words.slice(10)],
    "make",
  );
  expect(short?.leftOut).toBe("9 of 39 lines");
});

test.each([
  "step [12/40] of it",
  "see make: Entering directory",
  "x".repeat(400).replace(/^x+/, (all) => `Compiling ${all}`),
])("no progress: %s", (line) => {
  const words = Array.from({ length: 20 }, (_, at) => `line ${at} of other words here`);
  expect(shorten([...words, line])?.text ?? line).toContain(line.slice(0, 100));
});

test("of one message thirty lines are kept, of all as much as there is room for", () => {
  const message = (count: number) => [
    "error[E0308]: mismatched types",
    ...Array.from({ length: count }, (_, at) => `   note ${at} of the compiler on it`),
  ];
  const told = Array.from({ length: 20 }, (_, at) => `and line ${at} of the end`);
  const kept = (count: number) =>
    shorten([...downloads, ...message(count), "", ...told])
      ?.text.split("\n")
      .filter((line) => line.includes("of the compiler")).length;
  expect([kept(29), kept(45)]).toEqual([29, 29]);
  const many = Array.from({ length: 900 }, (_, at) => `error: number ${at} of all`);
  const errors =
    shorten(many)
      ?.text.split("\n")
      .filter((line) => line.startsWith("error")) ?? [];
  const size = errors.join("").length;
  expect([size > 7_000, size < 9_500 * 2]).toEqual([true, true]);
});

test("exactly a third of progress is not enough to tell a build, twenty lines are needed", () => {
  const words = (count: number) =>
    Array.from({ length: count }, (_, at) => `row ${at} of the report`);
  const told = (progress: number, others: number) =>
    shorten([...downloads.slice(0, progress), ...words(others)], "./make-it") !== undefined;
  expect([told(20, 40), told(21, 40), told(19, 0), told(20, 0)]).toEqual([
    false,
    true,
    false,
    true,
  ]);
});
