// Old sessions go by the user's rules with all that is of them, stay gone, and give their room back; what is the user's own stays.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { askStorage } from "../../../src/runtime/hooks/ask-storage.ts";
import type { MemoryRules } from "../../../src/server/memory/retention.ts";
import { createRetention, type Retention } from "../../../src/server/memory/retention.ts";
import {
  type ForgetRoom,
  feedAgain,
  openForgetRoom,
  start,
  tellSessions,
} from "../../runtime/forget/forget-room.ts";

const hour = 3_600_000;
/** Sessions begin an hour apart and last some minutes: the first three are older than a day. */
const now = start + 26.5 * hour;

let room: ForgetRoom;
beforeEach(async () => {
  room = await openForgetRoom(() => now);
});
afterEach(() => room.close());

const retention = (rules: Partial<MemoryRules>): Retention =>
  createRetention({
    runtime: room.runtime,
    rules: async () => ({ days: 0, bytes: 0, projects: {}, ...rules }),
    now: () => now,
  });
const listed = <Name extends "storage.sessions" | "storage.turns" | "storage.prompts">(
  name: Name,
) => askStorage(room.runtime.hooks, name, { limit: 1_000, order: "oldest" } as never);
const numbers = async (name: "storage.sessions" | "storage.turns" | "storage.prompts") =>
  (await listed(name)).map((one) => Number(("session" in one ? one.session : one.id).slice(0, 4)));
/** Lets all go that is planned; how many records that were. */
async function prune(by: Retention): Promise<number> {
  let gone = 0;
  for (const session of (await by.plan()).sessions) gone += await by.deleteSession(session);
  return gone;
}

test("for ever unless somebody says otherwise", async () => {
  await tellSessions(room, { sessions: 1, prompts: 1, projects: 1 });
  expect(await retention({}).plan()).toMatchObject({ isBound: false, sessions: [], freed: 0 });
  const unset = createRetention({
    ...{ runtime: room.runtime, now: () => now },
    rules: async () => undefined,
  });
  expect(await unset.plan()).toMatchObject({ isBound: false, sessions: [] });
});

test("what is older goes whole, and no backfill brings it back", async () => {
  await tellSessions(room, { sessions: 5, prompts: 2, projects: 2 });
  const by = retention({ days: 1 });
  const { sessions, bytes, freed } = await by.plan();
  expect(
    sessions.map(({ id, prompts, stays }) => [Number(id.slice(0, 4)), prompts, stays]),
  ).toEqual([
    [0, 2, 0],
    [1, 2, 0],
    [2, 2, 0],
  ]);
  expect(freed / bytes).toBeCloseTo(0.6, 1);
  // A plan changes nothing.
  expect(await numbers("storage.sessions")).toHaveLength(5);
  expect(await prune(by)).toBeGreaterThan(12);
  expect(await numbers("storage.sessions")).toEqual([3, 4]);
  expect(await numbers("storage.turns")).toEqual([3, 3, 4, 4]);
  expect(await numbers("storage.prompts")).toEqual([3, 3, 4, 4]);
  expect((await by.plan()).sessions).toEqual([]);
  await feedAgain(room);
  expect(await numbers("storage.turns")).toEqual([3, 3, 4, 4]);
  await room.reopen();
  expect(await numbers("storage.turns")).toEqual([3, 3, 4, 4]);
}, 180_000);

test("what is pinned or edited stays, the rest of its session goes, and is not planned again", async () => {
  await tellSessions(room, { sessions: 4, prompts: 3, projects: 1 });
  const turns = await listed("storage.turns");
  const pinned = turns.find(
    ({ session, promptNumber }) => session.startsWith("0001") && promptNumber === 2,
  );
  const amend = (asked: object) => askStorage(room.runtime.hooks, "storage.amend", asked as never);
  await amend({ id: pinned?.id, pinned: true });
  const [observation] = await askStorage(room.runtime.hooks, "storage.observations", {
    session: turns[0]?.session ?? "",
  });
  await amend({ id: observation?.id, set: { title: "Named by its user" } });
  const by = retention({ days: 1 });
  expect((await by.plan()).sessions.map(({ stays }) => stays > 0)).toEqual([true, true, false]);
  await prune(by);
  expect(await numbers("storage.sessions")).toEqual([0, 1, 3]);
  const left = await listed("storage.turns");
  expect(
    left.map(({ session, promptNumber }) => [Number(session.slice(0, 4)), promptNumber]),
  ).toEqual([
    [1, 2],
    [3, 1],
    [3, 2],
    [3, 3],
  ]);
  const [kept] = await askStorage(room.runtime.hooks, "storage.get", {
    ids: [observation?.id ?? ""],
  });
  expect(kept?.record).toMatchObject({ title: "Named by its user", edited: expect.anything() });
  expect((await by.plan()).sessions).toEqual([]);
  await feedAgain(room);
  expect(await numbers("storage.turns")).toEqual([1, 3, 3, 3]);
}, 180_000);

test("an item that a younger session said too stays", async () => {
  await tellSessions(room, { sessions: 4, prompts: 1, projects: 1 });
  const [first, , , fourth] = await listed("storage.sessions");
  await askStorage(room.runtime.hooks, "storage.put", {
    key: "items",
    records: {
      memory: ["said twice", "said once"].map((content, at) => ({
        ...{ kind: "preferences" as const, date: "2025-03-01", content, context: "" },
        ...{
          session: first?.id ?? "",
          project: first?.project.id ?? "",
          state: "standing" as const,
        },
        evidence: [
          { turn: 1, piece: 0 },
          ...(at === 0 ? [{ session: fourth?.id ?? "", turn: 1, piece: 0 }] : []),
        ],
      })),
    },
  });
  await prune(retention({ days: 1 }));
  const items = await askStorage(room.runtime.hooks, "storage.memory", {});
  const said = items.map(({ content }) => content);
  expect([said.includes("said twice"), said.includes("said once")]).toEqual([true, false]);
}, 180_000);

test("by size the oldest go, and the file gets smaller", async () => {
  await tellSessions(room, { sessions: 24, prompts: 2, projects: 1 });
  const size = async () => {
    await room.reopen();
    return (await stat(join(room.home, "memory.db"))).size;
  };
  const before = await size();
  // Nothing of the last day goes by size: what began within it stays.
  const by = retention({ bytes: Math.round(before / 2) });
  const { sessions } = await by.plan();
  expect(sessions.map(({ id }) => Number(id.slice(0, 4)))).toEqual([0, 1, 2]);
  await prune(retention({ days: 1 }));
  expect(await numbers("storage.sessions")).toEqual(Array.from({ length: 21 }, (_, at) => at + 3));
  expect(await size()).toBeLessThan(before);
}, 180_000);

test("while a session goes, whoever asks is answered", async () => {
  await tellSessions(room, { sessions: 1, prompts: 20, projects: 1 });
  const by = retention({ days: 1 });
  const { sessions } = await by.plan();
  const [oldest] = sessions;
  if (!oldest) throw new Error("nothing to let go");
  let isGone = false;
  const going = by.deleteSession(oldest).then(() => {
    isGone = true;
  });
  const seen = new Set<number>();
  while (!isGone) {
    const turns = await askStorage(room.runtime.hooks, "storage.turns", { limit: 1_000 });
    seen.add(turns.filter(({ session }) => session === oldest.id).length);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  await going;
  // Not all of it and not nothing: it was asked between two steps.
  expect([...seen].filter((turns) => turns > 0 && turns < 20)).not.toEqual([]);
}, 180_000);
