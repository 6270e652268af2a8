// What was made of turns that go, or quotes them, and would stay.
import { afterEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NewMemoryItem, Records } from "../../../src/sdk/model.ts";
import { traced } from "../../../src/server/memory/context-preview.ts";
import { derivedFrom, select } from "../../../src/server/memory/forget.ts";
import { usesOf } from "../../../src/strategy/uses.ts";
import {
  noon,
  sampleMemory,
  sampleObservation,
  sampleSession,
  sampleSummary,
  sampleTurn,
} from "../../../src/testing/samples.ts";
import { type AskedRecords, askedRecords } from "../../support/asked-records.ts";

let world: AskedRecords | undefined;
afterEach(() => world?.store.close());

/** The titles, requests and contents of what was made of these records alone, and of what may repeat them, when `ids` go. */
async function stays(records: Records, ...ids: string[]) {
  world = await askedRecords(() => noon);
  const { store, runtime } = world;
  await store.put({ key: "k", records });
  const { records: going } = await select(runtime, { ids });
  const { made, repeats } = await derivedFrom(runtime, going);
  return { made: await titled(store, made), repeats: await titled(store, repeats) };
}

async function titled({ get }: AskedRecords["store"], ids: string[]): Promise<string[]> {
  const found = await get({ ids });
  expect(found).toHaveLength(ids.length);
  return found
    .map(
      ({ record }) =>
        Reflect.get(record, "title") ??
        Reflect.get(record, "request") ??
        Reflect.get(record, "content"),
    )
    .sort();
}
const said = (session: string, promptNumber: number, text: string) =>
  sampleTurn({ session, promptNumber, pieces: [{ kind: "prompt", text }] });
const sessions = ["s1", "s2"].map((id) => sampleSession({ id }));
const turns = [said("s1", 1, "mend the trolley"), said("s1", 2, "paint it"), said("s2", 1, "rest")];

test("of a turn: what rests on it alone, and what rests on others too", async () => {
  const of = (title: string, part: object) =>
    sampleObservation({ session: "s1", title, facts: [title], ...part });
  const observations = [
    of("Of its prompt", { promptNumber: 1 }),
    of("Quotes it later", {
      promptNumber: 2,
      evidence: [
        { turn: 2, piece: 0 },
        { turn: 1, piece: 0 },
      ],
    }),
    of("Quotes it alone", { promptNumber: 2, evidence: [{ turn: 1, piece: 0 }] }),
    of("Of its prompt, rests on another", { promptNumber: 1, evidence: [{ turn: 2, piece: 0 }] }),
    of("Quotes its like elsewhere", {
      promptNumber: 2,
      evidence: [{ session: "s2", turn: 1, piece: 0 }],
    }),
    of("Of another prompt", { promptNumber: 2 }),
    of("Of another session", { session: "s2", promptNumber: 1 }),
  ];
  expect(await stays({ sessions, turns, observations }, "t1")).toEqual({
    made: ["Of its prompt", "Quotes it alone"],
    repeats: ["Of its prompt, rests on another", "Quotes it later"],
  });
});

test("a session's summary is made of a turn by its evidence, or by a word that only the turn had", async () => {
  const of = (request: string, part: object = {}) =>
    sampleSummary({ session: "s1", scope: "session", promptNumber: 2, request, ...part });
  const which = async (part: object) => {
    const { made, repeats } = await stays({ sessions, turns, summaries: [of("R", part)] }, "t1");
    return made.length > 0 ? "made" : repeats.length > 0 ? "repeats" : "no";
  };
  const [own, other] = [1, 2].map((turn) => ({ turn, piece: 0 }));
  const table: Array<[object, string]> = [
    [{ evidence: [own] }, "made"],
    [{ evidence: [own, other] }, "repeats"],
    [{ evidence: [other], learned: "A trolley" }, "made"],
    [{ completed: "Paint is dry" }, "no"],
    [{ scope: "prompt", learned: "A trolley" }, "no"],
    [{ scope: "prompt", promptNumber: 1 }, "made"],
    ...["request", "investigated", "learned", "completed", "nextSteps", "notes"].map(
      (field): [object, string] => [{ [field]: "A TROLLEY" }, "made"],
    ),
  ];
  for (const [part, expected] of table) expect([part, await which(part)]).toEqual([part, expected]);
});

