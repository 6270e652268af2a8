// Indexes of projects: read in the background, page by page, once in a while, and never kept after something was forgotten.
import { expect, test } from "bun:test";
import { createIndexes } from "../../../plugins/context-moments/project-index.ts";
import type { StorageClient } from "../../../src/sdk/context.ts";
import type { ListQuery } from "../../../src/sdk/storage.ts";
import type { Turn } from "../../../src/sdk/turn.ts";

const turn = (number: number): Turn => ({
  ...{ id: `t${number}`, session: "old", client: "claude-code", project: "shop" },
  ...{ promptNumber: number, startedAt: number, time: number, end: "closed", files: [] },
  pieces: [],
});

/** Indexes over a storage with so many turns, newest first, that notes what it is asked. */
function open(turns = 1, work: () => void = () => {}, make = turn, elsewhere = false) {
  const asked: string[] = [];
  const failures: unknown[] = [];
  const clock = { now: 0 };
  const storage = {
    turns: async ({ project, limit = 0, offset = 0, since = 0, order = "newest" }: ListQuery) => {
      asked.push(`${project ?? "all"} ${order === "newest" ? "" : "from "}${offset}`);
      work();
      const numbers = Array.from({ length: turns }, (_, at) => turns - at);
      if (order === "oldest") numbers.reverse();
      const wanted = numbers.filter((number) => number >= since);
      return wanted.slice(offset, offset + limit).map(make);
    },
    memory: async () => [],
    observations: async () => [],
  } as unknown as StorageClient;
  const failed = (error: unknown) => failures.push(error);
  const indexes = createIndexes({ storage, now: () => clock.now, failed, elsewhere });
  return { indexes, asked, failures, clock };
}

test("nothing is known until a project was read; one that is being read is not read twice", async () => {
  const { indexes, asked } = open();
  indexes.wish("shop");
  indexes.wish("shop");
  expect([indexes.known.get("shop"), asked.length]).toEqual([undefined, 0]);
  await indexes.settled();
  expect(indexes.known.get("shop")).toBeDefined();
  expect(asked).toEqual(["shop 0"]);
});

test("what other sessions stored is read for one that begins, and each of them counts", async () => {
  const { indexes, asked } = open();
  const readFor = async (session: string) => {
    indexes.wish("shop", { session, begins: true });
    await indexes.settled();
    return asked.length;
  };
  expect(await readFor("a")).toBe(1);
  indexes.outgrow("shop", "a");
  expect(await readFor("a")).toBe(1);
  indexes.outgrow("shop", "b");
  expect(await readFor("b")).toBe(2);
  expect(await readFor("b")).toBe(2);
});

test("what is known is read again when it is ten minutes old, not before", async () => {
  const { indexes, asked, clock } = open();
  const wishAt = async (now: number) => {
    clock.now = now;
    indexes.wish("shop");
    await indexes.settled();
    return asked.length;
  };
  expect(await wishAt(0)).toBe(1);
  expect(await wishAt(9 * 60_000)).toBe(1);
  expect(await wishAt(10 * 60_000)).toBe(2);
});

test.each([
  [0, ["shop 0"]],
  [49, ["shop 0"]],
  [51, ["shop 0", "shop 1999", "shop from 0", "shop from 50"]],
  [
    5_000,
    ["shop 0", "shop 1999", ...Array.from({ length: 41 }, (_, at) => `shop from ${at * 50}`)],
  ],
])(
  "of %i turns as many pages are asked for as there are, of the newest 2,000",
  async (turns, pages) => {
    const { indexes, asked } = open(turns);
    indexes.wish("shop");
    await indexes.settled();
    expect(asked).toEqual(pages);
  },
);

test("between a page of turns, or ten turns that are followed, others have their turn", async () => {
  const read = new Set<number>();
  const followed = new Set<number>();
  const most = { read: 0, followed: 0 };
  const watched = (number: number): Turn => {
    read.add(number);
    const { pieces, ...rest } = turn(number);
    const get = () => {
      followed.add(number);
      return pieces;
    };
    return Object.defineProperty(rest as Turn, "pieces", { get });
  };
  const { indexes } = open(300, undefined, watched);
  const note = () => {
    most.read = Math.max(most.read, read.size);
    most.followed = Math.max(most.followed, followed.size);
    read.clear();
    followed.clear();
  };
  let isOver = false;
  const watch = () => {
    note();
    if (!isOver) setImmediate(watch);
  };
  watch();
  indexes.wish("shop");
  await indexes.settled();
  isOver = true;
  note();
  expect(most).toEqual({ read: 50, followed: 10 });
});

