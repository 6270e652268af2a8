// What is kept of turns on disk and found again: whole or not, changed, forgotten, over a restart.
import { describe, expect, test } from "bun:test";
import { openVectors } from "../../../plugins/semantic-search/index.ts";
import type { Passage } from "../../../plugins/semantic-search/passages.ts";
import { createVectorStore, type VectorStore } from "../../../plugins/semantic-search/store.ts";
import { createEmbedding } from "../../../plugins/semantic-search/work.ts";
import type { Turn } from "../../../src/sdk/turn.ts";
import { sampleTurn } from "../../../src/testing/samples.ts";
import { inFolder } from "../../support/in-folder.ts";
import { keptLog } from "../../support/kept-log.ts";

const turn = (id: string, part: Partial<Turn> = {}): Turn => ({ ...sampleTurn(), id, ...part });
const passage = (hash: string): Passage => ({ piece: 0, start: 0, end: 4, text: hash, hash });
/** A vector of length 1 at so many degrees. */
const at = (degrees: number) => {
  const angle = (degrees * Math.PI) / 180;
  return Float32Array.from([Math.cos(angle), Math.sin(angle)]);
};
const everything = () => true;

/** `open` gives the store as it is after a restart. */
const withStore = (work: (open: () => Promise<VectorStore>) => Promise<void>) =>
  inFolder(async (home) => {
    let close = () => {};
    await work(async () => {
      close();
      const db = await openVectors({ home, now: () => 1, log: keptLog() });
      close = () => db.close();
      return createVectorStore(db);
    });
    close();
  });

function filled(store: VectorStore, degrees: Record<string, number | null>): void {
  for (const [id, angle] of Object.entries(degrees)) {
    store.see(turn(id), 1);
    const hash = `hash of ${id}`;
    store.add([{ turn: id, passage: passage(hash), vector: angle === null ? null : at(angle) }]);
    store.finish(id, `whole ${id}`, [passage(hash)]);
  }
}

test("the nearest come first, by their mean likeness to all phrasings, of turns that pass", () =>
  withStore(async (open) => {
    const store = await open();
    filled(store, { t1: 90, t2: 10, t3: 45, t4: null });
    const nearest = (...angles: number[]) => store.nearest(angles.map(at), everything);
    expect(nearest(0).map((one) => one.turn)).toEqual(["t2", "t3", "t1"]);
    expect(nearest(0)[1]).toEqual({
      turn: "t3",
      hash: "hash of t3",
      likeness: expect.closeTo(Math.SQRT1_2, 5),
    });
    expect(nearest(0, 90).map((one) => one.turn)).toEqual(["t3", "t2", "t1"]);
    expect(store.nearest([at(0)], ({ id }) => id === "t1").map((one) => one.turn)).toEqual(["t1"]);
    expect(store.nearest([Float32Array.from([1, 0, 0])], everything)).toEqual([]);
    expect([store.dimensions(), store.turns(), store.passages()]).toEqual([2, 4, 3]);
  }));

test("an empty store has no numbers and finds nothing", () =>
  withStore(async (open) => {
    const store = await open();
    expect([store.dimensions(), store.turns(), store.passages()]).toEqual([0, 0, 0]);
    expect(store.nearest([at(0)], everything)).toEqual([]);
    expect([store.note("sweep"), store.hashOf("t1")]).toEqual([undefined, undefined]);
  }));

test("a restart finds the same, with what filters compare", () =>
  withStore(async (open) => {
    filled(await open(), { t1: 0, t2: 90 });
    const store = await open();
    const seen: object[] = [];
    const found = store.nearest([at(80)], (one) => {
      seen.push(one);
      return true;
    });
    expect(found.map((one) => one.turn)).toEqual(["t2", "t1"]);
    const { session, project, client, promptNumber, startedAt: time } = sampleTurn();
    expect(seen).toEqual(
      ["t1", "t2"].map((id) => ({ id, session, project, client, promptNumber, time })),
    );
    expect([store.dimensions(), store.passages()]).toEqual([2, 2]);
  }));

test("a turn is whole once it is finished, and open again once it is entered anew, the newest first", () =>
  withStore(async (open) => {
    const store = await open();
    for (const [id, startedAt] of [
      ["t1", 1],
      ["t2", 3],
      ["t3", 2],
    ] as const)
      store.see(turn(id, { startedAt }), 1);
    expect([store.open(9), store.open(1)]).toEqual([["t2", "t3", "t1"], ["t2"]]);
    store.finish("t2", "whole", []);
    expect([store.open(9), store.hashOf("t2")]).toEqual([["t3", "t1"], "whole"]);
    store.see(turn("t2", { startedAt: 0, session: "moved" }), 1);
    expect([store.open(9), store.hashOf("t2"), store.turns()]).toEqual([["t3", "t1", "t2"], "", 3]);
  }));

