// Who made a record: read from the log, wherever it came from and in whatever order.
import { afterAll, describe, expect, test } from "bun:test";
import { openRecords, type RecordStore } from "../../src/records/record-store.ts";
import type { Author } from "../../src/sdk/change.ts";
import type { StoredRecord } from "../../src/sdk/storage.ts";
import { whoSaid } from "../../src/server/memory/records.ts";
import { sampleMemory, sampleObservation, sampleTurn } from "../support/sample-records.ts";

const start = Date.parse("2026-11-01T12:00:00Z");
const open: RecordStore[] = [];
afterAll(() => {
  for (const one of open) one.close();
});

/** A memory in which its owner did and decided something. */
async function memoryOf(author: Author, at: number) {
  const store = await openRecords(":memory:", () => start + at);
  open.push(store);
  const about = { session: `s${at}`, time: start + at, startedAt: start + at };
  await store.apply({ author });
  await store.put({
    key: `k${at}`,
    records: {
      turns: [sampleTurn(about)],
      observations: [sampleObservation({ ...about, title: `Fixed by ${author.machine}` })],
      memory: [
        sampleMemory({
          ...{ session: about.session, content: `Rule of ${author.machine}` },
          ...{ quote: `Rule of ${author.machine}`, state: "standing" },
        }),
      ],
    },
  });
  return store;
}

async function meeting() {
  const [desk, laptop, bo] = [
    await memoryOf({ person: "Ada", machine: "desk" }, 1),
    await memoryOf({ person: "Ada", machine: "laptop" }, 2),
    await memoryOf({ person: "Bo", machine: "box" }, 3),
  ];
  for (const from of [bo, laptop]) await desk.apply(await from.changes({ replica: "own" }));
  return { desk, laptop, bo };
}

describe("who made a record", () => {
  test("is said of what came from another member, and of nothing else", async () => {
    const { desk, bo } = await meeting();
    const makers = Object.fromEntries(
      [...(await desk.observations({})), ...(await desk.turns({})), ...(await desk.memory({}))].map(
        (one) => [`${one.id[0]} ${one.session}`, one.from ?? "here"],
      ),
    );
    const laptop = { person: "Ada", machine: "laptop", own: true };
    const box = { person: "Bo", machine: "box" };
    const each = (kind: string) => ({
      ...{ [`${kind} s1`]: "here", [`${kind} s2`]: laptop, [`${kind} s3`]: box },
    });
    expect(makers as object).toEqual({ ...each("o"), ...each("t"), ...each("m") });
    expect((await bo.observations({})).map(({ from }) => from)).toEqual([undefined]);
    const said = (await desk.changes({})).changes.map(({ body }) => Object.keys(body));
    expect(said.flat()).not.toContain("from");
  });

  const asked: Record<string, string[]> = {
    Bo: ["s3"],
    bo: ["s3"],
    laptop: ["s2"],
    me: ["s1", "s2"],
    Ada: ["s1", "s2"],
    nobody: [],
  };
  for (const [person, sessions] of Object.entries(asked))
    test(`narrows lists and searches: ${person}`, async () => {
      const { desk } = await meeting();
      const of = (found: ReadonlyArray<{ session: string }>) =>
        [...new Set(found.map(({ session }) => session))].sort();
      for (const text of ["", "fixed"])
        expect(of(await desk.search({ text, person, by: "record" }))).toEqual(sessions);
      expect(of(await desk.turns({ person }))).toEqual(sessions);
      expect(of(await desk.memory({ person }))).toEqual(sessions);
    });

  test("is the one who edited it last, once it was edited", async () => {
    const { desk, bo } = await meeting();
    const item = async (store: RecordStore, session: string) =>
      (await store.memory({})).find((one) => one.session === session) ?? { id: "", content: "" };
    const said = async (store: RecordStore, session: string) =>
      whoSaid({ kind: "memory", record: await item(store, session) } as StoredRecord);
    expect(await said(desk, "s1")).toBe("said by the user");
    expect(await said(desk, "s2")).toBe("said by the user on laptop");
    expect(await said(desk, "s3")).toBe("said by Bo on box");
    await desk.amend({ id: (await item(desk, "s3")).id, set: { content: "Another rule" } });
    expect(await said(desk, "s3")).toBe("in the user's own words");
    await bo.apply({ changes: (await desk.changes({ replica: "own" })).changes });
    expect(await said(bo, "s3")).toBe("in Ada's own words on desk");
  });

  test("is who did it of a turn, and whom it was done for of what was concluded", async () => {
    const { desk } = await meeting();
    const [observation] = await desk.observations({ session: "s3" });
    const [turn] = await desk.turns({ session: "s3" });
    if (!observation || !turn) throw new Error("nothing came");
    expect(whoSaid({ kind: "observation", record: observation })).toMatch(
      /for Bo on box with claude-code$/,
    );
    expect(whoSaid({ kind: "turn", record: turn })).toBe("Bo on box with claude-code");
    expect(whoSaid({ kind: "turn", record: turn }, 0)).toBe("Bo on box with claude-code");
  });
});

test.each([
  ["preferences", "candidate", "small commits", "suggested, not confirmed by the user"],
  ["preferences", "standing", "Small commits", "said by the user"],
  ["preferences", "standing", "small commits", "chosen by the user"],
  ["workflows", "standing", "bun test 2>&1", "seen to pass here; nobody set it"],
  ["workflows", "standing", undefined, "said by the user"],
] as const)("%s, %s, from %j: %s", (kind, state, quote, by) => {
  const { quote: _, ...item } = sampleMemory({ kind, state, content: "Small commits" });
  const record = { ...item, id: "m1", ...(quote !== undefined && { quote }) };
  expect(whoSaid({ kind: "memory", record })).toBe(by);
});