test("what is forgotten while a project is read does not come back with it", async () => {
  const { indexes } = open(1, () => indexes.clear());
  indexes.wish("shop");
  await indexes.settled();
  expect(indexes.known.get("shop")).toBeUndefined();
});

test("a storage that fails is told of, leaves what was known, and is asked again", async () => {
  let broken = false;
  const { indexes, failures, clock } = open(1, () => {
    if (broken) throw new Error("locked");
  });
  indexes.wish("shop");
  await indexes.settled();
  const known = indexes.known.get("shop");
  broken = true;
  clock.now = 20 * 60_000;
  indexes.wish("shop");
  await indexes.settled();
  expect([failures.length, indexes.known.get("shop") === known]).toEqual([1, true]);
  broken = false;
  indexes.wish("shop");
  await indexes.settled();
  expect(indexes.known.get("shop") === known).toBe(false);
});

test("of many projects the ones read longest ago are forgotten; after a stop nothing is read", async () => {
  const { indexes, asked } = open();
  for (let at = 0; at < 9; at++) {
    indexes.wish(`p${at}`);
    await indexes.settled();
  }
  expect([indexes.known.get("p0"), indexes.known.get("p1") === undefined]).toEqual([
    undefined,
    false,
  ]);
  indexes.wish("late");
  indexes.stop();
  await Bun.sleep(40);
  expect(asked).not.toContain("late 0");
});

test("failures of all projects are read after those of the first, and again ten minutes later", async () => {
  const { indexes, asked, clock } = open(1, () => {}, turn, true);
  for (const [now, project] of [
    [0, "shop"],
    [60_000, "till"],
    [11 * 60_000, "till"],
  ] as const) {
    clock.now = now;
    indexes.wish(project);
    await indexes.settled();
  }
  expect(asked).toEqual(["shop 0", "all 0", "till 0", "till 0", "all 0"]);
  expect(indexes.everywhere()).toBeDefined();
  indexes.clear();
  expect(indexes.everywhere()).toBeUndefined();
});

test("a stop waits for the page that is being read, and nothing is read after it", async () => {
  const { indexes, asked, failures } = open(5_000);
  indexes.wish("shop");
  while (asked.length === 0) await Bun.sleep(1);
  await indexes.stop();
  const pages = asked.length;
  expect(pages).toBeLessThan(40);
  await Bun.sleep(50);
  indexes.wish("other");
  await indexes.settled();
  expect([asked.length, failures]).toEqual([pages, []]);
});

test("a stop before anything was read ends at once", async () => {
  const { indexes, asked } = open();
  indexes.wish("shop");
  await indexes.stop();
  await indexes.settled();
  expect(asked).toEqual([]);
});

test("what is forgotten while other projects are read does not come back with them", async () => {
  const room = open(
    1,
    () => {
      if (room.asked.at(-1)?.startsWith("all")) room.indexes.clear();
    },
    turn,
    true,
  );
  room.indexes.wish("shop");
  await room.indexes.settled();
  expect(room.asked).toContain("all 0");
  expect(room.indexes.everywhere()).toBeUndefined();
});

test("turns are followed oldest first, whatever their order in storage", async () => {
  const error = "TypeError: cart.total is no function";
  const command = { about: "bun test cart" };
  const { indexes } = open(2, undefined, (number) => ({
    ...turn(number),
    pieces: [
      { ...command, kind: number === 1 ? "failure" : "passed", text: number === 1 ? error : "" },
    ],
    files: number === 1 ? [] : [{ path: "src/cart.ts", changed: true }],
  }));
  indexes.wish("shop");
  await indexes.settled();
  const failed = { session: "new", ...command, text: error, hidden: false };
  expect(indexes.known.get("shop")?.failures.find(failed)?.done).toEqual(["src/cart.ts"]);
});
