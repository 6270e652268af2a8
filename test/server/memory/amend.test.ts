// What a user makes of records over the server: all or nothing by id, redacted, told to plugins; and what is derived from what was hidden.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { StoredRecord } from "../../../src/sdk/storage.ts";
import { createApp } from "../../../src/server/app.ts";
import type { ServerRuntime } from "../../../src/server/life/server-runtime.ts";
import { type Amend, amend, marked } from "../../../src/server/memory/amend.ts";
import { attributed, versionOf } from "../../../src/server/memory/records.ts";
import {
  sampleMemory,
  sampleObservation,
  samplePrompt,
  sampleSession,
  sampleTurn,
} from "../../../src/testing/samples.ts";
import { type AskedRecords, askedRecords } from "../../support/asked-records.ts";
import { fakeHooks } from "../../support/fake-hooks.ts";
import { appOptions } from "../app-options.ts";

let world: AskedRecords;
let told: StoredRecord[];
const session = "0a1b2c3d-session";
beforeEach(async () => {
  world = await askedRecords(() => 5);
  told = [];
  Object.assign(world.runtime.hooks, {
    parallel: async (name: string, record: StoredRecord) => {
      expect(name).toBe("amended");
      told.push(record);
    },
  });
  const of = { session };
  await world.store.put({
    key: "k",
    records: {
      sessions: [sampleSession({ id: session })],
      observations: [sampleObservation({ ...of, title: "Loop fixed" }), sampleObservation(of)],
      prompts: [samplePrompt({ ...of, text: "Stop the loop" })],
      memory: [sampleMemory({ ...of, content: "Uses tabs", evidence: [{ turn: 1, piece: 0 }] })],
      turns: [sampleTurn({ ...of, pieces: [{ kind: "prompt", text: "Stop the loop" }] })],
    },
  });
});
afterEach(() => world.store.close());

test("several at once, a session by the beginning of its id; plugins are told of each", async () => {
  const { records } = await amend(world.runtime, { ids: ["o1", "m1", "0a1b2c"], hidden: true });
  expect(records.map(({ record }) => [record.id, record.hidden])).toEqual([
    ["o1", true],
    ["m1", true],
    [session, true],
  ]);
  expect(told).toEqual(records);
});

test("what was made of a turn is hidden with it, and named; showing the turn brings back exactly that", async () => {
  await world.store.amend({ id: "o2", hidden: true });
  const quoting = sampleMemory({
    session,
    content: "Mind the loop",
    evidence: [{ turn: 2, piece: 0 }],
  });
  const other = sampleTurn({ session, promptNumber: 2, pieces: [{ kind: "prompt", text: "On" }] });
  await world.store.put({ key: "l", records: { turns: [other], memory: [quoting] } });
  const hid = await amend(world.runtime, { ids: ["t1"], hidden: true });
  expect({ ...hid, along: hid.along.sort() }).toMatchObject({
    along: ["m1", "o1"],
    // By a word alone: who hides says whether.
    derived: ["m2"],
    withheld: [],
  });
  expect(told.map(({ record }) => record.id).sort()).toEqual(["m1", "o1", "t1"]);
  const early = await amend(world.runtime, { ids: ["o1"], hidden: false });
  expect(early).toMatchObject({ along: [], derived: [], withheld: ["o1"] });
  const shown = await amend(world.runtime, { ids: ["t1"], hidden: false });
  expect({ ...shown, along: shown.along.sort() }).toMatchObject({
    along: ["m1", "o1"],
    derived: [],
    withheld: [],
  });
  expect((await world.store.observations({ hidden: false })).map(({ id }) => id)).toEqual(["o1"]);
});

