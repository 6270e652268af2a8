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
    ...{ session: "s1", model: "claude-x", at: 10, last: "h1" },
    fresh: ["h1"],
    ...{ edits: [], injection: undefined },
    ...more,
  });

  test("knows what went out, by session, and when it was the end last", async () => {
    book.write(
      entry({
        fresh: ["h0", "h1"],
      }),
    );
    book.write(entry({ at: 20, model: "claude-y", fresh: ["h0"] }));
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

  test("writes an entry wholly or not at all", () => {
    const broken = entry({ edits: [edit("t1")], injection: { ...put, json: null as never } });
    expect(() => book.write(broken)).toThrow();
    expect([book.sent("s1", "h1"), book.edit("t1", "input")]).toEqual([undefined, undefined]);
  });

  test("forgets sessions that were silent for thirty days, whole, and no others", async () => {
    const day = 24 * 60 * 60_000;
    for (const [session, at] of [
      ["silent", 0],
      ["alive", 0],
    ] as const) {
      book.write(entry({ session, at, edits: [edit(`of ${session}`)], injection: put }));
    }
    book.write(entry({ session: "alive", at: 2, fresh: ["h2"], last: "h2" }));
    const known = (session: string) => [
      book.sent(session, "h1") !== undefined,
      book.edit(`of ${session}`, "input") !== undefined,
      book.injections(session).size,
      book.knows(session),
    ];
    const [all, none] = [
      [true, true, 1, true],
      [false, false, 0, false],
    ];
    await reopen(30 * day);
    expect([known("silent"), known("alive")]).toEqual([all, all]);
    await reopen(30 * day + 1);
    expect([known("silent"), known("alive")]).toEqual([none, all]);
    await reopen(30 * day + 3);
    expect(known("alive")).toEqual(none);
  });

  test("withdraws what was decided in a session, and in no other", async () => {
    book.write(entry({ edits: [edit("t1")], injection: put }));
    book.write(entry({ session: "s2", edits: [edit("t2")], injection: put }));
    expect(book.edit("t1", "input")).toBeDefined();
    book.withdraw("s1");
    expect([book.edit("t1", "input"), book.injections("s1").size]).toEqual([undefined, 0]);
    await reopen();
    expect([book.edit("t1", "input"), book.injections("s1").size]).toEqual([undefined, 0]);
    expect([book.edit("t2", "input"), book.injections("s2").size]).toEqual([edit("t2"), 1]);
  });

  test("of an earlier version is opened with what it decided, and without what the books count now", async () => {
    book.write(entry({ edits: [edit("t1")] }));
    book.close();
    const path = join(folder, "book.db");
    const old = new Database(path);
    old.exec("CREATE TABLE turns (session TEXT); CREATE TABLE refusals (session TEXT)");
    old.exec("PRAGMA user_version = 3");
    old.close();
    await open();
    expect(book.edit("t1", "input")).toEqual(edit("t1"));
    const db = new Database(path, { readonly: true });
    const tables = db.query("SELECT name FROM sqlite_master WHERE type = 'table'").values().flat();
    db.close();
    expect(tables.sort()).toEqual(["edits", "injections", "sent"]);
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
