// When something is due, from its words, its last run and the clock: plain tables, clocks that change among them.
import { describe, expect, test } from "bun:test";
import { dueAt, whenFault } from "../../../src/runtime/schedules/when.ts";
import type { When } from "../../../src/sdk/plugin.ts";

const minute = 60_000;
const hour = 60 * minute;
/** Local time: 2026-11-02 is a Monday. */
const at = (day: number, hours: number, minutes = 0) =>
  new Date(2026, 10, day, hours, minutes).getTime();

const never = Number.POSITIVE_INFINITY;
const due: ReadonlyArray<
  readonly [what: string, when: When, last: number, now: number, due: number]
> = [
  ["every, not yet", { every: "10 min" }, at(2, 12), at(2, 12, 5), at(2, 12, 10)],
  ["every, over", { every: "10 min" }, at(2, 12), at(2, 12, 11), at(2, 12, 10)],
  ["every, a week of sleep", { every: "1 day" }, at(2, 12), at(9, 13), at(3, 12)],
  ["every, a clock that was set back", { every: "2 hours" }, at(5, 0), at(2, 12), at(2, 14)],
  ["at, today to come", { at: "18:30" }, at(2, 12), at(2, 13), at(2, 18, 30)],
  ["at, today over and not run", { at: "18:30" }, at(2, 12), at(2, 19), at(2, 18, 30)],
  ["at, today run", { at: "18:30" }, at(2, 18, 30), at(2, 19), at(3, 18, 30)],
  [
    "at, three days of sleep: the last of them",
    { at: "18:30" },
    at(2, 12),
    at(5, 9),
    at(4, 18, 30),
  ],
  ["at, new: none of those before", { at: "18:30" }, at(2, 20), at(2, 20), at(3, 18, 30)],
  ["at, on some days", { at: "fri,wed 09:00" }, at(2, 12), at(2, 12), at(4, 9)],
  ["at, on the day itself, over", { at: "mon 9:00" }, at(2, 10), at(2, 10), at(9, 9)],
];

test.each([...due])("%s", (_what, when, last, now, wanted) => {
  expect(new Date(dueAt(when, { last, quietSince: now }, now))).toEqual(new Date(wanted));
});

describe("idle", () => {
  const when = { idle: "5 min" };
  const cases = [
    ["before it was quiet long enough", at(2, 1), at(2, 12), at(2, 12, 5)],
    ["once it is", at(2, 1), at(2, 11, 50), at(2, 11, 55)],
    ["not twice in one quiet while", at(2, 11, 56), at(2, 11, 50), never],
    ["again in the next", at(2, 11, 56), at(2, 11, 58), at(2, 12, 3)],
  ] as const;
  test.each([...cases])("%s", (_what, last, quietSince, wanted) => {
    expect(dueAt(when, { last, quietSince }, at(2, 12))).toBe(wanted);
  });
});

test("where clocks change, a time that is skipped comes once, and one that comes twice too", async () => {
  // A process of its own has the zone from its start.
  const script = `
    const { dueAt } = await import(${JSON.stringify(new URL("../../../src/runtime/schedules/when.ts", import.meta.url).href)});
    const runs = (from, hours) => {
      const ran = [];
      let last = from;
      for (let now = from; now < from + hours * 3600e3; now += 60e3)
        if (dueAt({ at: "02:30" }, { last, quietSince: now }, now) <= now) { ran.push(new Date(now).toISOString()); last = now; }
      return ran;
    };
    console.log(JSON.stringify([runs(Date.UTC(2026, 2, 28, 12), 48), runs(Date.UTC(2026, 9, 24, 12), 48)]));`;
  const run = Bun.spawn([process.execPath, "-e", script], { env: { TZ: "Europe/Berlin" } });
  expect(JSON.parse(await new Response(run.stdout).text())).toEqual([
    // On 29 March 02:30 is skipped: the clock shows 03:30 then. On 25 October it comes at 00:30 and 01:30 UTC.
    ["2026-03-29T01:30:00.000Z", "2026-03-30T00:30:00.000Z"],
    ["2026-10-25T00:30:00.000Z", "2026-10-26T01:30:00.000Z"],
  ]);
});

const faults: ReadonlyArray<readonly [when: object, said: string | undefined]> = [
  [{ every: "10 min" }, undefined],
  [{ at: "mon,tue 08:05" }, undefined],
  [{ idle: "1 hour" }, undefined],
  [{}, "must be one of at, every, idle"],
  [{ at: "08:00", every: "1 day" }, "must be one of at, every, idle, not at and every"],
  [{ every: 10 }, ".every: must be a string"],
  [{ every: "10" }, '.every: "10" is no length of time'],
  [{ every: "30 s" }, '.every: "30 s" is no length of time'],
  [{ every: "0 min" }, ".every: must be at least a minute"],
  [{ every: "500 days" }, ".every: must be at most a year"],
  [{ every: "*/5 * * * *" }, '.every: "*/5 * * * *" is no length of time; write `10 min`'],
  [{ at: "25:00" }, '.at: "25:00" is no time of day; write `18:30`'],
  [{ at: "8pm" }, '.at: "8pm" is no time of day'],
  [{ at: "monday 08:00" }, '.at: "monday 08:00" is no time of day'],
  [{ idle: "soon" }, '.idle: "soon" is no length of time'],
];

test.each([...faults])("%j", (when, said) => {
  if (said === undefined) expect(whenFault(when)).toBeUndefined();
  else expect(whenFault(when)).toStartWith(said);
});

test("the last minute of an hour long wait is exact", () => {
  expect(dueAt({ every: "1 hour" }, { last: 5, quietSince: 0 }, 6)).toBe(hour + 5);
});
