// One-line diagnostics by their message, and a log of commits by hash and subject.
import { expect, test } from "bun:test";
import { shortenDiagnostics, shortenGitLog } from "../../../../plugins/endless-live/reduce/bash.ts";
import { defaultPolicy } from "../cases.ts";

const origin = { command: "" };
const places = (count: number, path = "src/a.ts") =>
  Array.from({ length: count }, (_, at) => `${path}(${at + 1},7): error TS1: no total`);
const diagnostics = (lines: readonly string[]) =>
  shortenDiagnostics(lines.join("\n"), defaultPolicy, origin);

test("a message is told once, with all its places by file; other lines stand above", () => {
  const lines = [
    ...places(18),
    "src/b.c:3:4: error TS1: no total",
    "src/b.c:9: error TS1: no total",
  ];
  expect(diagnostics([...lines, "", "Found 20 errors."])).toEqual({
    text: [
      "Found 20 errors.",
      "error TS1: no total",
      `  src/a.ts: ${Array.from({ length: 18 }, (_, at) => `${at + 1}:7`).join(" ")}`,
      "  src/b.c: 3:4 9",
      "20 diagnostics in all",
    ].join("\n"),
    leftOut: "only repeated messages and paths",
    how: "grouped by message",
  });
});

test("fewer than twenty lines, messages of their own, and many other lines are left alone", () => {
  expect([diagnostics(places(19)), diagnostics(places(20)) === undefined]).toEqual([
    undefined,
    false,
  ]);
  const own = Array.from({ length: 20 }, (_, at) => `src/a.ts:${at}: message ${"ab".repeat(at)}`);
  expect(diagnostics(own)).toBeUndefined();
  const others = (count: number) => Array<string>(count).fill("a word of the tool");
  expect(diagnostics([...places(20), ...others(5)])).toBeDefined();
  expect(diagnostics([...places(20), ...others(6)])).toBeUndefined();
  expect(diagnostics(places(20, "nopath"))).toBeUndefined();
});

const commit = (letter: string, more: readonly string[] = []) => [
  `commit ${letter.repeat(40)}${letter === "d" ? " (tag: v1)" : ""}`,
  ...["Author: Ada", "Date: today", "", `    Subject ${letter}`, "", "    Body", ...more, ""],
];

test("the first three commits and the last stay whole, of the others hash, names, subject and size", () => {
  const log = ["a", "b", "c"].flatMap((letter) => commit(letter));
  const stat = [" a.ts | 3 +", " 1 file changed, 3 insertions(+)"];
  const all = [...log, ...commit("d", stat), ...commit("e")].join("\n");
  expect(shortenGitLog(all, defaultPolicy, origin)).toEqual({
    text: [
      ...log,
      "dddddddddddd (tag: v1) Subject d (1 file changed, 3 insertions(+))",
      ...commit("e"),
    ].join("\n"),
    leftOut: "author, date and message body of 1 commit",
    how: "kept hashes and subjects",
  });
});

test("three commits, another beginning, and very long first ones are left alone", () => {
  const log = (letters: string) => [...letters].flatMap((letter) => commit(letter));
  const shorten = (lines: readonly string[]) =>
    shortenGitLog(lines.join("\n"), defaultPolicy, origin);
  expect(shorten(log("abc"))).toBeUndefined();
  expect(shorten(["on main", ...log("abcd")])).toBeUndefined();
  const long = (count: number) => [...commit("a", Array(count).fill("    more")), ...log("bcd")];
  const room = defaultPolicy.headLines * 6 - log("abc").length;
  expect([shorten(long(room)) !== undefined, shorten(long(room + 1))]).toEqual([true, undefined]);
});
