// What Endless Mode's tables hold and give: kept contents, the books, what sessions took, and the report over them.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";

import { type Database, openDatabase } from "../../../src/host/sqlite.ts";
import { type Booking, book, bookLines, pruneBooks } from "../../../src/runtime/endless/books.ts";
import {
  firstKeptAt,
  forgetKept,
  keepRow,
  keptSize,
  keptValue,
  packContent,
  pruneKept,
  referencesOf,
  takenOutOf,
  toolUsesLike,
  unpackContent,
} from "../../../src/runtime/endless/kept-rows.ts";
import { endlessMetrics } from "../../../src/runtime/endless/metrics.ts";
import { endlessForm } from "../../../src/runtime/endless/open-store.ts";
import { holdsJson, sameJson, textLength } from "../../../src/runtime/endless/originals.ts";
import {
  knownFirstReduced,
  type SessionUsage,
  sessionUsages,
  writeSessionUsage,
} from "../../../src/runtime/endless/usage-rows.ts";

let db: Database;
beforeEach(async () => {
  db = await openDatabase(":memory:");
  for (const tables of endlessForm.migrations) db.exec(String(tables));
});
afterEach(() => db.close());

/** Keeps a value; each again says whether it was new. */
function keep(toolUseId: string, value: unknown, at = 10, more: object = {}, strategy = "live") {
  const packed = packContent(value);
  if (!packed) throw new Error("no JSON");
  const request = {
    ...{ session: "s1", toolUseId, tool: "Bash", part: "output" as const },
    ...{ value, before: "", after: "", ...more },
  };
  return keepRow(db, strategy, request, packed, at);
}

describe("content", () => {
  test("comes back exactly, is named by its text, and knows its length", () => {
    const value = { b: [1, "ä\ud83d\ude00"], a: null };
    const packed = packContent(value);
    expect(unpackContent(packed?.data ?? new Uint8Array())).toEqual(value);
    expect(packed?.characters).toBe(JSON.stringify(value).length);
    expect(packContent({ a: null, b: value.b })?.hash).not.toEqual(packed?.hash);
    expect(packContent({ ...value })?.hash).toEqual(packed?.hash);
  });
  test("that is no JSON is none", () => {
    const round: Record<string, unknown> = {};
    round.own = round;
    expect([packContent(undefined), packContent(round), packContent(() => 1)]).toEqual([
      ...[undefined, undefined, undefined],
    ]);
  });
});

