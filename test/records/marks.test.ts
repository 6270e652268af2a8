// What the user makes of records: edited, pinned, hidden; and what later puts, searches and deletions make of that.
import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { RecordStore } from "../../src/records/record-store.ts";
import { openRecords } from "../../src/records/record-store.ts";
import type { Records } from "../../src/sdk/model.ts";
import { inFolder } from "../support/in-folder.ts";
import {
  sampleMemory,
  sampleObservation,
  samplePrompt,
  sampleSession,
  sampleSummary,
  sampleTurn,
} from "../support/sample-records.ts";

const now = 1_000;
const everything: Records = {
  sessions: [sampleSession({ title: "Login" })],
  prompts: [samplePrompt({ text: "Why does the login walrus reload?" })],
  turns: [sampleTurn()],
  observations: [
    sampleObservation({ title: "Walrus reloads", facts: ["The walrus reloads the page always."] }),
  ],
  summaries: [sampleSummary({ request: "Stop the walrus", completed: "It stopped" })],
  memory: [sampleMemory({ kind: "decisions", content: "Use the walrus", context: "Said once" })],
};

async function filled(work: (records: RecordStore, folder: string) => Promise<void>) {
  await inFolder(async (folder) => {
    const records = await openRecords(join(folder, "memory.db"), () => now);
    await records.put({ key: "a", records: everything });
    try {
      await work(records, folder);
    } finally {
      records.close();
    }
  });
}

const idsOf = async (found: Promise<Array<{ id: string }>>) => (await found).map(({ id }) => id);

test.each([
  ["o1", { title: "Otter reloads" }, "Walrus reloads"],
  ["s1", { request: "Stop the otter" }, "Stop the walrus"],
  ["m1", { content: "Use the otter" }, "Use the walrus"],
])("%s is found by the user's words at once, and by the old ones no more", (id, set, before) =>
  filled(async (records) => {
    const { record } = await records.amend({ id, set });
    expect(record).toMatchObject({ id, ...set, edited: { time: now } });
    expect(Object.values(record.edited?.was ?? {})).toContain(before);
    expect(await idsOf(records.search({ text: "otter", by: "record" }))).toContain(id);
    const old = (await records.search({ text: "walrus", by: "record" })).filter(
      (one) => one.id === id && one.title.includes("alrus"),
    );
    expect(old).toEqual([]);
  }),
);

test("a later put of the same leaves the user's words, and keeps its own for an undo", () =>
  filled(async (records) => {
    await records.amend({ id: "o1", set: { title: "Otter", narrative: "The otter." } });
    await records.amend({ id: "s1", set: { completed: "The otter stopped" } });
    await records.amend({ id: "m1", set: { content: "Use the otter", context: "Mine" } });
    await records.amend({ id: "session-1", set: { title: "Otters" } });
    const again = await records.put({
      key: "b",
      records: {
        ...everything,
        summaries: [sampleSummary({ request: "Stop the walrus", completed: "It stopped twice" })],
        observations: [{ ...sampleObservation(everything.observations?.[0]), narrative: "Again." }],
      },
    });
    expect(again.observations).toEqual(["o1"]);
    const [observation, summary, item, session] = (
      await records.get({ ids: ["o1", "s1", "m1", "session-1"] })
    ).map(({ record }) => record);
    expect(observation).toMatchObject({
      ...{ title: "Otter", narrative: "The otter." },
      edited: { was: { title: "Walrus reloads", narrative: "Again." } },
    });
    expect(await idsOf(records.search({ text: "otter", kinds: ["observation"] }))).toEqual(["o1"]);
    expect(summary).toMatchObject({
      completed: "The otter stopped",
      edited: { was: { completed: "It stopped twice" } },
    });
    expect(item).toMatchObject({ content: "Use the otter", context: "Mine", state: "standing" });
    expect(session).toMatchObject({ title: "Otters", edited: { was: { title: "Login" } } });
    expect(await idsOf(records.memory({}))).toEqual(["m1"]);
    expect(await idsOf(records.search({ text: "otter", kinds: ["session"] }))).toEqual([
      "session-1",
    ]);
  }));

