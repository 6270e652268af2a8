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

/** The titles, requests and contents of what stays of these records when `ids` go. */
async function stays(records: Records, ...ids: string[]): Promise<string[]> {
  world = await askedRecords(() => noon);
  const { store, runtime } = world;
  await store.put({ key: "k", records });
  const { records: going } = await select(runtime, { ids });
  const derived = await derivedFrom(runtime, going);
  const found = await store.get({ ids: derived });
  expect(found).toHaveLength(derived.length);
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

test("of a turn: what is of its prompt, and what quotes it from another prompt", async () => {
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
    of("Quotes its like elsewhere", {
      promptNumber: 2,
      evidence: [{ session: "s2", turn: 1, piece: 0 }],
    }),
    of("Of another prompt", { promptNumber: 2 }),
    of("Of another session", { session: "s2", promptNumber: 1 }),
  ];
  expect(await stays({ sessions, turns, observations }, "t1")).toEqual([
    ...["Of its prompt", "Quotes it later"],
  ]);
});

test("a session's summary goes along by its evidence, or by a word that only the turn had", async () => {
  const of = (request: string, part: object = {}) =>
    sampleSummary({ session: "s1", scope: "session", promptNumber: 2, request, ...part });
  const alone = async (part: object) =>
    (await stays({ sessions, turns, summaries: [of("R", part)] }, "t1")).length;
  expect(await alone({ evidence: [{ turn: 1, piece: 0 }] })).toBe(1);
  for (const field of ["request", "investigated", "learned", "completed", "nextSteps", "notes"])
    expect([field, await alone({ [field]: "A TROLLEY" })]).toEqual([field, 1]);
  expect(await alone({ completed: "Paint is dry" })).toBe(0);
  expect(await alone({ scope: "prompt", learned: "A trolley" })).toBe(0);
  expect(await alone({ scope: "prompt", promptNumber: 1 })).toBe(1);
});

test("a memory item stays where it quotes what goes, by its place or by a word of it that is left nowhere", async () => {
  const item = (content: string, part: Partial<NewMemoryItem> = {}) =>
    sampleMemory({ session: "s1", content, ...part });
  const elsewhere = [{ turn: 2, piece: 0 }];
  const memory = [
    item("Quotes the turn", { evidence: [{ turn: 1, piece: 0 }] }),
    item("Quotes it from afar", {
      session: "s2",
      evidence: [{ session: "s1", turn: 1, piece: 0 }],
    }),
    item("Likes trolley work", { evidence: elsewhere }),
    item("Said it", { evidence: elsewhere, quote: "the trolley, always" }),
    item("Because", { evidence: elsewhere, context: "while at the trolley" }),
    item("Typed trolley by hand"),
    item("Quotes another", { evidence: elsewhere }),
    item("Quotes its like", { session: "s2", evidence: [{ turn: 1, piece: 0 }] }),
    item("Of a trolley elsewhere", { project: "blog", evidence: elsewhere }),
  ];
  expect(await stays({ sessions, turns, memory }, "t1")).toEqual([
    "Because",
    "Likes trolley work",
    "Quotes it from afar",
    "Quotes the turn",
    "Said it",
  ]);
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
  expect(await stays({ sessions, turns, memory, observations }, "s1-none", "t3")).toEqual([]);
  const long = ["0a1b-1", "0a1b-2"].map((id) => sampleSession({ id }));
  const named = memory.map((one) => ({
    ...one,
    session: one.session === "s1" ? "0a1b-1" : "0a1b-2",
    evidence: one.evidence?.map((place) => ({ ...place, session: "0a1b-1" })),
  }));
  expect(await stays({ sessions: long, memory: named } as Records, "0a1b-1")).toEqual([
    "Another's quote",
  ]);
});

test("what goes itself is not among what stays", async () => {
  const observations = [sampleObservation({ session: "s1", title: "Goes too", promptNumber: 1 })];
  const memory = [
    sampleMemory({ session: "s1", content: "And this", evidence: [{ turn: 1, piece: 0 }] }),
  ];
  expect(await stays({ sessions, turns, observations, memory }, "t1", "o1", "m1")).toEqual([]);
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
    expect([other.made, other.went, other.by]).toEqual([
      undefined,
      undefined,
      "concluded by sample",
    ]);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