describe("what was kept", () => {
  test("is kept once for each who kept it, with all that is known of it", () => {
    expect([
      keep("t1", "one"),
      keep("t1", "one", 20),
      keep("t1", "one", 30, {}, "gateway"),
    ]).toEqual([...[true, false, true]]);
    keep("t1", { a: 1 }, 40, { part: "input", project: "shop", session: "s2" });
    const reference = { toolUseId: "t1", part: "output", session: "s1", tool: "Bash", kind: "" };
    expect(referencesOf(db, "t1")).toEqual([
      { ...reference, strategy: "live", keptAt: 10 },
      { ...reference, strategy: "gateway", keptAt: 30 },
      {
        ...{ ...reference, part: "input", session: "s2", strategy: "live" },
        ...{ project: "shop", keptAt: 40 },
      },
    ] as never);
    expect(keptValue(db, "t1", "input")).toEqual({
      ...{
        session: "s2",
        toolUseId: "t1",
        tool: "Bash",
        part: "input",
        value: { a: 1 },
        keptAt: 40,
      },
    });
    expect(keptValue(db, "t2", "output")).toBeUndefined();
  });

  test("of several sessions with one id the one that kept last is meant, and of its own the first", () => {
    keep("t1", "first of s1", 10);
    keep("t1", "of s2", 20, { session: "s2" });
    keep("t1", "second of s1", 30);
    expect(keptValue(db, "t1", "output")?.value).toBe("first of s1");
  });

  test("what names the way back to itself gives way to what it stood for, if that is there", () => {
    keep("t1", "whole: memoir recall t1", 10);
    expect(keptValue(db, "t1", "output")?.value).toBe("whole: memoir recall t1");
    keep("t1", "the original", 20, { session: "s0" });
    keep("t1", "whole: memoir recall t1, again", 30);
    expect(keptValue(db, "t1", "output")?.value).toBe("the original");
  });

  test("is found by the beginning of its id, one that is equal alone", () => {
    for (const id of ["t2", "t1a", "t1", "t1b"]) keep(id, "x");
    expect(toolUsesLike(db, "t", 3)).toEqual(["t1", "t1a", "t1b"]);
    expect([
      toolUsesLike(db, "t1", 5),
      toolUsesLike(db, "t1a", 5),
      toolUsesLike(db, "u", 5),
    ]).toEqual([...[["t1"], ["t1a"], []]]);
  });

  test("has a size, and a first time in each session", () => {
    expect(keptSize(db)).toEqual({
      contents: 0,
      references: 0,
      characters: 0,
      bytes: 0,
      oldestAt: null,
    });
    keep("t1", "same", 20);
    keep("t2", "same", 10, { session: "s2" });
    const bytes = packContent("same")?.data.byteLength ?? 0;
    expect(keptSize(db)).toEqual({
      contents: 1,
      references: 2,
      characters: 6,
      bytes,
      oldestAt: 10,
    });
    expect([firstKeptAt(db, "s1"), firstKeptAt(db, "s2"), firstKeptAt(db, "s3")]).toEqual([
      ...[20, 10, undefined],
    ]);
  });

  test("goes when it is too old, a content with the last that had it", () => {
    keep("t1", "shared", 10);
    keep("t2", "shared", 20);
    keep("t3", "own", 15);
    const all = { keepFrom: 20, keepBytes: 1_000_000 };
    expect(pruneKept(db, all, 1)).toBe(1);
    expect(keptValue(db, "t1", "output")).toBeUndefined();
    expect(pruneKept(db, all, 5)).toBe(1);
    expect(keptSize(db)).toEqual(expect.objectContaining({ contents: 1, references: 1 }));
    expect(keptValue(db, "t2", "output")?.value).toBe("shared");
    expect(pruneKept(db, all, 5)).toBe(0);
  });

  test("goes oldest first while it is too much, and no further", () => {
    const texts = ["a", "b", "c", "d"].map((letter) => letter.repeat(50));
    for (const [at, text] of texts.entries()) keep(`t${at}`, text, 100 - at);
    const each = packContent(texts[0])?.data.byteLength ?? 0;
    const limits = (count: number) => ({ keepFrom: 0, keepBytes: count * each });
    expect([
      pruneKept(db, limits(4), 9),
      pruneKept(db, limits(2), 1),
      pruneKept(db, limits(2), 9),
    ]).toEqual([...[0, 1, 1]]);
    expect([0, 1, 2, 3].map((at) => keptValue(db, `t${at}`, "output") !== undefined)).toEqual([
      ...[true, true, false, false],
    ]);
    expect(pruneKept(db, limits(0), 9)).toBe(2);
  });

  test("a content that others share frees no room when one of them goes", () => {
    keep("t1", "shared ".repeat(20), 1);
    keep("t2", "shared ".repeat(20), 2);
    expect(pruneKept(db, { keepFrom: 0, keepBytes: 0 }, 9)).toBe(2);
    expect(keptSize(db).contents).toBe(0);
  });

  test("is forgotten of one session, whoever kept it", () => {
    keep("t1", "x", 1);
    keep("t1", "x", 1, { part: "input" }, "gateway");
    keep("t1", "x", 1, { session: "s2" });
    keep("t2", "x", 1);
    forgetKept(db, "s1", ["t1", "t9"]);
    expect(referencesOf(db, "t1").map(({ session }) => session)).toEqual(["s2"]);
    expect(referencesOf(db, "t2")).toHaveLength(1);
  });
});

describe("the books", () => {
  const noon = new Date(2026, 10, 20, 12).getTime();
  const day = 24 * 60 * 60_000;
  const booking = (more: Partial<Booking> = {}): Booking => ({
    ...{ at: noon, strategy: "live", kind: "kept", session: "s1", tool: "Bash", part: "output" },
    ...{ whole: 100, characters: 60, tokens: 15, ms: 4, ...more },
  });
  test("add up by day, tool and reason, with the longest time", () => {
    book(db, [booking(), booking({ whole: 10, characters: 5, tokens: 1, ms: 9 })]);
    book(db, [
      booking({
        kind: "waited" as never,
        tool: undefined,
        part: undefined,
        reason: "r".repeat(200),
      }),
    ]);
    const [first, second] = bookLines(db, { since: noon });
    expect(first).toEqual({
      ...{ strategy: "live", kind: "kept", tool: "Bash", part: "output", reason: "", count: 2 },
      ...{ whole: 110, characters: 65, tokens: 16, ms: 13, longestMs: 9 },
    });
    expect([second?.tool, second?.part, second?.reason.length, second?.count]).toEqual([
      "",
      "",
      120,
      1,
    ]);
  });
  test("take anything but a number as none, and whole numbers only", () => {
    book(db, [
      booking({
        whole: Number.NaN,
        characters: "7" as never,
        tokens: 1.6,
        ms: Number.POSITIVE_INFINITY,
      }),
    ]);
    expect(bookLines(db, { since: noon })[0]).toEqual(
      expect.objectContaining({ whole: 0, characters: 0, tokens: 2, ms: 0 }),
    );
  });
  test("are asked by day, project, session and strategy; the largest first", () => {
    book(db, [
      booking({ project: "shop", characters: 1 }),
      booking({ project: "blog", session: "s2", tool: "Grep", characters: 9 }),
      booking({ at: noon - day, strategy: "gateway", tool: "Read" }),
    ]);
    const tools = (query: object = {}) =>
      bookLines(db, { since: noon, ...query }).map(({ tool }) => tool);
    expect(tools()).toEqual(["Grep", "Bash"]);
    expect(tools({ since: noon - day })).toEqual(["Read", "Grep", "Bash"]);
    expect([
      tools({ project: "shop" }),
      tools({ session: "s2" }),
      tools({ strategy: "gateway" }),
    ]).toEqual([...[["Bash"], ["Grep"], []]]);
  });
  test("learn a line's project later, and never lose it", () => {
    book(db, [booking(), booking({ project: "shop" }), booking()]);
    expect(bookLines(db, { since: noon, project: "shop" })[0]?.count).toBe(3);
  });
  test("lose what is older than a day, and sessions that were not heard of since", () => {
    book(db, [booking({ at: noon - day }), booking()]);
    writeSessionUsage(db, usage({ session: "old", updatedAt: noon - 1 }));
    writeSessionUsage(db, usage({ session: "new", updatedAt: noon }));
    expect(pruneBooks(db, noon)).toBe(1);
    expect(bookLines(db, { since: 0 })[0]?.count).toBe(1);
    expect(sessionUsages(db, { since: 0 }).map(({ session }) => session)).toEqual(["new"]);
  });
});