test("an undo gives back what stood there, and what was put since", () =>
  filled(async (records) => {
    await records.amend({ id: "o1", set: { title: "Otter", facts: ["An otter."] } });
    await records.amend({ id: "o1", set: { title: "Second otter" }, pinned: true });
    const { record } = await records.amend({ id: "o1", undo: true });
    expect(record).toMatchObject({ title: "Walrus reloads", pinned: true });
    expect(record).toMatchObject({ facts: ["The walrus reloads the page always."] });
    expect(record).not.toHaveProperty("edited");
    expect(await idsOf(records.search({ text: "otter" }))).toEqual([]);
    await expect(records.amend({ id: "o1", undo: true })).rejects.toThrow("o1 was not edited");
  }));

test("what the user edited or pinned is not superseded by a later observation", () =>
  filled(async (records) => {
    const later = (key: string, promptNumber: number) =>
      records.put({
        key,
        records: {
          observations: [
            sampleObservation({
              ...{ title: "Walrus reloads", facts: [`Number ${promptNumber} of the facts.`] },
              ...{ promptNumber, time: promptNumber * 1e12 * 2 },
            }),
          ],
        },
      });
    await records.amend({ id: "o1", pinned: true });
    await later("b", 2);
    const pinned = await records.observations({ superseded: false });
    expect(pinned.map(({ id }) => id).sort()).toEqual(["o1", "o2"]);
    await records.amend({ id: "o1", pinned: false });
    await later("c", 3);
    expect(await idsOf(records.observations({ superseded: false }))).toEqual(["o3"]);
  }));

test("nothing hidden is told where that is asked for, and everything else is as it was", () =>
  filled(async (records) => {
    await records.amend({ id: "p1", hidden: true });
    for (const id of ["o1", "s1", "m1"]) await records.amend({ id, hidden: true });
    const told = { hidden: false };
    expect(await records.get({ ids: ["o1", "s1", "m1", "t1", "p1"], ...told })).toEqual([]);
    for (const verb of ["observations", "summaries", "prompts", "memory", "turns"] as const) {
      expect(await records[verb](told)).toEqual([]);
      expect(await records[verb]({})).toMatchObject([{ hidden: true }]);
      expect(await records[verb]({ marked: "hidden" })).toHaveLength(1);
      expect(await records[verb]({ marked: "pinned" })).toEqual([]);
    }
    const ids = await idsOf(records.search({ text: "", ...told }));
    // Its title says what the hidden prompt alone said.
    expect(ids).toEqual([]);
    expect(await idsOf(records.search({ text: "walrus", ...told }))).toEqual([]);
    for (const one of await records.search({ text: "walrus", by: "record" }))
      expect(one.marks).toEqual(["hidden"]);
    await records.amend({ id: "t1", hidden: false });
    expect(await idsOf(records.prompts(told))).toEqual(["p1"]);
  }));

test("a hidden session hides what is of it, also what comes later", () =>
  filled(async (records) => {
    await records.amend({ id: "session-1", hidden: true });
    await records.put({ key: "b", records: { turns: [sampleTurn({ promptNumber: 2 })] } });
    const told = { hidden: false };
    for (const verb of ["observations", "summaries", "prompts", "memory", "turns"] as const)
      expect(await records[verb](told)).toEqual([]);
    expect(await records.sessions(told)).toEqual([]);
    expect(await records.get({ ids: ["o1", "m1", "session-1"], ...told })).toEqual([]);
    expect(await records.search({ text: "walrus", ...told })).toEqual([]);
    const found = await records.search({ text: "walrus", by: "record" });
    expect(found.length).toBeGreaterThan(2);
    for (const one of found) expect(one.marks).toEqual(["hidden"]);
    await records.amend({ id: "session-1", hidden: false });
    expect(await records.turns(told)).toHaveLength(2);
  }));