test("a memory item is made of a turn by its place alone; by a word of it that is left nowhere it may repeat it", async () => {
  const item = (content: string, part: Partial<NewMemoryItem> = {}) =>
    sampleMemory({ session: "s1", content, ...part });
  const elsewhere = [{ turn: 2, piece: 0 }];
  const memory = [
    item("Quotes the turn", { evidence: [{ turn: 1, piece: 0 }] }),
    item("Quotes it from afar", {
      session: "s2",
      evidence: [{ session: "s1", turn: 1, piece: 0 }],
    }),
    item("Quotes both", { evidence: [{ turn: 1, piece: 0 }, ...elsewhere] }),
    item("To mend, as others say", { session: "s2", evidence: [{ turn: 1, piece: 0 }] }),
    item("Likes trolley work", { evidence: elsewhere }),
    item("Said it", { evidence: elsewhere, quote: "the trolley, always" }),
    item("Because", { evidence: elsewhere, context: "while at the trolley" }),
    item("Typed trolley by hand"),
    item("Quotes another", { evidence: elsewhere }),
    item("Quotes its like", { session: "s2", evidence: [{ turn: 1, piece: 0 }] }),
    item("Of a trolley elsewhere", { project: "blog", evidence: elsewhere }),
  ];
  const mends = said("s1", 3, "mend another, as others say");
  expect(await stays({ sessions, turns: [...turns, mends], memory }, "t1")).toEqual({
    made: ["Quotes it from afar", "Quotes the turn"],
    repeats: ["Because", "Likes trolley work", "Quotes both", "Said it"],
  });
});

test("of a whole session nothing of its own stays, but what others quote of it", async () => {
  const memory = [
    sampleMemory({ session: "s1", content: "Its own" }),
    sampleMemory({
      session: "s2",
      content: "Another's quote",
      evidence: [{ session: "s1", turn: 9, piece: 0 }],
    }),
    sampleMemory({ session: "s2", content: "Another's own" }),
  ];
  const observations = [sampleObservation({ session: "s1", title: "Its own too" })];
  expect(await stays({ sessions, turns, memory, observations }, "s1-none", "t3")).toEqual({
    made: [],
    repeats: [],
  });
  const long = ["0a1b-1", "0a1b-2"].map((id) => sampleSession({ id }));
  const named = memory.map((one) => ({
    ...one,
    session: one.session === "s1" ? "0a1b-1" : "0a1b-2",
    evidence: one.evidence?.map((place) => ({ ...place, session: "0a1b-1" })),
  }));
  expect(await stays({ sessions: long, memory: named } as Records, "0a1b-1")).toEqual({
    made: ["Another's quote"],
    repeats: [],
  });
});

test("what goes itself is not among what stays", async () => {
  const observations = [sampleObservation({ session: "s1", title: "Goes too", promptNumber: 1 })];
  const memory = [
    sampleMemory({ session: "s1", content: "And this", evidence: [{ turn: 1, piece: 0 }] }),
  ];
  expect(await stays({ sessions, turns, observations, memory }, "t1", "o1", "m1")).toEqual({
    made: [],
    repeats: [],
  });
});

test("a record's trace names what was made of it and the sessions that it went to, the newest first", async () => {
  world = await askedRecords(() => noon);
  const { store, runtime } = world;
  const observations = [sampleObservation({ session: "s1", promptNumber: 1, title: "Mended" })];
  await store.put({ key: "k", records: { sessions, turns, observations } });
  const home = await mkdtemp(join(tmpdir(), "memoir-trace-"));
  try {
    const uses = await usesOf(home);
    const shown = { kind: "start", project: "p" } as const;
    uses.add({ ...shown, session: "gone", time: 6, ids: ["t1"] });
    uses.add({ ...shown, session: "s2", time: 5, ids: ["t1"] });
    uses.add({ ...shown, session: "s2", time: 7, ids: ["t1", "t2"] });
    uses.note({ session: "s2", named: "see t1" });
    const found = await traced({ home }, runtime, "t1");
    expect(found).toMatchObject({
      made: [{ id: "o1", words: "Mended" }],
      shown: { shown: 2, used: 1 },
      went: [
        { session: "s2", title: sessions[1]?.title ?? "", time: 7, used: true },
        { session: "gone", title: "", time: 6, used: false },
      ],
    });
    const other = await traced({ home }, runtime, "o1");
    expect([other.made, other.went, other.by]).toEqual([undefined, undefined, "written by sample"]);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
