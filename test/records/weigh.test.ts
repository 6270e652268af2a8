// What counts for a record beside its words, factor by factor; and what the ids of records stand for.
import { expect, test } from "bun:test";
import { idOf, parseId, recordOf, slashed } from "../../src/records/fields.ts";
import { putter } from "../../src/records/put.ts";
import { weigher } from "../../src/records/search.ts";
import { openRecordIndex } from "../../src/records/search-index.ts";
import type { ScoredDocument } from "../../src/search/index.ts";
import {
  blog,
  noon,
  sampleMemory,
  sampleObservation,
  samplePrompt,
  sampleSession,
  sampleSummary,
  sampleTurn,
  shop,
} from "../../src/testing/samples.ts";
import { openStorage } from "../support/open-storage.ts";

const day = 86_400_000;

async function filled() {
  const db = await openStorage(":memory:");
  const put = putter(db, openRecordIndex(db), () => noon);
  const said = (fact: string, promptNumber: number) =>
    sampleObservation({
      ...{ title: "Tokens expire", filesRead: ["a.ts"], facts: [fact] },
      ...{ promptNumber, time: noon + promptNumber },
    });
  put({
    key: "1",
    records: {
      sessions: [
        sampleSession({ lastActiveAt: noon + 2 }),
        sampleSession({ id: "session-2", project: blog, lastActiveAt: noon + 9 }),
      ],
      observations: [said("After one hour.", 1), said("After two hours.", 2)],
      prompts: [samplePrompt(), samplePrompt({ promptNumber: 2 })],
      turns: [sampleTurn()],
      summaries: [sampleSummary()],
      memory: [sampleMemory()],
    },
  });
  return db;
}

const scored = (id: string, kind: string, time = noon): ScoredDocument => ({
  ...{ id, kind, time, session: "session-1", project: shop.id, position: 1, score: 1 },
  passages: [],
});

test.each<[string, ScoredDocument, number]>([
  ["an observation", scored("o2", "observation"), 1],
  ["one that a newer took the place of", scored("o1", "observation"), 0.5],
  ["a turn", scored("t1", "turn"), 1],
  ["a memory item", scored("m1", "memory"), 1],
  ["a summary", scored("s1", "summary"), 0.95],
  ["a session", scored("session 1", "session"), 0.85],
  ["a prompt whose turn is known", scored("p1", "prompt"), 0],
  ["another prompt", scored("p2", "prompt"), 0.7],
  ["what the asking session is at", scored("t9", "turn"), 0],
  ["of the future", scored("t1", "turn", noon + day), 1],
  ["of two months ago", scored("t1", "turn", noon - 60 * day), 0.95 + 0.05 / Math.E],
  ["of long ago", scored("t1", "turn", noon - 6_000 * day), 0.95],
])("%s weighs as it should", async (_, document, factor) => {
  const weigh = weigher(await filled(), noon, true, new Set(["t9"]));
  expect(weigh([scored("t1", "turn"), document])[1]).toBeCloseTo(factor, 9);
});

test.each<[string, string | undefined, boolean, number[]]>([
  ["nobody knows where", undefined, false, [1, 1]],
  ["in its project", shop.id, false, [1, 1]],
  ["in another project", blog.id, false, [0.5, 0.5]],
  ["for a rule", undefined, true, [1, 1.5]],
])("who asks %s changes what counts", async (_, here, ofRules, factors) => {
  const weigh = weigher(await filled(), noon, true, new Set(), { here, ofRules });
  expect(weigh([scored("t1", "turn"), scored("m1", "memory")])).toEqual(factors);
});

test("where turns are not looked for a prompt counts beside its turn", async () => {
  const weigh = weigher(await filled(), noon, false, new Set());
  expect(weigh([scored("p1", "prompt"), scored("o1", "observation")])).toEqual([0.7, 0.5]);
});

test.each<[string, ReturnType<typeof recordOf>]>([
  ["session 12", { kind: "session", row: 12 }],
  ["o12", { kind: "observation", row: 12 }],
  ["m1", { kind: "memory", row: 1 }],
  ["my session 12", undefined],
  ["session 12b", undefined],
  ["o0", undefined],
  ["o01", undefined],
  ["x1", undefined],
  ["o1x", undefined],
  ["12", undefined],
  ["", undefined],
])("the id %p means %p", (id, record) => {
  expect(recordOf(id)).toEqual(record);
});

test("ids of all kinds are read as they are written", () => {
  for (const kind of ["observation", "summary", "prompt", "memory", "turn"] as const)
    expect(parseId(idOf(kind, 7))).toEqual({ kind, row: 7 });
  expect(parseId("session 1")).toBeUndefined();
});

test.each([
  [".\\src\\a.ts", "src/a.ts"],
  ["././a.ts", "a.ts"],
  ["../a.ts", "../a.ts"],
  ["src//", "src"],
  ["/", "/"],
  ["/a/", "/a"],
  ["C:\\a", "C:/a"],
  ["c:a", "c:a"],
  ["src/C:/a", "src/C:/a"],
])("the path %p is kept as %p", (path, kept) => {
  expect(slashed(path)).toBe(kept);
});