test("what is no passage of a turn any more goes when it is finished; what was refused needs no second try", () =>
  withStore(async (open) => {
    const store = await open();
    store.see(turn("t1"), 1);
    store.add([
      { turn: "t1", passage: passage("old"), vector: at(0) },
      { turn: "t1", passage: passage("stays"), vector: at(90) },
      { turn: "t1", passage: passage("refused"), vector: null },
    ]);
    expect(store.known("t1")).toEqual(new Set(["old", "stays", "refused"]));
    store.finish("t1", "whole", [passage("stays"), passage("refused")]);
    expect(store.known("t1")).toEqual(new Set(["stays", "refused"]));
    expect(store.nearest([at(0)], everything).map(({ hash }) => hash)).toEqual(["stays"]);
    const again = await open();
    expect(again.nearest([at(0)], everything).map(({ hash }) => hash)).toEqual(["stays"]);
  }));

test("of a turn that was removed nothing is kept, nor added later", () =>
  withStore(async (open) => {
    const store = await open();
    filled(store, { t1: 0, t2: 5 });
    store.remove([]);
    store.remove(["t1", "unknown"]);
    store.add([{ turn: "t1", passage: passage("late"), vector: at(0) }]);
    for (const isAgain of [false, true]) {
      const one = isAgain ? await open() : store;
      expect([one.turns(), one.passages(), one.known("t1").size]).toEqual([1, 1, 0]);
      expect(one.nearest([at(0)], everything).map((near) => near.turn)).toEqual(["t2"]);
    }
  }));

test("a look that did not meet a turn, by entering or touching it, missed it", () =>
  withStore(async (open) => {
    const store = await open();
    for (const id of ["t1", "t2", "t3"]) store.see(turn(id), 1);
    store.see(turn("t1"), 2);
    store.touch("t2", 2);
    expect(store.missedBy(2)).toEqual(["t3"]);
  }));

test("vectors of another making are forgotten, what the day took is not", () =>
  withStore(async (open) => {
    const store = await open();
    store.madeBy("one model");
    filled(store, { t1: 0 });
    store.setNote("spent", "today 7");
    store.setNote("sweep", "3");
    store.madeBy("one model");
    expect([store.turns(), store.note("sweep")]).toEqual([1, "3"]);
    store.madeBy("another model");
    expect([store.turns(), store.passages(), store.dimensions()]).toEqual([0, 0, 0]);
    expect([store.note("spent"), store.note("sweep")]).toEqual(["today 7", undefined]);
    store.see(turn("t9"), 1);
    store.add([{ turn: "t9", passage: passage("h"), vector: Float32Array.from([1, 0, 0]) }]);
    expect(store.dimensions()).toBe(3);
  }));

describe("from 256 vectors on", () => {
  const many = Object.fromEntries(
    Array.from({ length: 500 }, (_, i) => [`t${i}`, (i * 37) % 360] as const),
  );

  test("few are compared exactly, and the nearest are found all the same, over a restart", () =>
    withStore(async (open) => {
      const store = await open();
      filled(store, many);
      const centre = store.note("centre") ?? "[]";
      expect(JSON.parse(centre)).toHaveLength(2);
      for (const isAgain of [false, true]) {
        const one = isAgain ? await open() : store;
        const found = one.nearest([at(20)], everything);
        expect(found).toHaveLength(200);
        expect(found[0]?.likeness).toBeCloseTo(1, 5);
        expect(one.passages()).toBe(500);
        expect(one.note("centre")).toBe(centre);
      }
    }));
});

test("passages are embedded in batches of so many, each once, and counted", () =>
  withStore(async (open) => {
    const asked: string[][] = [];
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      async fetch(request) {
        const { input } = (await request.json()) as { input: string[] };
        asked.push(input);
        const data = input.map((_, index) => ({ index, embedding: [3, 4] }));
        return Response.json({ data, usage: { prompt_tokens: 7 } });
      },
    });
    try {
      const store = await open();
      const spent: number[] = [];
      const config = {
        ...{ baseURL: `${server.url}v1`, model: "m", api: "openai", timeoutSeconds: 20 },
        textPrefix: "text: ",
      };
      const { keep } = createEmbedding(
        { plugin: "semantic-search", config, home: "/nowhere", now: () => 1 } as never,
        store,
        { add: (tokens) => spent.push(tokens), allows: () => true },
        new AbortController().signal,
        () => {},
      );
      const said = (number: number) => `What was said as number ${number} of them all.`;
      const numbers = Array.from({ length: 40 }, (_, at) => at);
      const pieces = [...numbers, 5].map((number) => ({
        kind: "said" as const,
        text: said(number),
      }));
      await keep([turn("t1", { pieces, end: "closed" })], 1);
      expect(asked).toEqual(
        [numbers.slice(0, 32), numbers.slice(32)].map((batch) =>
          batch.map((number) => `text: ${said(number)}`),
        ),
      );
      expect([spent, store.passages(), store.open(9)]).toEqual([[7, 7], 40, []]);
      await keep([turn("t1", { pieces, end: "closed" })], 2);
      expect([asked.length, store.missedBy(2)]).toEqual([2, []]);
    } finally {
      await server.stop(true);
    }
  }));
