// What results are shown by: their turns, also where only something derived from them was found.
import { describe, expect, test } from "bun:test";
import { sourcesOf, turnsOf } from "../../../plugins/context-relevant/index.ts";
import type { Relevant } from "../../../plugins/context-relevant/relevance.ts";
import type { StorageClient } from "../../../src/sdk/context.ts";
import type { StoredRecord } from "../../../src/sdk/storage.ts";
import type { Turn } from "../../../src/sdk/turn.ts";
import { observation, searchResult, summary } from "../../support/records.ts";
import { sampleMemory } from "../../support/sample-records.ts";
import { turn } from "../../support/turns.ts";

const first = turn(1, [
  ["prompt", "Where is the cache?"],
  ["closing", "The **cache** is in Redis."],
]);
const second = turn(2, [["closing", "The menu is wider."]]);

/** Storage that knows these turns, and other records by id. */
function storageOf(turns: Turn[], records: StoredRecord[] = []) {
  return {
    get: async ({ ids }: { ids: string[] }) =>
      [...turns.map((record) => ({ kind: "turn" as const, record })), ...records].filter(
        ({ record }) => ids.includes(record.id),
      ),
    turns: async ({ promptNumber }: { promptNumber?: number }) =>
      turns.filter((one) => promptNumber === undefined || one.promptNumber === promptNumber),
  } as unknown as StorageClient;
}
const found = (
  id: string,
  kind: Relevant["result"]["kind"],
  coverage: number,
  excerpt = "",
): Relevant => ({
  result: { ...searchResult(observation(id)), kind, session: "s1", excerpt },
  coverage,
});
async function told(relevant: Relevant[], storage: StorageClient, not: string[] = []) {
  const options = { most: 4, isNew: (id: string) => !not.includes(id), oneEach: false };
  const sources = await sourcesOf(relevant, new Map(), storage, options);
  return sources.map(({ result, turn: of }) => [result.id, result.piece, of?.id]);
}
const observed: StoredRecord = {
  kind: "observation",
  record: observation("o1", { evidence: [{ turn: 1, piece: 1 }] }),
};
const summed: StoredRecord = {
  kind: "summary",
  record: summary("s9", {
    evidence: [
      { turn: 1, piece: 1 },
      { turn: 2, piece: 0 },
    ],
  }),
};

describe("is told by", () => {
  const memory = (id: string, part: object): StoredRecord => ({
    kind: "memory",
    record: { ...sampleMemory(part), id },
  });
  const items = [memory("m1", { state: "standing" }), memory("m2", { state: "candidate" })];
  const storage = storageOf([first, second], [observed, summed, ...items, memory("m3", {})]);
  test("itself: a turn, a standing item, no suggestion", async () => {
    const relevant = ["m1", "m2", "m3"].map((id) => found(id, "memory", 1));
    expect(await told([found("t1", "turn", 1), ...relevant], storage)).toEqual([
      ["t1", undefined, "t1"],
      ["m1", undefined, undefined],
    ]);
  });
  test("the turn it quotes, in the piece that it quotes", async () => {
    expect(await told([found("o1", "observation", 1, "The cache is in Redis")], storage)).toEqual([
      ["t1", 1, "t1"],
    ]);
  });
  test("the first of the turns that it was made of, where it quotes none", async () => {
    expect(await told([found("s9", "summary", 1, "all in other words")], storage)).toEqual([
      ["t1", undefined, "t1"],
    ]);
  });
  test("itself where no turn is known", async () => {
    expect(await told([found("o1", "observation", 1)], storageOf([], [observed]))).toEqual([
      ["o1", undefined, undefined],
    ]);
  });
  test("nothing: a session, what was shown", async () => {
    const relevant = [
      found("s1", "session", 1),
      found("t1", "turn", 0.9),
      found("o1", "observation", 0.9),
    ];
    expect(await told(relevant, storage)).toEqual([["t1", undefined, "t1"]]);
    expect(await told(relevant, storage, ["t1"])).toEqual([]);
  });
});

describe("of several", () => {
  const third = turn(3, [["closing", "The cache is gone."]]);
  const storage = storageOf([first, second, third], [observed, summed]);
  test("turns and standing items come before what was derived, as many as are asked for", async () => {
    const relevant = [
      found("o1", "observation", 1),
      found("t2", "turn", 0.9),
      found("t3", "turn", 0.8),
    ];
    expect((await told(relevant, storage)).map(([id]) => id)).toEqual(["t2", "t3", "t1"]);
    const two = await sourcesOf(relevant, new Map(), storage, {
      most: 2,
      isNew: () => true,
      oneEach: false,
    });
    expect(two.map(({ result }) => result.id)).toEqual(["t2", "t3"]);
    const each = { most: 2, isNew: () => true, oneEach: true };
    const one = await sourcesOf(relevant, new Map(), storage, each);
    expect(one.map(({ result }) => result.id)).toEqual(["t2"]);
  });
  test("a turn that two lead to is told once", async () => {
    const relevant = [
      found("o1", "observation", 1),
      found("s9", "summary", 1, "cache is in Redis"),
    ];
    expect(await told(relevant, storage)).toEqual([["t1", undefined, "t1"]]);
  });
});

test("a summary that quotes one of its turns is told by that, whatever else the others say", async () => {
  const said = turn(2, [["closing", "The menu is wider. It has a cache, a cache, a cache."]]);
  const storage = storageOf([first, said], [summed]);
  expect(await told([found("s9", "summary", 1, "the CACHE is: in redis")], storage)).toEqual([
    ["t1", 1, "t1"],
  ]);
});

test("the piece of a turn that was found stays its piece", async () => {
  const of = found("t1", "turn", 1);
  const relevant = [{ ...of, result: { ...of.result, piece: 1 } }];
  expect(await told(relevant, storageOf([first]))).toEqual([["t1", 1, "t1"]]);
});

test("turns among results are read at once, and nothing is asked where there is none", async () => {
  const asked: unknown[] = [];
  const { get } = storageOf([first, second]);
  const storage = {
    get: (query: { ids: string[] }) => {
      asked.push(query.ids);
      return get(query);
    },
  } as unknown as StorageClient;
  const results = [found("t1", "turn", 1), found("m1", "memory", 1), found("t2", "turn", 1)];
  const turns = await turnsOf(
    results.map(({ result }) => result),
    storage,
  );
  expect([...turns.keys()]).toEqual(["t1", "t2"]);
  expect((await turnsOf([found("m1", "memory", 1).result], storage)).size).toBe(0);
  expect(asked).toEqual([["t1", "t2"]]);
});

describe("what was derived is told by itself", () => {
  test.each([
    ["once the user edited it", { edited: { time: 1, was: {} } }],
    ["where it quotes another session", { evidence: [{ turn: 1, piece: 1, session: "s2" }] }],
  ])("%s", async (_, part) => {
    const record = observation("o1", { evidence: [{ turn: 1, piece: 1 }], ...part });
    const storage = storageOf([first, second], [{ kind: "observation", record }]);
    expect(await told([found("o1", "observation", 1, "The cache is in Redis")], storage)).toEqual([
      ["o1", undefined, undefined],
    ]);
  });
});