test("a hidden turn hides what was made of it or quotes it, also what comes later; showing it brings back exactly that", () =>
  inFolder(async (folder) => {
    const records = await openRecords(join(folder, "memory.db"), () => now);
    const of = { session: "session-1" };
    const place = (turn: number, session?: string) => [
      { turn, piece: 0, ...(session !== undefined && { session }) },
    ];
    const said = (promptNumber: number, text: string, session = "session-1") =>
      sampleTurn({ session, promptNumber, pieces: [{ kind: "prompt", text }] });
    await records.put({
      key: "a",
      records: {
        sessions: [
          sampleSession({ title: "Feed the walrus", subtitle: "Paint the shed" }),
          sampleSession({ id: "other" }),
        ],
        prompts: [samplePrompt({ text: "Feed the walrus" })],
        turns: [said(1, "Feed the walrus"), said(2, "Paint the shed"), said(1, "Rest", "other")],
        observations: [
          sampleObservation({ ...of, title: "Of it", facts: ["Walrus one."] }),
          sampleObservation({ ...of, promptNumber: 2, title: "Quotes it", evidence: place(1) }),
          sampleObservation({ ...of, promptNumber: 2, title: "Paint", facts: ["Walrus three."] }),
          sampleObservation({ ...of, title: "Hidden before", facts: ["Walrus four."] }),
          sampleObservation({ session: "other", title: "Elsewhere", facts: ["Walrus five."] }),
        ],
        summaries: [
          sampleSummary({ ...of, request: "Walrus" }),
          sampleSummary({ ...of, promptNumber: 2, request: "Shed" }),
          sampleSummary({ ...of, promptNumber: 2, scope: "session", request: "All" }),
        ],
        memory: [
          sampleMemory({ ...of, content: "Walrus first", evidence: place(1) }),
          sampleMemory({ session: "other", content: "Afar", evidence: place(1, "session-1") }),
          sampleMemory({ session: "other", content: "Its own", evidence: place(1) }),
          sampleMemory({ ...of, content: "Stored by hand" }),
        ],
      },
    });
    const everyId = async (part: object) =>
      [
        ...(await idsOf(records.observations({ superseded: true, ...part }))),
        ...(await idsOf(records.summaries(part))),
        ...(await idsOf(records.memory(part))),
        ...(await idsOf(records.turns(part))),
        ...(await idsOf(records.prompts(part))),
      ].sort();
    const told = { hidden: false };
    await records.amend({ id: "o4", hidden: true });
    const before = await everyId(told);
    await records.amend({ id: "t1", hidden: true });
    const gone = ["o1", "o2", "o4", "s1", "s3", "m1", "m2", "t1", "p1"];
    const all = await everyId({});
    const rest = all.filter((id) => !gone.includes(id));
    expect(await everyId(told)).toEqual(rest);
    expect((await records.get({ ids: all, ...told })).map(({ record }) => record.id)).toEqual(rest);
    const found = await records.search({ text: "", limit: 50, ...told });
    expect(
      found
        .map(({ id }) => id)
        .filter((id) => !/^session|^other/.test(id))
        .sort(),
    ).toEqual(rest);
    for (const { id, marks = [] } of await records.search({ text: "", limit: 50 }))
      expect([id, marks.includes("hidden")]).toEqual([id, gone.includes(id)]);
    // A title that says what only the hidden turn said.
    expect(await records.sessions(told)).toMatchObject([
      { id: "other" },
      { id: "session-1", title: "", subtitle: "Paint the shed" },
    ]);
    expect(await records.get({ ids: ["session-1"], ...told })).toMatchObject([
      { record: { title: "" } },
    ]);
    expect(await idsOf(records.search({ text: "walrus", kinds: ["session"], ...told }))).toEqual(
      [],
    );
    await records.put({
      key: "b",
      records: { observations: [sampleObservation({ ...of, title: "Later", facts: ["Six."] })] },
    });
    expect(await everyId(told)).toEqual(rest);
    await records.amend({ id: "t1", hidden: false });
    expect(await everyId(told)).toEqual([...before, "o6"].sort());
    expect((await records.sessions(told))[1]).toMatchObject({ title: "Feed the walrus" });
    records.close();
  }));