const turns = (n: number, context = n) => ({
  ...{ turns: n, input: context, output: n, cacheRead: context, cacheWrite: context },
});
const usage = (more: Partial<SessionUsage> = {}): SessionUsage => ({
  ...{ session: "s1", project: "shop", strategies: ["live", "gateway"], heldOut: false },
  ...{ firstReducedAt: null, updatedAt: 10, before: turns(1), after: turns(2), ...more },
});

describe("what sessions took", () => {
  test("is kept whole, the newest word of each session, and asked by time, project and session", () => {
    writeSessionUsage(db, usage({ updatedAt: 5 }));
    writeSessionUsage(db, usage({ firstReducedAt: 7, heldOut: true, updatedAt: 20 }));
    writeSessionUsage(db, usage({ session: "s2", project: "blog", strategies: [], updatedAt: 10 }));
    const all = sessionUsages(db, { since: 10 });
    expect(all).toEqual([
      usage({ session: "s2", project: "blog", strategies: [] }),
      usage({ firstReducedAt: 7, heldOut: true, updatedAt: 20 }),
    ]);
    const of = (query: object) =>
      sessionUsages(db, { since: 0, ...query }).map(({ session }) => session);
    expect([of({ project: "blog" }), of({ session: "s1" }), of({ since: 11 })]).toEqual([
      ...[["s2"], ["s1"], ["s1"]],
    ]);
    expect([
      knownFirstReduced(db, "s1"),
      knownFirstReduced(db, "s2"),
      knownFirstReduced(db, "s9"),
    ]).toEqual([...[7, undefined, undefined]]);
  });
});

