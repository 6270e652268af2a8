// Any order and any repetition of the same changes makes the same memory: random histories of several memories, to be run again by their seed.
// MEMOIR_HISTORIES says how many (1,000 for a release), MEMOIR_HISTORY_SEED where they begin.
import { afterAll, expect, spyOn, test } from "bun:test";
import process from "node:process";
import { openRecords, type RecordStore } from "../../src/records/record-store.ts";
import type { Change, ChangesPage, Position } from "../../src/sdk/change.ts";
import {
  sampleMemory,
  sampleObservation,
  sampleSummary,
  sampleTurn,
} from "../support/sample-records.ts";
import { drawOf } from "../torture/seeds.ts";

const histories = Number(process.env.MEMOIR_HISTORIES ?? 8);
const firstSeed = Number(process.env.MEMOIR_HISTORY_SEED ?? 1);
const steps = 40;
const year = 365 * 86_400_000;
const start = Date.parse("2026-11-01T12:00:00Z");

// Which replica is which decides between changes of one moment: a seed says that, too.
let draw = drawOf(firstSeed);
const bytes = spyOn(crypto, "getRandomValues").mockImplementation(((array: Uint8Array) => {
  for (const at of array.keys()) array[at] = draw.below(256);
  return array;
}) as typeof crypto.getRandomValues);
afterAll(() => bytes.mockRestore());

interface Home {
  store: RecordStore;
  /** Epoch ms that its clock is off. */
  skew: number;
  seen: Position;
  /** What came, to come once more. */
  pages: Change[];
}

test(
  `${histories} histories of three to seven memories converge`,
  async () => {
    const failed: string[] = [];
    for (let seed = firstSeed; seed < firstSeed + histories; seed++) {
      const wrong = await differences(seed);
      if (wrong !== undefined) failed.push(`seed ${seed}: ${wrong}`);
    }
    expect(failed).toEqual([]);
  },
  histories * 2_000,
);

/** What differs between the memories of a history once each has all; undefined for nothing. */
async function differences(seed: number): Promise<string | undefined> {
  draw = drawOf(seed);
  const random = () => draw.number();
  const below = (n: number) => Math.floor(random() * n);
  const oneOf = <T>(list: readonly T[]): T | undefined => list[below(list.length)];
  let now = start;
  const homes: Home[] = [];
  for (let n = 3 + below(5); n > 0; n--) {
    const skew = random() < 0.15 ? year : below(5_000);
    const store = await openRecords(":memory:", () => now + skew);
    homes.push({ store, skew, seen: {}, pages: [] });
  }
  const hub: ChangesPage[] = [];
  let key = 0;

  async function work({ store, skew }: Home): Promise<void> {
    const session = `session-${below(3)}`;
    const promptNumber = 1 + below(3);
    const time = now + skew;
    const about = { session, promptNumber, time, project: `p${below(2)}` };
    const records = {
      ...(random() < 0.6 && {
        turns: [
          sampleTurn({
            ...about,
            startedAt: time,
            end: oneOf(["open", "closed"] as const) ?? "open",
          }),
        ],
      }),
      ...(random() < 0.6 && {
        observations: [
          sampleObservation({
            ...about,
            title: `Thing ${below(3)}`,
            facts: [`Fact ${below(3)}`],
            narrative: `Said ${below(99)}`,
            filesRead: random() < 0.7 ? [`f${below(2)}.ts`] : [],
            toolUseIds: [`use-${below(9)}`],
          }),
        ],
      }),
      ...(random() < 0.3 && {
        summaries: [sampleSummary({ ...about, request: `Asked ${below(9)}` })],
      }),
      ...(random() < 0.3 && {
        memory: [
          sampleMemory({
            session,
            project: about.project,
            content: `Rule ${below(4)}`,
            context: `Why ${below(9)}`,
          }),
        ],
      }),
      ...(random() < 0.4 && {
        sessions: [
          {
            id: session,
            client: "claude-code",
            project: { id: about.project, name: about.project, root: `/home/${skew}` },
            title: `Title ${below(9)}`,
            status: oneOf(["active", "ended"] as const) ?? ("active" as const),
            startedAt: time,
            lastActiveAt: time,
            prompts: promptNumber,
          },
        ],
      }),
    };
    await store.put({ key: `k${key++}`, records });
  }

  async function correct({ store }: Home): Promise<void> {
    const observations = await store.observations({ superseded: true, limit: 100 });
    const items = await store.memory({ limit: 100 });
    const turns = await store.turns({ limit: 100 });
    const one = oneOf([...observations, ...items, ...turns]);
    if (!one) return;
    const { id } = one;
    const ways: Array<() => Promise<unknown>> = [
      () => store.amend({ id, pinned: random() < 0.7 }),
      () => store.amend({ id, hidden: random() < 0.7 }),
      () =>
        store.amend({
          id,
          set: id.startsWith("m")
            ? { content: `Rule ${below(4)}` }
            : { title: `Thing ${below(4)} of mine` },
        }),
      () =>
        store.amend({
          id,
          set: id.startsWith("m")
            ? { context: `Because ${below(9)}` }
            : { narrative: `Mine ${below(9)}` },
        }),
      () => store.amend({ id, undo: true }),
      () => store.amend({ id, merged: oneOf(observations)?.id ?? "o1" }),
      () => store.projects({ change: { ids: ["p0"], into: "p1" } }),
      () => store.projects({ change: { ids: ["p0"], name: `Name ${below(9)}` } }),
    ];
    // What a person may not say is refused.
    await oneOf(ways)?.().catch(() => undefined);
  }

  async function forget({ store }: Home): Promise<void> {
    const found = await store.turns({ limit: 50 });
    const others = await store.observations({ superseded: true, limit: 50 });
    const id = random() < 0.2 ? `session-${below(3)}` : oneOf([...found, ...others])?.id;
    if (id) await store.delete({ ids: [id] });
  }

  async function push({ store, seen }: Home): Promise<void> {
    const page = await store.changes({ after: seen, replica: "own", limit: 1 + below(20) });
    hub.push(page);
    Object.assign(seen, page.upTo);
  }

  /** Pages as they lie at the hub: late, twice, in any order, some of them only in part, or cut off in their midst. */
  async function pull(home: Home): Promise<void> {
    for (let n = 1 + below(4); n > 0; n--) {
      const page = oneOf(hub);
      if (!page) return;
      const changes = random() < 0.3 ? [] : page.changes.filter(() => random() < 0.9);
      if (random() < 0.2) home.pages.reverse();
      if (random() < 0.1) await crash(home, page);
      await home.store.apply({
        changes: [...changes, ...(random() < 0.3 ? home.pages.slice(0, 5) : [])],
      });
      home.pages.push(...changes);
    }
  }

  /** A transaction that is cut: nothing of it is there. */
  async function crash({ store }: Home, { changes }: ChangesPage): Promise<void> {
    const before = await exported(store);
    const torn = {
      ...changes[0],
      get body(): Change["body"] {
        throw new Error("cut off");
      },
    } as Change;
    await store.apply({ changes: [...changes, torn] }).catch(() => undefined);
    if ((await exported(store)) !== before) throw new Error("a torn apply left something behind");
  }

  for (let step = 0; step < steps; step++) {
    now += 1 + below(3_000);
    const home = oneOf(homes);
    if (!home) continue;
    const which = random();
    if (which < 0.4) await work(home);
    else if (which < 0.6) await correct(home);
    else if (which < 0.66) await forget(home);
    else if (which < 0.8) await push(home);
    else await pull(home);
  }
  // The partition ends: everybody gets everything, each in an order of its own.
  const everything: ChangesPage[] = [];
  for (const { store } of homes)
    everything.push(await store.changes({ replica: "own", limit: 9_999 }));
  for (const { store } of homes) {
    const all = everything.flatMap(({ changes }) => changes);
    const shuffled = all
      .map((one) => ({ one, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ one }) => one);
    for (let at = 0; at < shuffled.length; at += 7)
      await store.apply({ changes: shuffled.slice(at, at + 7) });
    await store.apply({
      changes: all,
      upTo: Object.assign({}, ...everything.map(({ upTo }) => upTo)),
    });
  }
  const texts = await Promise.all(homes.map(({ store }) => exported(store)));
  for (const { store } of homes) store.close();
  const [first = ""] = texts;
  const other = texts.find((text) => text !== first);
  if (other === undefined) return undefined;
  const [mine, theirs] = [new Set(first.split("\n")), new Set(other.split("\n"))];
  const only = (one: Set<string>, two: Set<string>) =>
    [...one].filter((line) => !two.has(line)).slice(0, 2);
  return `${only(mine, theirs).join("\n")}\n≠\n${only(theirs, mine).join("\n")}`;
}