test("a prompt that is hidden before there is a turn hides the turn, and what a hidden session is quoted by", () =>
  inFolder(async (folder) => {
    const records = await openRecords(join(folder, "memory.db"), () => now);
    const quoting = sampleMemory({
      ...{ session: "other", content: "Quotes" },
      evidence: [{ session: "session-1", turn: 7, piece: 0 }],
    });
    await records.put({ key: "a", records: { prompts: [samplePrompt()], memory: [quoting] } });
    await records.amend({ id: "p1", hidden: true });
    await records.put({ key: "b", records: { turns: [sampleTurn()] } });
    expect(await records.turns({ hidden: false })).toEqual([]);
    await records.amend({ id: "t1", hidden: false });
    expect(await idsOf(records.turns({ hidden: false }))).toEqual(["t1"]);
    expect(await idsOf(records.memory({ hidden: false }))).toEqual(["m1"]);
    await records.amend({ id: "session-1", hidden: true });
    expect(await records.memory({ hidden: false })).toEqual([]);
    records.close();
  }));

test("pages of what is told are whole", () =>
  filled(async (records) => {
    const turns = Array.from({ length: 20 }, (_, i) => sampleTurn({ promptNumber: i + 2 }));
    const { turns: ids } = await records.put({ key: "b", records: { turns } });
    for (const id of ids.slice(0, 10)) await records.amend({ id, hidden: true });
    expect(await records.turns({ limit: 8, hidden: false })).toHaveLength(8);
    const found = await records.search({ text: "", kinds: ["turn"], limit: 8, hidden: false });
    expect(found).toHaveLength(8);
    const known = new Set(ids.slice(0, 10));
    expect(found.filter(({ id }) => known.has(id))).toEqual([]);
  }));

test("marks that come with a record are kept, and put twice change nothing", () =>
  filled(async (from) => {
    await from.amend({ id: "o1", set: { title: "Otter reloads" }, pinned: true });
    await from.amend({ id: "m1", set: { content: "Use the otter" }, hidden: true });
    await from.amend({ id: "t1", hidden: true });
    const observations = await from.observations({});
    const [memory, turns] = [await from.memory({}), await from.turns({})];
    await filled(async (to) => {
      for (const key of ["b", "c"]) await to.put({ key, records: { observations, memory, turns } });
      expect(await to.observations({})).toEqual(observations);
      expect(await to.memory({})).toEqual(memory);
      expect(await to.turns({})).toEqual(turns);
      expect((await to.amend({ id: "o1", undo: true })).record).toMatchObject({
        title: "Walrus reloads",
      });
    });
  }));

test("what is deleted leaves no mark and no word of the user's", () =>
  filled(async (records, folder) => {
    for (const id of ["o1", "m1"]) {
      const name = id === "o1" ? "narrative" : "content";
      await records.amend({ id, set: { [name]: "The quokkafish alone." }, pinned: true });
    }
    await records.amend({ id: "session-1", set: { title: "Quokkafish" } });
    await records.delete({ ids: ["session-1"] });
    await records.put({ key: "b", records: everything });
    for (const record of [...(await records.observations({})), ...(await records.memory({}))]) {
      expect(record).not.toHaveProperty("edited");
      expect(record).not.toHaveProperty("pinned");
    }
    records.close();
    for (const name of ["memory.db", "memory.db-wal"]) {
      const bytes = await readFile(join(folder, name), "latin1").catch(() => "");
      expect(bytes.toLowerCase()).not.toContain("quokkafish");
    }
  }));

