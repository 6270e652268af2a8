// What a second put of the same thing changes and what it leaves, what takes the place of what, and what goes with a deletion.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { RecordStore } from "../../src/records/record-store.ts";
import { openRecords } from "../../src/records/record-store.ts";
import type { NewObservation, Records, SessionUpdate } from "../../src/sdk/model.ts";
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

let store: RecordStore;
let puts = 0;
beforeEach(async () => {
  store = await openRecords(":memory:", () => noon);
});
afterEach(() => store.close());
const put = (records: Records) => store.put({ key: `key ${puts++}`, records });
const session = async () => (await store.sessions({}))?.[0];

describe("a session", () => {
  const again = (more: Partial<SessionUpdate>) => put({ sessions: [sampleSession(more)] });

  test("grows in time and prompts, never shrinks", async () => {
    await again({ startedAt: noon, lastActiveAt: noon + 10, prompts: 3 });
    await again({ startedAt: noon + 5, lastActiveAt: noon + 5, prompts: 1 });
    expect(await session()).toMatchObject({ startedAt: noon, lastActiveAt: noon + 10, prompts: 3 });
    await again({ startedAt: noon - 5, lastActiveAt: noon + 20, prompts: 4 });
    expect(await session()).toMatchObject({
      ...{ startedAt: noon - 5, lastActiveAt: noon + 20, prompts: 4 },
    });
  });

  test("keeps its end until it goes on or ends again", async () => {
    await again({ status: "ended", endedAt: noon + 1, endReason: "logout" });
    await again({ title: "Named later" });
    expect(await session()).toMatchObject({ endedAt: noon + 1, endReason: "logout" });
    await again({ endedAt: noon + 1 });
    expect(await session()).toMatchObject({ endReason: "logout", title: "Named later" });
    await again({ status: "active", endedAt: null });
    const { endedAt = null, endReason = null } = (await session()) ?? {};
    expect([endedAt, endReason]).toEqual([null, null]);
    await again({ status: "ended", endedAt: noon + 9 });
    expect((await session())?.endedAt).toBe(noon + 9);
    expect((await session())?.endReason ?? null).toBeNull();
  });

  test("is found by its title of now, in its project of now", async () => {
    await again({ title: "Paint the walrus" });
    await again({ title: "Feed the heron", project: { ...blog, name: "renamed" } });
    const found = async (text: string, project?: string) =>
      (await store.search({ text, kinds: ["session"], ...(project && { project }) }))?.length;
    expect([await found("walrus"), await found("heron")]).toEqual([0, 1]);
    expect([await found("heron", shop.id), await found("heron", "renamed")]).toEqual([0, 1]);
    expect((await store.stats({}))?.projects.map(({ name }) => name)).toContain("renamed");
  });
});

test("a memory item is of its day, one of today of this moment, one without a date of now", async () => {
  const items = [
    ["old", "2026-10-01"],
    ["today", "2026-11-01"],
    ["undated", "some day"],
  ] as const;
  await put({ memory: items.map(([content, date]) => sampleMemory({ content, date })) });
  const since = async (time: number) =>
    (await store.memory({ since: time }))?.map(({ content }) => content).sort();
  expect(await since(noon)).toEqual(["today", "undated"]);
  expect(await since(noon + 1)).toEqual([]);
  expect(await since(Date.UTC(2026, 9, 1))).toEqual(["old", "today", "undated"]);
  expect(await since(Date.UTC(2026, 9, 1) + 1)).toEqual(["today", "undated"]);
});

test("a repeated item is one, keeps its quote and state, and has the newest context", async () => {
  const item = { content: "Use tabs", kind: "preferences" as const };
  await put({
    memory: [sampleMemory({ ...item, quote: "tabs, please", state: "standing" })],
  });
  await put({ memory: [sampleMemory({ ...item, context: "again", session: "s2" })] });
  await put({ memory: [sampleMemory({ ...item, kind: "facts" })] });
  await put({ memory: [sampleMemory({ ...item, project: blog.id })] });
  const own = await store.memory({ kinds: ["preferences"], project: shop.id });
  expect(own).toMatchObject([
    { quote: "tabs, please", state: "standing", context: "again", session: "s2" },
  ]);
  expect(await store.memory({})).toHaveLength(3);
});

