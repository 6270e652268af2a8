// What the book knows after a restart, for how long, and what a damaged one costs.
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Book, type Entry, openBook } from "../../../plugins/endless-gateway/book.ts";
import type { Injection } from "../../../plugins/endless-gateway/messages.ts";
import { keptLog } from "../../support/kept-log.ts";

test("a damaged book is put aside, said once, and begun anew", async () => {
  const folder = await mkdtemp(join(tmpdir(), "memoir-book-"));
  try {
    const path = join(folder, "endless-gateway.db");
    await writeFile(path, "this was a database once ".repeat(1_000));
    const log = keptLog();
    const book = await openBook(path, 5, log);
    expect(book.sent("s1", "h")).toBeUndefined();
    book.close();
    expect(await readdir(folder)).toContain("endless-gateway.db.damaged-5");
    expect(log.lines.map(({ level }) => level)).toEqual(["error"]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

describe("a book", () => {
  let folder: string;
  let book: Book;
  const open = async (now = 0) => {
    book = await openBook(join(folder, "book.db"), now);
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "memoir-book-"));
    await open();
  });
  afterEach(async () => {
    book.close();
    await rm(folder, { recursive: true });
  });
  const reopen = async (now?: number) => {
    book.close();
    await open(now);
  };
  const edit = (toolUseId: string, instead = "{}", part: "input" | "output" = "input") => ({
    ...{ toolUseId, part, hash: `hash of ${toolUseId}`, instead },
  });
  const put: Injection = { hash: "h1", place: "before", json: "[1]", observations: ["o1", "o2"] };
  const entry = (more: Partial<Entry> = {}): Entry => ({
    ...{ session: "s1", agent: "", model: "claude-x", at: 10, last: "h1" },
    fresh: [{ hash: "h1", position: 0 }],
    ...{ edits: [], injection: undefined, batch: undefined },
    ...more,
  });
  const usage = (input: number) => ({
    input,
    cacheRead: input + 1,
    cacheWrite: input + 2,
    output: 9,
  });
  const answer = (input: number, more = {}) =>
    book.answered({
      ...{ session: "s1", agent: "", model: "claude-x-2026", at: input, usage: usage(input) },
      ...more,
    });

  test("knows what went out, by session, and when it was the end last", async () => {
    book.write(
      entry({
        fresh: [
          { hash: "h0", position: 0 },
          { hash: "h1", position: 1 },
        ],
      }),
    );
    book.write(entry({ at: 20, model: "claude-y", fresh: [{ hash: "h0", position: 9 }] }));
    await reopen();
    expect(book.sent("s1", "h0")).toEqual({ at: 10, model: "claude-x" });
    expect(book.sent("s1", "h1")).toEqual({ at: 20, model: "claude-y" });
    expect([book.sent("s2", "h1"), book.sent("s1", "h2")]).toEqual([undefined, undefined]);
  });

  test("keeps the first decision about a part, and finds it though it was asked before", async () => {
    expect(book.edit("t1", "input")).toBeUndefined();
    book.write(entry({ edits: [edit("t1", "first"), edit("t1", "of the output", "output")] }));
    book.write(entry({ edits: [edit("t1", "second")] }));
    expect(book.edit("t1", "input")).toEqual(edit("t1", "first"));
    await reopen();
    expect(book.edit("t1", "input")).toEqual(edit("t1", "first"));
    expect(book.edit("t1", "output")).toEqual(edit("t1", "of the output", "output"));
    expect(book.edit("t2", "input")).toBeUndefined();
    expect(book.edit("t2", "input")).toBeUndefined();
  });

  test("has a session's injections by their place's hash, the first of each", async () => {
    book.write(entry({ injection: put }));
    book.write(entry({ injection: { ...put, json: "[2]" } }));
    book.write(entry({ injection: { ...put, hash: "h2", place: "inside", observations: [] } }));
    book.write(entry({ session: "s2", injection: put }));
    await reopen();
    expect(book.injections("s1")).toEqual(
      new Map([
        ["h1", put],
        ["h2", { ...put, hash: "h2", place: "inside", observations: [] }],
      ]),
    );
    expect(book.injections("s3")).toEqual(new Map());
  });

  test("gives a session's answers oldest first, of its agent and of a model by the beginning of its name", async () => {
    answer(30);
    answer(10);
    answer(20, { model: "claude-z" });
    answer(20, { agent: "sub" });
    answer(20, { session: "s2" });
    answer(40, { at: 30 });
    await reopen();
    const turn = ({ input, cacheRead, cacheWrite } = usage(0)) => ({
      input,
      cacheRead,
      cacheWrite,
    });
    expect(book.turns("s1", "", "claude-x")).toEqual([10, 30, 40].map((n) => turn(usage(n))));
    expect(book.turns("s1", "sub", "claude-x")).toEqual([turn(usage(20))]);
    expect(book.turns("s1", "", "claude")).toHaveLength(4);
    expect(book.turns("s1", "", "laude-x")).toEqual([]);
  });

  test("gives the newest thousand answers", () => {
    for (let at = 0; at < 1_002; at++) answer(at);
    const turns = book.turns("s1", "", "claude-x");
    expect([turns.length, turns[0]?.input, turns.at(-1)?.input]).toEqual([1_000, 2, 1_001]);
  });

  test("writes an entry wholly or not at all", () => {
    const broken = entry({ edits: [edit("t1")], injection: { ...put, json: null as never } });
    expect(() => book.write(broken)).toThrow();
    expect([book.sent("s1", "h1"), book.edit("t1", "input")]).toEqual([undefined, undefined]);
  });

  test("forgets sessions that were silent for thirty days, whole, and no others", async () => {
    const day = 24 * 60 * 60_000;
    const batch = { ids: [], tokens: 1, why: "w" } as unknown as Entry["batch"];
    for (const [session, at] of [
      ["silent", 0],
      ["alive", 0],
    ] as const) {
      book.write(entry({ session, at, edits: [edit(`of ${session}`)], injection: put, batch }));
      answer(1, { session, at });
    }
    book.write(
      entry({ session: "alive", at: 2, fresh: [{ hash: "h2", position: 1 }], last: "h2" }),
    );
    const known = (session: string) => [
      book.sent(session, "h1") !== undefined,
      book.edit(`of ${session}`, "input") !== undefined,
      book.injections(session).size,
      book.turns(session, "", "claude").length,
    ];
    const [all, none] = [
      [true, true, 1, 1],
      [false, false, 0, 0],
    ];
    await reopen(30 * day);
    expect([known("silent"), known("alive")]).toEqual([all, all]);
    await reopen(30 * day + 1);
    expect([known("silent"), known("alive")]).toEqual([none, all]);
    await reopen(30 * day + 3);
    expect(known("alive")).toEqual(none);
  });

  test("takes back inputs, and leaves results as they were decided", async () => {
    book.write(entry({ edits: [edit("t1"), edit("t1", "out", "output"), edit("t2")] }));
    expect(book.edit("t1", "input")).toBeDefined();
    book.withdrawInputs("s", ["t1"], 1);
    expect(book.edit("t1", "input")).toBeUndefined();
    await reopen();
    expect([book.edit("t1", "input"), book.edit("t1", "output")?.instead]).toEqual([
      undefined,
      "out",
    ]);
    expect(book.edit("t2", "input")).toBeDefined();
  });

  test("keeps what a batch came to and what a session begins with, as long as the session", async () => {
    const sum = {
      ...{ retire: true, ids: ["t1"], tokens: 9, rewritten: 0, turnsToCome: 1, cost: 0, gain: 9 },
      ...{ cacheIsCold: true, why: "cold" },
    };
    book.write(entry({ batch: sum, prefix: 1_200 }));
    const kept = () => {
      const db = new Database(join(folder, "book.db"), { readonly: true });
      try {
        const [batch] = db.query<{ sum: string }, []>("SELECT sum FROM batches").all();
        const [prefix] = db.query<{ tokens: number }, []>("SELECT tokens FROM prefixes").all();
        return [batch && JSON.parse(batch.sum), prefix?.tokens];
      } finally {
        db.close();
      }
    };
    expect(kept()).toEqual([sum, 1_200]);
    await reopen(31 * 24 * 60 * 60_000);
    expect(kept()).toEqual([undefined, undefined]);
  });

  test("lets go of what was forgotten, at once and on disk, and of nothing else", async () => {
    const secret = "whoever reads this file finds it";
    book.write(entry({ edits: [edit("t1", secret), edit("t1", "out", "output"), edit("t2")] }));
    for (const [session, observations] of [
      ["s1", ["o1"]],
      ["s2", ["o2", "o3"]],
      ["s3", ["o4"]],
    ] as const)
      book.write(entry({ session, injection: { ...put, observations: [...observations] } }));
    expect(book.edit("t1", "input")?.instead).toBe(secret);
    book.forget({ ids: ["o3"], sessions: ["s1"], toolUses: ["t1", "t9"] });
    const check = () => {
      expect([book.edit("t1", "input"), book.edit("t1", "output")]).toEqual([undefined, undefined]);
      expect(book.edit("t2", "input")).toEqual(edit("t2"));
      expect(["s1", "s2", "s3"].map((session) => book.injections(session).size)).toEqual([0, 0, 1]);
    };
    check();
    for (const name of await readdir(folder))
      expect(await Bun.file(join(folder, name)).text()).not.toContain(secret);
    await reopen();
    check();
    // What went out is still known: a request goes on from there.
    expect(book.sent("s1", "h1")).toBeDefined();
    book.forget({ ids: ["o4"] });
    expect(book.injections("s3").size).toBe(0);
    expect(book.edit("t2", "input")).toBeDefined();
  });
});