test("of a storage that hides no more than it is told to, what was made of a turn is named", async () => {
  const { first } = world.runtime.hooks;
  const plain: typeof first = async (name, input, options) => {
    if (name !== "storage.get" || !("hidden" in input)) return await first(name, input, options);
    const { hidden: _, ...asked } = input;
    const answer = await first(name, asked as typeof input, options);
    const all = (answer?.result ?? []) as StoredRecord[];
    const result = all.filter(({ record }) => !record.hidden);
    return { ...answer, result } as typeof answer;
  };
  Object.assign(world.runtime.hooks, { first: plain });
  const { along, derived } = await amend(world.runtime, { ids: ["t1"], hidden: true });
  expect([along, derived.sort()]).toEqual([[], ["m1", "o1", "o2"]]);
});

test.each([
  [{ ids: ["o1", "o99", "zzzz"], pinned: true }, "There is no record o99, zzzz."],
  [{ ids: ["o1"] }, "Nothing says what to do with it."],
  [{ ids: ["o1", "o2"], set: { title: "Same" } }, "Several records cannot be given"],
  [{ ids: ["o1"], set: { title: "<private>mine</private>" } }, "Nothing is left of `title`"],
  [{ ids: ["t1"], set: { title: "Other" } }, "A turn is evidence"],
])("%j changes nothing: %s", async (asked, message) => {
  const before = await world.store.observations({});
  await expect(amend(world.runtime, asked)).rejects.toThrow(message);
  expect(await world.store.observations({})).toEqual(before);
  expect(told).toEqual([]);
});

test("the user's words are redacted as everything that is kept", async () => {
  const key = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
  const set = {
    narrative: `The key is ${key}, <private>mine</private> alone`,
    facts: [`a ${key}`],
  };
  const { records } = await amend(world.runtime, { ids: ["o1"], set });
  expect(JSON.stringify(records)).not.toContain(key);
  expect(JSON.stringify(records)).not.toContain("mine");
  expect(JSON.stringify(records)).toContain("The key is ");
});

test("what is marked is listed, of every kind", async () => {
  await amend(world.runtime, { ids: ["o1", "t1"], pinned: true });
  await amend(world.runtime, { ids: ["m1", session], hidden: true });
  const ids = async (mark: "pinned" | "hidden" | "edited") =>
    (await marked(world.runtime, mark, {})).map(({ record }) => record.id);
  expect(await ids("pinned")).toEqual(["t1", "p1", "o1"]);
  expect(await ids("hidden")).toEqual(["m1", session]);
  expect(await ids("edited")).toEqual([]);
});

test("over HTTP: amended, listed, undone; what is wrong is named", async () => {
  const runtime = world.runtime as ServerRuntime;
  const app = createApp({ ...appOptions(), runtime });
  const call = async (path: string, body?: object) => {
    const init = body && { method: "POST", body: JSON.stringify(body) };
    const response = await app.handle(new Request(`http://localhost/api${path}`, init));
    return { status: response.status, body: await response.json() };
  };
  const set = { title: "In my words" };
  const edited = await call("/amend", { ids: ["o1"], set, pinned: true });
  expect(edited).toMatchObject({
    status: 200,
    body: { derived: [], records: [{ kind: "observation", record: { ...set, pinned: true } }] },
  });
  expect((await call("/marked?mark=edited")).body.records).toEqual(edited.body.records);
  const back = await call("/amend", { ids: ["o1"], undo: true });
  expect(back.body.records[0].record.title).toBe("Loop fixed");
  const wrong: Array<[object | undefined, string, number, string]> = [
    [{ ids: ["o9"], hidden: true }, "/amend", 404, "There is no record o9."],
    [{ ids: [], hidden: true }, "/amend", 400, "ids"],
    [{ ids: ["o1"], hiden: true }, "/amend", 400, "hiden"],
    [{ ids: ["o1"], hidden: "yes" }, "/amend", 400, "hidden"],
    [{ ids: ["o1"], set: { content: "x" } }, "/amend", 400, "no `content` to edit"],
    [undefined, "/marked?mark=loud", 400, "mark"],
  ];
  for (const [body, path, status, message] of wrong) {
    const answer = await call(path, body);
    expect([answer.status, JSON.stringify(body)]).toEqual([status, JSON.stringify(body)]);
    expect(answer.body.error.message).toContain(message);
  }
});