/** All that a memory says, without what is its own: numbers, folders. */
async function exported(store: RecordStore): Promise<string> {
  const all = { limit: 9_999, superseded: true };
  const lists = await Promise.all([
    store.sessions(all),
    store.turns(all),
    store.prompts(all),
    store.observations(all),
    store.summaries(all),
    store.memory(all),
  ]);
  const names = new Map<string, string>();
  const key = (record: object) => JSON.stringify({ ...record, id: 0, supersededBy: 0, merged: 0 });
  for (const record of lists.flat()) names.set(record.id, key(record));
  const lines = lists.flat().map((record) => {
    const { supersededBy, merged } = record as { supersededBy?: string; merged?: string };
    const project =
      typeof record.project === "object" ? { ...record.project, root: "" } : record.project;
    const isSession = typeof record.project === "object";
    return JSON.stringify({
      ...record,
      id: isSession ? record.id : 0,
      project,
      supersededBy: supersededBy && names.get(supersededBy),
      merged: merged && names.get(merged),
    });
  });
  const projects = (await store.projects({})).map(({ id, name, ids = [] }) =>
    JSON.stringify([id, name, ids]),
  );
  return [...lines, ...projects].sort().join("\n");
}

test("whoever has seen a word from a clock a year ahead can write over it, everywhere", async () => {
  const ahead = await openRecords(":memory:", () => start + year);
  const right = await openRecords(":memory:", () => start);
  await ahead.put({ key: "a", records: { observations: [sampleObservation({})] } });
  await ahead.amend({ id: "o1", set: { title: "From next year" } });
  await right.apply({ changes: (await ahead.changes({})).changes });
  await right.amend({ id: "o1", set: { title: "From now" } });
  await ahead.apply({ changes: (await right.changes({ replica: "own" })).changes });
  for (const home of [ahead, right]) {
    expect(await home.observations({})).toMatchObject([{ title: "From now" }]);
    home.close();
  }
});