describe("the report", () => {
  const line = (more: object) => ({
    ...{
      strategy: "live",
      kind: "kept" as const,
      tool: "Bash",
      part: "output" as const,
      reason: "",
    },
    ...{ count: 1, whole: 10, characters: 6, tokens: 2, ms: 1, longestMs: 1, ...more },
  });
  const sessions = (count: number, heldOut: boolean, context: number) =>
    Array.from({ length: count }, (_, at) =>
      usage({
        session: `${heldOut}${at}`,
        heldOut,
        before: turns(1, context),
        after: turns(1, context),
      }),
    );
  test("tells each strategy's tools, the most first, with what came back", () => {
    const { tools, since } = endlessMetrics(
      5,
      [
        line({}),
        line({ kind: "recalled", characters: 3, tokens: 7 }),
        line({ kind: "reread", characters: 1, tokens: 5 }),
        line({ tool: "Grep", characters: 90, whole: 200, tokens: 30 }),
        line({ strategy: "gateway", characters: 8 }),
      ] as never,
      [],
    );
    expect(since).toBe(5);
    expect(
      tools.map((one) => [one.strategy, one.tool, one.characters, one.tokensOut, one.tokensBack]),
    ).toEqual([
      ["live", "Grep", 200, 30, 0],
      ["gateway", "Bash", 10, 2, 0],
      ["live", "Bash", 10, 2, 12],
    ]);
  });
  test("adds up what strategies noted, by kind and reason, the most often first", () => {
    const { notes } = endlessMetrics(
      0,
      [
        line({ kind: "left", reason: "small", count: 2, longestMs: 8 }),
        line({ kind: "left", reason: "small", count: 3, longestMs: 5, part: "input" }),
        line({ kind: "left", reason: "large", count: 9 }),
        line({}),
        line({ kind: "recalled" }),
      ] as never,
      [],
    );
    expect(notes).toEqual([
      {
        strategy: "live",
        kind: "left",
        reason: "large",
        count: 9,
        characters: 6,
        tokens: 2,
        ms: 1,
        longestMs: 1,
      },
      {
        strategy: "live",
        kind: "left",
        reason: "small",
        count: 5,
        characters: 12,
        tokens: 4,
        ms: 2,
        longestMs: 8,
      },
    ] as never);
  });
  test("compares sessions of both sides, turn by turn, where there are ten of each", () => {
    const compared = (treated: number, heldOut: number, context = 60) =>
      endlessMetrics(0, [], [...sessions(treated, false, context), ...sessions(heldOut, true, 100)])
        .comparison;
    expect(compared(10, 10)).toEqual({
      enough: true,
      words: expect.stringContaining("A request carried 40 % less with Endless Mode than without."),
      contextOfTurn: { treated: 180, heldOut: 300 },
      cacheWriteOfTurn: { treated: 60, heldOut: 100 },
    });
    expect(compared(10, 10, 150).words).toContain("50 % more");
    expect(compared(10, 10, 100).words).toBe(
      "A request carried as much with Endless Mode as without.",
    );
    for (const [treated, heldOut] of [
      [9, 10],
      [10, 9],
    ] as const) {
      const { enough, words } = compared(treated, heldOut);
      expect(enough).toBe(false);
      expect(words).toContain(
        `Too few sessions to compare: ${treated} with Endless Mode, ${heldOut} held out`,
      );
    }
    expect(compared(10, 0).words).toStartWith("No session was held out");
    const silent = [...sessions(10, false, 1), ...sessions(10, true, 1)].map((one) => ({
      ...one,
      ...{ before: turns(0), after: turns(0) },
    }));
    const { comparison } = endlessMetrics(0, [], silent);
    expect([comparison.words, comparison.contextOfTurn]).toEqual([
      "The sessions report no usage to compare.",
      { treated: null, heldOut: null },
    ]);
  });
});

describe("JSON values", () => {
  test.each<[boolean, unknown, unknown]>([
    [true, { a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 }],
    [false, { a: 1 }, { a: 1, b: 2 }],
    [false, { a: 1, b: 2 }, { a: 1 }],
    [false, { a: undefined }, { b: undefined }],
    [false, [1, 2], [1]],
    [false, [1, 2], [2, 1]],
    [false, [], {}],
    [false, {}, []],
    [false, null, {}],
    [false, {}, null],
    [false, 1, "1"],
    [false, { toString: 1 }, {}],
  ])("say the same is %p: %j, %j", (wanted, one, other) => {
    expect(sameJson(one, other)).toBe(wanted);
  });
  test("a part stands anywhere in the whole, as far as twenty thousand parts go", () => {
    expect(holdsJson({ a: [{ b: { c: 1 } }] }, { c: 1 })).toBe(true);
    expect(holdsJson({ a: [{ b: { c: 1 } }] }, { c: 2 })).toBe(false);
    expect(holdsJson([7, ...Array(19_998).fill(0)], 7)).toBe(true);
    expect(holdsJson([7, ...Array(19_999).fill(0)], 7)).toBe(false);
  });
  test("a text's length is that of all texts inside, and is counted no further than asked", () => {
    expect(textLength({ key: ["ab", { c: "cde" }, 7, null] })).toBe(5);
    expect(textLength(Array(100).fill("abc"), 10)).toBe(12);
  });
});

test("what was taken out of a session is listed once for each part, with all its characters", () => {
  keep("t2", "bb", 20);
  keep("t1", "a", 10);
  keep("t1", "a", 30, {}, "transcript");
  keep("t1", { command: "x" }, 12, { part: "input" });
  keep("t3", "ccc", 11, { session: "s2" });
  keep("t4", "dddd", 99);
  const of = (session: string, since = 0, until = 50) => takenOutOf(db, { session, since, until });
  expect(of("s1")).toEqual([
    { toolUseId: "t1", tool: "Bash", part: "output", keptAt: 10, characters: 3 },
    { toolUseId: "t1", tool: "Bash", part: "input", keptAt: 12, characters: 15 },
    { toolUseId: "t2", tool: "Bash", part: "output", keptAt: 20, characters: 4 },
  ]);
  expect(of("s2").map(({ toolUseId }) => toolUseId)).toEqual(["t3"]);
  expect(of("s1", 15).map(({ toolUseId }) => toolUseId)).toEqual(["t2", "t1"]);
  expect(of("s9")).toEqual([]);
});
