// What is read of a text: words, stems, identifiers, unspaced scripts; and where it is cut into passages.
import { describe, expect, test } from "bun:test";
import { passagesOf, stem, tokensOf } from "../../src/search/document.ts";
import { numbers } from "../support/synthetic-turns.ts";

describe("tokensOf", () => {
  const cases: Array<[text: string, terms: string, names: string]> = [
    ["Tokens expired", "token expir", ""],
    ["refreshToken", "refresh token", "refreshtoken"],
    ["refresh_token", "refresh token", "refreshtoken"],
    ["HTTPServer", "http server", "httpserver"],
    ["a well-known bug", "a well know bug", "wellknown"],
    [
      "src/billing/invoice-mailer.ts",
      "src bill invoic mailer ts",
      "src/billing/invoice-mailer.ts invoice-mailer.ts invoicemail",
    ],
    ["src\\billing\\run.ts", "src bill run ts", "src/billing/run.ts run.ts"],
    ["std::vector", "std vector", "std/vector"],
    ["v1.2.3 broke", "v1 2 3 break", "v1.2.3"],
    ["Caroline's dog doesn't bark", "carolin dog doesnt bark", ""],
    ["Café", "cafe", ""],
    ["commit 4f86d02abc99", "commit 4f86d02abc99", "4f86d02"],
    ["数据库", "数据 据库", "数 据 库"],
    ["认", "认", ""],
    ["E4012", "e4012", ""],
    ["😀 \u0301 ...", "", ""],
    ["\ud800", "", ""],
  ];
  test.each(cases)("%s", (text, terms, names) => {
    const tokens = tokensOf(text);
    expect(tokens.map(({ term }) => term).join(" ")).toBe(terms);
    expect(tokens.flatMap((token) => token.names ?? []).sort()).toEqual(
      names.split(" ").filter(Boolean).sort(),
    );
  });

  test("reads a text of ASCII alone as it reads it beside another letter, words that come again too", () => {
    const random = numbers(7);
    const pieces = ["token", "Token", "TOKEN", "refreshToken", "HTTPServer", "4f86d02abc99", "x"];
    pieces.push(
      ..."it's src/a.ts C:\\x a::b v1.2.3 on-call ... -- _ ' \n 's A1b 1Ab e.g. I".split(" "),
    );
    const pick = () => pieces[Math.floor(random() * pieces.length)] ?? "";
    /** Without what a batch noted in a word that was met before. */
    const said = (text: string) =>
      tokensOf(text).map(({ word, term, stop, names }) => ({ word, term, stop, names }));
    for (let round = 0; round < 500; round++) {
      const text = Array.from({ length: 12 }, () => pick() + (random() < 0.4 ? "" : " ")).join("");
      expect(said(text)).toEqual(said(`${text} ж`).slice(0, -1));
    }
  });

  test("knows which words say nothing", () => {
    expect(tokensOf("what is the ledger").map(({ stop }) => stop)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});

test.each([
  ["authentication", "authenticate"],
  ["wrote", "writing"],
  ["ran", "running"],
  ["children", "child"],
])("%s and %s are one term", (one, other) => {
  expect(stem(one)).toBe(stem(other));
});

describe("passagesOf", () => {
  const words = (count: number, word = "word") => Array(count).fill(word).join(" ");
  const cut = (text: string) =>
    passagesOf(text).map(({ start, end }) => text.slice(start, end).trim());

  test("joins short blocks and parts long ones", () => {
    expect(cut("one\n\ntwo")).toEqual(["one\n\ntwo"]);
    expect(cut(`${words(30)}\n\n${words(30, "other")}`)).toEqual([words(30), words(30, "other")]);
    expect(cut(`${words(40)}\n- ${words(20, "item")}\n- more`)).toEqual([
      words(40),
      `- ${words(20, "item")}\n- more`,
    ]);
    expect(cut(words(120)).map((part) => part.split(" ").length)).toEqual([50, 50, 20]);
    expect(cut(" \n\n ")).toEqual([]);
  });

  test("two characters of a script without spaces count as a word", () => {
    const run = (count: number) => "这".repeat(count);
    expect(cut(`${run(60)}\n\n${run(60)}`)).toEqual([run(60), run(60)]);
    expect(cut(`${run(40)}\n\n${run(40)}`)).toEqual([`${run(40)}\n\n${run(40)}`]);
  });

  test("leaves nothing out and splits no character, however long a run is", () => {
    const text = `${"😀".repeat(1_501)} ${words(60)} ${"x".repeat(5_000)}`;
    const parts = passagesOf(text);
    expect(parts.map(({ start, end }) => text.slice(start, end)).join("")).toBe(text);
    for (const { start, end } of parts) expect(text.slice(start, end).isWellFormed()).toBe(true);
  });
});

test("a run without spaces is cut between letters, also between those of two halves", () => {
  const text = `a${"𠮷".repeat(2_000)} ${"word ".repeat(60)}`;
  const cut = passagesOf(text).map(({ start, end }) => text.slice(start, end));
  expect(cut.length).toBeGreaterThan(3);
  for (const passage of cut) expect(passage.isWellFormed()).toBe(true);
  expect(cut.join("").trim()).toBe(text.trim());
});