test("a storage that knows no marks answers with all it has: what has none is left out", async () => {
  const pinned = { id: "o1", pinned: true };
  const hooks = fakeHooks({
    "storage.observations": () => [pinned, { id: "o2" }, { id: "o3", hidden: true }] as never,
    "storage.sessions": () => [{ id: "s1" }] as never,
    "storage.summaries": () => [] as never,
    "storage.prompts": () => [] as never,
    "storage.turns": () => [] as never,
    "storage.memory": () => [] as never,
  });
  const found: unknown[] = await marked({ hooks }, "pinned", { project: "p" });
  expect(found).toEqual([{ kind: "observation", record: pinned }]);
  expect(hooks.inputs("storage.observations")).toMatchObject([{ project: "p", marked: "pinned" }]);
});

test("what was changed since it was read is refused, all of it, and who comes second is told so", async () => {
  const read = await world.store.get({ ids: ["o1", "o2"] });
  const versions = Object.fromEntries(read.map((one) => [one.record.id, versionOf(one)]));
  const first = amend(world.runtime, { ids: ["o1"], set: { title: "One" }, versions });
  const second = amend(world.runtime, { ids: ["o1"], set: { title: "Two" }, versions });
  expect((await first).records).toMatchObject([{ record: { title: "One" } }]);
  await expect(second).rejects.toMatchObject({ code: "record_changed" });
  await expect(amend(world.runtime, { ids: ["o2", "o1"], hidden: true, versions })).rejects.toThrow(
    "o1 was changed since it was read",
  );
  const [, other] = await world.store.get({ ids: ["o1", "o2"] });
  expect(other?.record).not.toHaveProperty("hidden");
  expect(
    (await amend(world.runtime, { ids: ["o2"], pinned: true, versions })).records,
  ).toHaveLength(1);
});

test.each<Partial<Amend>>([
  { set: { title: "Other" } },
  { pinned: true },
  { hidden: true },
  { merged: "o2" },
])(
  "a version is another one after %j, and the one before again once it is taken back",
  async (what) => {
    const version = async () => {
      const [stored] = await world.store.get({ ids: ["o1"] });
      return stored && versionOf(stored);
    };
    const before = await version();
    await amend(world.runtime, { ids: ["o1"], ...what });
    expect(await version()).not.toBe(before);
    const back = what.set ? { undo: true } : what.pinned ? { pinned: false } : { hidden: false };
    await amend(world.runtime, { ids: ["o1"], ...back });
    expect(await version()).toBe(before);
  },
);

test("several are merged into one at once; several items are confirmed at once, and given no other words", async () => {
  const more = ["Tabs, always", "Only tabs"].map((content) =>
    sampleMemory({ session, content, state: "candidate" }),
  );
  await world.store.put({ key: "more", records: { memory: more } });
  const { records } = await amend(world.runtime, { ids: ["m2", "m3"], merged: "m1" });
  expect(records.map(({ record }) => record.merged)).toEqual(["m1", "m1"]);
  expect(told).toEqual(records);
  await amend(world.runtime, { ids: ["m2", "m3"], hidden: false });
  const set = { state: "standing" };
  const confirmed = await amend(world.runtime, { ids: ["m2", "m3"], set });
  expect(confirmed.records).toMatchObject([{ record: set }, { record: set }]);
  expect(confirmed.records.map((one) => attributed(one).by)).toEqual([
    "confirmed by the user",
    "confirmed by the user",
  ]);
  await expect(
    amend(world.runtime, { ids: ["m2", "m3"], set: { ...set, content: "Same" } }),
  ).rejects.toThrow("cannot be given the same words");
});
