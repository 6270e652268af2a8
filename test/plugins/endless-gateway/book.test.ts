// What the book knows after a restart, for how long, and what it takes over from an earlier version's file.
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Book, createBooks, type Entry } from "../../../plugins/endless-gateway/book.ts";
import type { Edit, Injection } from "../../../plugins/endless-gateway/messages.ts";
import { openDatabase } from "../../../src/host/sqlite.ts";
import type { Endless } from "../../../src/runtime/endless/endless.ts";
import { type EndlessRoom, openEndlessRoom } from "../../support/endless-room.ts";

const day = 24 * 60 * 60_000;
let room: EndlessRoom;
let endless: Endless;
let books: ReturnType<typeof createBooks>;
const use = (one: Endless) => {
  endless = one;
  books = createBooks(one.client("gateway"));
};
beforeEach(async () => {
  room = await openEndlessRoom();
  use(room.endless);
});
afterEach(() => room.close());
const reopen = async () => use(await room.again());

const edit = (toolUseId: string, instead = "{}", part: Edit["part"] = "input"): Edit => ({
  ...{ toolUseId, part, hash: `hash of ${toolUseId}`, instead },
});
const put: Injection = { hash: "h1", place: "before", json: "[1]", observations: ["o1", "o2"] };
const entry = (more: Partial<Entry> = {}): Entry => ({
  ...{ model: "claude-x", at: 10, last: "h1", fresh: ["h1"], edits: [], injection: undefined },
  ...more,
});
const write = async (session: string, more: Partial<Entry> = {}) => {
  const book = await books.of(session);
  expect(await book.write(entry(more))).toBe(true);
  return book;
};
/** What is known of a session: a message, an input of `t1`, an injection, anything. */
const known = (book: Book) => [
  book.sent("h1") !== undefined,
  book.edit("t1", "input") !== undefined,
  book.injection("h1") !== undefined,
  book.isKnown(),
];
const [all, none] = [
  [true, true, true, true],
  [false, false, false, false],
];

describe("a book", () => {
  test("knows after a restart what went out, by session, and when it was the end last", async () => {
    await write("s1", { fresh: ["h0", "h1"] });
    await write("s1", { at: 20, model: "claude-y", fresh: [] });
    await reopen();
    const book = await books.of("s1");
    expect(book.sent("h0")).toEqual({ at: 10, model: "claude-x" });
    expect(book.sent("h1")).toEqual({ at: 20, model: "claude-y" });
    expect(book.sent("h2")).toBeUndefined();
    expect(known(await books.of("s2"))).toEqual(none);
  });

  test("has edits by part, and injections by their place, exactly as they were decided", async () => {
    const edits = [edit("t1"), edit("t1", "of the output", "output"), edit("input t1", "x")];
    await write("s1", { edits, injection: put });
    const inside: Injection = { hash: "h2", place: "inside", json: "[2]", observations: [] };
    await write("s1", { fresh: ["h2"], last: "h2", injection: inside });
    await reopen();
    const book = await books.of("s1");
    for (const one of edits) expect(book.edit(one.toolUseId, one.part)).toEqual(one);
    expect([book.injection("h1"), book.injection("h2")]).toEqual([put, inside]);
    expect([book.edit("t2", "input"), book.injection("h3")]).toEqual([undefined, undefined]);
  });

  test("of a fork inherits what was decided first, and nothing of what it decided itself", async () => {
    await write("s1", { edits: [edit("t1", "first"), edit("t2", "of s1")] });
    room.pass(5);
    await write("s2", { edits: [edit("t1", "later")] });
    const fork = await write("s3", { edits: [edit("t2", "own")] });
    expect(await fork.inherited(["t1", "t2", "t9"])).toEqual([edit("t1", "first")]);
    expect(await fork.inherited([])).toEqual([]);
  });

  test("takes back what did not go out, and keeps what had gone out before", async () => {
    const book = await write("s1");
    const late = entry({ edits: [edit("t1")], injection: put, fresh: ["h2"], last: "h2" });
    await book.write(late);
    await book.takeBack(late);
    await book.takeBack(entry({ fresh: [] }));
    for (const at of ["now", "later"]) {
      const own = await books.of("s1");
      expect([at, ...known(own), own.sent("h2")]).toEqual([
        ...[at, true, false, false, true, undefined],
      ]);
      await reopen();
    }
  });

  test("withdraws what was decided in a session, and in no other", async () => {
    for (const session of ["s1", "s2"])
      await write(session, { edits: [edit("t1")], injection: put });
    await books.withdraw("s1");
    for (let restarts = 0; restarts < 2; restarts++) {
      expect(known(await books.of("s1"))).toEqual([true, false, false, true]);
      expect(known(await books.of("s2"))).toEqual(all);
      await reopen();
    }
  });

  test("is let go of with sessions that are silent for thirty days, whole, and no others", async () => {
    for (const session of ["silent", "alive"])
      await write(session, { edits: [edit("t1")], injection: put });
    room.pass(2);
    await write("alive", { fresh: ["h2"], last: "h2" });
    const after = async (ms: number) => {
      room.pass(ms);
      await endless.prune();
      await reopen();
      return [known(await books.of("silent")), known(await books.of("alive"))];
    };
    expect(await after(30 * day - 2)).toEqual([all, all]);
    expect(await after(1)).toEqual([none, all]);
    expect(await after(2)).toEqual([none, none]);
  });

  test("loses what was forgotten, at once and on disk, and nothing else", async () => {
    const secret = "whoever reads this file finds it";
    await write("s1", { edits: [edit("t1", secret), edit("t1", secret, "output"), edit("t2")] });
    for (const [session, observations] of [
      ["s1", ["o1"]],
      ["s2", ["o2", "o3"]],
      ["s3", ["o4"]],
    ] as const)
      await write(session, { injection: { ...put, json: `["${secret}"]`, observations } as never });
    const injected = async () => {
      const own = await Promise.all(["s1", "s2", "s3"].map((session) => books.of(session)));
      return own.map((book) => book.injection("h1") !== undefined);
    };
    await endless.forget({ session: "s1", toolUses: ["t1", "t9"] });
    await endless.forget({ records: ["o3", "o9"] });
    books.reread();
    expect(await injected()).toEqual([false, false, true]);
    await endless.forget({ records: ["o4"] });
    await reopen();
    expect(await injected()).toEqual([false, false, false]);
    const book = await books.of("s1");
    expect([book.edit("t1", "input"), book.edit("t1", "output")]).toEqual([undefined, undefined]);
    expect(book.edit("t2", "input")).toEqual(edit("t2"));
    // What went out is still known: a request goes on from there.
    expect(book.sent("h1")).toBeDefined();
    for (const name of await readdir(room.folder))
      expect(await readFile(join(room.folder, name), "latin1")).not.toContain(secret);
  });

  test("holds few sessions in memory, and reads the others again", async () => {
    for (let at = 0; at < 25; at++) await write(`s${at}`, { edits: [edit("t1")], injection: put });
    expect(known(await books.of("s0"))).toEqual(all);
  });
});