describe("an observation", () => {
  const seen = (more: Partial<NewObservation>) =>
    sampleObservation({ title: "Carts count vouchers once", facts: ["It counts"], ...more });
  const all = () => store.observations({ superseded: true, order: "oldest" });

  test("that is told again in its session is one, whatever its case and spacing, with all it is about", async () => {
    await put({
      observations: [
        seen({ concepts: ["a"], filesRead: ["x.ts"], filesModified: ["y.ts"], toolUseIds: ["t1"] }),
        seen({
          ...{ title: " carts  COUNT vouchers once", facts: ["it  counts"], time: noon - 9 },
          ...{ concepts: ["a", "b"], filesRead: ["z.ts"], filesModified: ["y.ts"] },
          ...{ toolUseIds: ["t2"], narrative: "Newer words" },
        }),
      ],
    });
    expect(await all()).toMatchObject([
      {
        ...{ concepts: ["a", "b"], filesRead: ["x.ts", "z.ts"], filesModified: ["y.ts"] },
        ...{ toolUseIds: ["t1", "t2"], narrative: "Newer words", time: noon },
      },
    ]);
    for (const [filter, count] of [
      [{ concept: "b" }, 1],
      [{ file: "z.ts" }, 1],
      [{ file: "x.ts" }, 1],
    ] as const)
      expect(await store.observations(filter)).toHaveLength(count);
  });

  test("rests on, and took, what both did; the same tool uses put again took nothing more", async () => {
    const from = (turn: number, id: string, spent: number | null) =>
      seen({
        ...{ promptNumber: turn, evidence: [{ turn, piece: 0 }], toolUseIds: [id] },
        ...{ discoveryTokens: spent, observerTokens: 100 },
      });
    const both = [from(1, "t1", 40), from(2, "t2", 2)];
    for (const observations of [both, both.toReversed(), [from(3, "t3", null)]])
      await put({ observations });
    const [kept, ...others] = await all();
    expect(others).toEqual([]);
    expect(kept).toMatchObject({ discoveryTokens: 42, observerTokens: 300 });
    expect(kept?.evidence?.map(({ turn }) => turn)).toEqual([1, 2, 3]);
  });

  test("with other facts is another; without facts the story tells two apart", async () => {
    await put({ observations: [seen({}), seen({ facts: ["It counts twice"] })] });
    expect(await all()).toHaveLength(2);
    const bare = { title: "Something else entirely", facts: [] };
    await put({
      observations: [
        seen({ ...bare, narrative: "one" }),
        seen({ ...bare, narrative: "two" }),
        seen({ ...bare, narrative: "two" }),
        seen({ ...bare, narrative: "two", subtitle: "three" }),
      ],
    });
    expect(await all()).toHaveLength(5);
  });

  test.each<[string, Partial<NewObservation>, Partial<NewObservation>, boolean]>([
    [
      "the same words in a title, whatever their order",
      {},
      { title: "Once carts counted the vouchers" },
      true,
    ],
    ["other words", {}, { title: "Carts count coupons once" }, false],
    ["another project", {}, { project: blog.id, session: "s2" }, false],
    ["the same prompt", {}, { promptNumber: 1 }, false],
    ["the same prompt number of another session", {}, { promptNumber: 1, session: "s2" }, true],
    ["a file in common", { filesRead: ["a.ts", "b.ts"] }, { filesModified: ["b.ts"] }, true],
    ["no file in common", { filesRead: ["a.ts"] }, { filesRead: ["b.ts"] }, false],
    ["a file here and none there", { filesRead: ["a.ts"] }, {}, false],
    ["only words that say nothing", { title: "It is the" }, { title: "It is the" }, false],
  ])(
    "of two with %s one or both are left, in whatever order they came",
    async (_, one, other, does) => {
      const [first, second] = [
        seen({ time: noon, ...one }),
        seen({ time: noon + 1, promptNumber: 2, facts: ["Otherwise"], ...other }),
      ];
      for (const order of [
        [first, second],
        [second, first],
      ]) {
        const own = await openRecords(":memory:", () => noon);
        for (const [at, observation] of order.entries())
          await own.put({ key: `${at}`, records: { observations: [observation] } });
        const left = (await own.observations({}))?.map(({ time }) => time);
        expect(left).toEqual(does ? [noon + 1] : [noon + 1, noon]);
        await own.close();
      }
    },
  );
});