test.each([
  [{ id: "o9", pinned: true }, "record_not_found", "There is no record o9."],
  [{ id: "t1", set: { text: "Other" } }, "usage", "A turn is evidence, kept as it was said."],
  [{ id: "p1", set: { text: "Other" } }, "usage", "A prompt is evidence, kept as it was said."],
  [{ id: "o1", set: { content: "x" } }, "usage", "There is no `content` to edit"],
  [{ id: "o1", set: { title: "  " } }, "usage", "`title` is empty."],
  [{ id: "o1", set: { facts: "one" } }, "usage", "`facts` must be a list."],
  [{ id: "m1", set: { content: "Twice" } }, "usage", "m2 says that already."],
  [{ id: "session-1", pinned: true }, "usage", "A session as a whole cannot be pinned."],
])("what cannot be is refused and changes nothing: %p", (request, code, message) =>
  filled(async (records) => {
    const twice = sampleMemory({ kind: "decisions", content: "Twice", context: "" });
    await records.put({ key: "b", records: { memory: [twice] } });
    const all = { ids: ["o1", "s1", "m1", "m2", "t1", "p1", "session-1"] };
    const before = await records.get(all);
    await expect(records.amend(request)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
    expect(await records.get(all)).toEqual(before);
  }),
);

test("a merged record is hidden and names the one that says it, until it is hidden no more; a later put changes nothing of it", () =>
  filled(async (records) => {
    const second = sampleMemory({ kind: "preferences", content: "The walrus is to be used" });
    await records.put({ key: "b", records: { memory: [second] } });
    const { record } = await records.amend({ id: "m2", merged: "m1" });
    expect(record).toMatchObject({ id: "m2", hidden: true, merged: "m1" });
    await records.put({ key: "c", records: { memory: [second] } });
    expect(await idsOf(records.memory({ hidden: false }))).toEqual(["m1"]);
    expect(await idsOf(records.memory({ marked: "merged" }))).toEqual(["m2"]);
    const [found] = await records.search({ text: "walrus used", kinds: ["memory"], by: "record" });
    expect(found).toMatchObject({ id: "m2", marks: ["hidden", "merged"] });
    await records.amend({ id: "m2", pinned: false });
    expect((await records.get({ ids: ["m2"] }))[0]?.record.merged).toBe("m1");
    const parted = await records.amend({ id: "m2", hidden: false });
    expect(parted.record).not.toHaveProperty("merged");
    expect(parted.record).not.toHaveProperty("hidden");
    await records.amend({ id: "m2", hidden: true });
    expect((await records.get({ ids: ["m2"] }))[0]?.record).not.toHaveProperty("merged");
  }));

test.each([
  ["o1", "o1", "it is the same"],
  ["o1", "m1", "it is of another kind"],
  ["t1", "o1", "a turn stays by itself"],
  ["s1", "o1", "a summary stays by itself"],
  ["session-1", "o1", "a session stays by itself"],
  ["m1", "m2", "it is of another project"],
  ["m1", "m3", "that one is hidden"],
  ["m1", "m99", "no record m99"],
])("%s is not merged into %s: %s", (id, merged, why) =>
  filled(async (records) => {
    const elsewhere = sampleMemory({ content: "Otters", project: "other" });
    const hidden = sampleMemory({ content: "Badgers" });
    await records.put({ key: "b", records: { memory: [elsewhere, hidden] } });
    await records.amend({ id: "m3", hidden: true });
    await expect(records.amend({ id, merged })).rejects.toThrow(why);
    expect((await records.get({ ids: [id] }))[0]?.record).not.toHaveProperty("hidden");
  }),
);

test("a candidate stands once the user says so, also after it is put again; an undo gives back what it was", () =>
  filled(async (records) => {
    const candidate = sampleMemory({ content: "Said once", state: "candidate" });
    await records.put({ key: "b", records: { memory: [candidate] } });
    const { record } = await records.amend({ id: "m2", set: { state: "standing" } });
    expect(record).toMatchObject({ state: "standing", edited: { was: { state: "candidate" } } });
    await records.put({ key: "c", records: { memory: [candidate] } });
    expect(await records.memory({ marked: "edited" })).toMatchObject([{ state: "standing" }]);
    await records.amend({ id: "m2", set: { content: "Said twice" } });
    const undone = await records.amend({ id: "m2", undo: true });
    expect(undone.record).toMatchObject({ content: "Said once", state: "candidate" });
    await expect(records.amend({ id: "m2", set: { state: "candidate" } })).rejects.toThrow(
      "is `standing`",
    );
    await expect(records.amend({ id: "o1", set: { state: "standing" } })).rejects.toThrow(
      "This is an observation: only suggestions can be confirmed.",
    );
  }));

test("an item that nobody judged is so again after an undo", () =>
  filled(async (records) => {
    const { state: _, ...unjudged } = sampleMemory({ content: "Concluded" });
    await records.put({ key: "b", records: { memory: [unjudged] } });
    await records.amend({ id: "m2", set: { content: "Mine" } });
    const { record } = await records.amend({ id: "m2", undo: true });
    expect(record).toMatchObject({ content: "Concluded" });
    expect(record).not.toHaveProperty("state");
  }));
