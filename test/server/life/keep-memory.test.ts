// Memory lets go of old sessions when nobody asks anything: a session at a look, and never while somebody is served.
import { expect, test } from "bun:test";
import { createKeepMemory } from "../../../src/server/life/when-quiet.ts";
import type { PlannedSession } from "../../../src/server/memory/retention.ts";
import { keptLog } from "../../support/kept-log.ts";

const minute = 60_000;
const hour = 60 * minute;

function room(sessions: number) {
  let time = 0;
  let served = 0;
  let plans = 0;
  let fails = false;
  const gone: string[] = [];
  const log = keptLog();
  const planned = Array.from({ length: sessions }, (_, at) => ({ id: `s${at}` }) as PlannedSession);
  const look = createKeepMemory({
    now: () => time,
    served: () => served,
    log,
    retention: {
      async plan() {
        plans++;
        if (fails) throw new Error("storage is away");
        return {
          isBound: true,
          sessions: planned.filter(({ id }) => !gone.includes(id)),
          bytes: 0,
          freed: 0,
        };
      },
      purge: async () => undefined,
      async deleteSession({ id }) {
        if (fails) throw new Error("storage is away");
        gone.push(id);
        return 3;
      },
    },
  });
  return {
    gone,
    log,
    plans: () => plans,
    async at(now: number, requests = 0) {
      time = now;
      served += requests;
      await look();
      return gone.length;
    },
    fail(now: boolean) {
      fails = now;
    },
  };
}

test("a server that has just come up lets nothing go, nor one that serves", async () => {
  const { at, plans } = room(3);
  expect(await at(minute)).toBe(0);
  expect(await at(9 * minute)).toBe(0);
  expect(await at(11 * minute, 1)).toBe(0);
  expect(await at(11.9 * minute)).toBe(0);
  expect(plans()).toBe(0);
  expect(await at(12 * minute)).toBe(1);
});

test("one session at a look, the oldest first, and again only after a day", async () => {
  const { at, gone, plans, log } = room(3);
  for (const [step, time] of [11, 11.1, 11.2, 11.3, 11.4].entries())
    expect(await at(time * minute)).toBe(Math.min(step + 1, 3));
  expect(gone).toEqual(["s0", "s1", "s2"]);
  expect(plans()).toBe(1);
  expect(log.lines.filter(({ level }) => level === "info")).toHaveLength(1);
  await at(23 * hour);
  expect(plans()).toBe(1);
  await at(25 * hour);
  expect(plans()).toBe(2);
  const told = () => log.lines.filter(({ level }) => level === "info").map(({ fields }) => fields);
  expect(told(), "a day on which nothing went is not told").toEqual([{ sessions: 3, records: 9 }]);
  gone.pop();
  for (const time of [50, 50.1]) await at(time * hour);
  expect(told()[1], "each day is told for itself").toEqual({ sessions: 1, records: 3 });
});

test("a request in between has it wait until it is quiet again", async () => {
  const { at } = room(3);
  expect(await at(11 * minute)).toBe(1);
  expect(await at(11.1 * minute, 1)).toBe(1);
  expect(await at(11.9 * minute)).toBe(1);
  expect(await at(12.2 * minute)).toBe(2);
});

test("what fails is said, and tried again in an hour", async () => {
  const { at, fail, log } = room(1);
  fail(true);
  expect(await at(11 * minute)).toBe(0);
  expect(log.lines.map(({ level }) => level)).toEqual(["warn"]);
  fail(false);
  expect(await at(30 * minute)).toBe(0);
  expect(await at(72 * minute)).toBe(1);
});

test("after a session that could not go the next plan is a new one", async () => {
  const { at, fail, gone, plans } = room(3);
  expect(await at(11 * minute)).toBe(1);
  fail(true);
  expect(await at(11.1 * minute)).toBe(1);
  fail(false);
  gone.push("s2");
  await at(72 * minute);
  await at(73 * minute);
  expect([plans(), gone]).toEqual([2, ["s0", "s2", "s1"]]);
});