test("a later summary and turn are found by what they are about now, by nothing of before", async () => {
  await put({
    summaries: [sampleSummary({ completed: "Painted the walrus", filesEdited: ["walrus.ts"] })],
    turns: [sampleTurn({ files: [{ path: "old.ts", changed: true }] })],
    prompts: [samplePrompt({ text: "Paint the walrus" })],
  });
  await put({
    summaries: [sampleSummary({ completed: "Fed the heron", filesRead: ["heron.ts"] })],
    turns: [sampleTurn({ files: [{ path: "new.ts", changed: false }] })],
    prompts: [samplePrompt({ text: "Feed the heron" })],
  });
  const counts = await Promise.all([
    store.summaries({ file: "walrus.ts" }),
    store.summaries({ file: "heron.ts" }),
    store.turns({ file: "old.ts" }),
    store.turns({ file: "new.ts" }),
    store.search({ text: "walrus" }),
  ]);
  expect(counts.map((list) => list?.length)).toEqual([0, 1, 0, 1, 0]);
  expect((await store.search({ text: "heron" }))?.length).toBeGreaterThan(0);
});

test("a session that is deleted takes its items, and its project where nothing is left of that", async () => {
  await put({
    sessions: [
      sampleSession({ id: "s1" }),
      sampleSession({ id: "s1", client: "another", project: blog }),
      sampleSession({ id: "s2" }),
    ],
    memory: [
      sampleMemory({ session: "s1", content: "one" }),
      sampleMemory({ session: "s2", content: "two" }),
    ],
    observations: [sampleObservation({ session: "s1" }), sampleObservation({ session: "s2" })],
  });
  const answer = await store.delete({ ids: ["s1", "nobody", "s1"] });
  expect(answer?.deleted).toHaveLength(3);
  expect((await store.sessions({}))?.map(({ id }) => id)).toEqual(["s2"]);
  expect((await store.memory({}))?.map(({ content }) => content)).toEqual(["two"]);
  const projects = async () => (await store.stats({}))?.projects.map(({ id }) => id);
  expect(await projects()).toEqual([shop.id]);
  await store.delete({ ids: ["s2"] });
  expect(await projects()).toEqual([]);
});

test("projects are counted, the last active first", async () => {
  const later = { project: blog, startedAt: noon + 5, lastActiveAt: noon + 5 };
  await put({
    sessions: [
      sampleSession({ id: "s1" }),
      sampleSession({ id: "s2" }),
      sampleSession({ id: "s3", ...later }),
    ],
    observations: [
      sampleObservation({ session: "s1", title: "one" }),
      sampleObservation({ session: "s2", title: "two" }),
    ],
    memory: [sampleMemory({ project: "of/items-alone", session: "s1" })],
  });
  const { projects, ...counts } = await store.stats({});
  expect(counts).toMatchObject({ sessions: 3, observations: 2, memory: 1, summaries: 0, turns: 0 });
  const counted = [
    { id: blog.id, name: "blog", sessions: 1, lastActiveAt: noon + 5, observations: 0 },
    { id: shop.id, name: "shop", sessions: 2, lastActiveAt: noon, observations: 2 },
    { id: "of/items-alone", name: "items-alone", sessions: 0, lastActiveAt: 0, observations: 0 },
  ];
  expect(projects).toEqual(counted.map((one) => ({ ...one, plain: one.name, ids: [one.id] })));
});

test("records are given in the order asked, whatever kind each is; of two clients' sessions the last active", async () => {
  const put1 = await put({
    sessions: [
      sampleSession({ id: "s1", lastActiveAt: noon + 1, title: "Later" }),
      sampleSession({ id: "s1", client: "another", title: "Earlier" }),
    ],
    observations: [sampleObservation({ session: "s1" })],
    turns: [sampleTurn({ session: "s1" })],
  });
  const [observation = "", turn = ""] = [put1?.observations[0], put1?.turns?.[0]];
  const got = await store.get({ ids: [turn, "s1", "o999", observation, turn] });
  expect(got?.map(({ kind, record }) => (kind === "session" ? record.title : record.id))).toEqual([
    ...[turn, "Later", observation, turn],
  ]);
});