test("what cannot be written does not count, and what cannot be read is said", async () => {
  await room.close();
  let isFull = true;
  room = await openEndlessRoom({
    open: async (path, options) => {
      if (isFull) throw new Error("the disk is full");
      return openDatabase(path, options);
    },
  });
  use(room.endless);
  const book = await books.of("s1");
  expect(await book.write(entry({ edits: [edit("t1")] }))).toBe(false);
  expect(known(book)).toEqual(none);
  await writeFile(room.path, "");
  await expect(books.of("s2")).rejects.toThrow("cannot be read");
  isFull = false;
  room.pass(10_000);
  await writeFile(room.path, "");
  expect(known(await write("s2", { edits: [edit("t1")], injection: put }))).toEqual(all);
});

describe("the file of an earlier version", () => {
  const oldPath = () => join(room.folder, "endless-gateway.db");
  function writeOld(): void {
    const db = new Database(oldPath());
    db.exec(`PRAGMA journal_mode = WAL;
      CREATE TABLE sent (session TEXT, hash TEXT, agent TEXT, position INTEGER, model TEXT, at INTEGER);
      CREATE TABLE edits (tool_use TEXT, part TEXT, session TEXT, hash TEXT, instead TEXT, at INTEGER);
      CREATE TABLE injections (session TEXT, hash TEXT, place TEXT, json TEXT, observations TEXT, at INTEGER);
      INSERT INTO sent VALUES ('s1', 'h1', '', 0, 'claude-x', 10);
      INSERT INTO edits VALUES ('t1', 'input', 's1', 'hash of t1', '{}', 10);
      INSERT INTO edits VALUES ('t1', 'output', 's1', 'hash of t1', 'it''s gone', 10);
      INSERT INTO injections VALUES ('s1', 'h1', 'before', '[1]', '["o1","o2"]', 10)`);
    db.close();
  }
  const left = async () => (await readdir(room.folder)).filter((name) => name.includes("gateway"));

  test("is taken over once, and gone then", async () => {
    writeOld();
    const book = await books.of("s1");
    expect(book.sent("h1")).toEqual({ at: 10, model: "claude-x" });
    expect(book.edit("t1", "input")).toEqual(edit("t1"));
    expect(book.edit("t1", "output")).toEqual(edit("t1", "it's gone", "output"));
    expect(book.injection("h1")).toEqual(put);
    expect(await left()).toEqual([]);
    await reopen();
    expect(known(await books.of("s1"))).toEqual(all);
    expect(await (await books.of("fork")).inherited(["t1"])).toHaveLength(2);
    expect(room.log.lines).toEqual([]);
  });

  test("goes with what is forgotten, though nothing was asked of it", async () => {
    writeOld();
    await endless.forget({ records: ["o1"] });
    expect([await left(), (await books.of("s1")).injection("h1")]).toEqual([[], undefined]);
  });

  test("costs only what its sessions have in the cache where it is damaged, and says so once", async () => {
    await writeFile(oldPath(), "this was a database once ".repeat(1_000));
    expect(known(await books.of("s1"))).toEqual(none);
    await reopen();
    expect(await left()).toEqual([]);
    expect(room.log.lines.map(({ level }) => level)).toEqual(["warn"]);
    expect(known(await write("s1", { edits: [edit("t1")], injection: put }))).toEqual(all);
  });
});
