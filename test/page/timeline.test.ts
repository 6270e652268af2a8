// The timeline's time and places: what an address says comes back, zooming holds what is pointed at, and bars do not cover each other.
import { expect, test } from "bun:test";
import { isCounted, lanesOf } from "../../src/page/views/timeline/lanes.ts";
import {
  askedSpan,
  lastDays,
  midnight,
  moved,
  paramsOf,
  placeIn,
  spanOf,
  ticksOf,
  zoomed,
} from "../../src/page/views/timeline/span.ts";

const now = new Date(2026, 10, 22, 15, 30).getTime();
const local = (...parts: [number, number, number, number?]) => new Date(...parts).getTime();
const of = (query: string) => spanOf(new URLSearchParams(query), now);
const hour = 3_600_000;

test("without a word of the address it is the week up to today", () => {
  const week = { from: local(2026, 10, 16), to: local(2026, 10, 23) };
  for (const query of ["", "from=2026-11-01", "from=x&to=y", "from=2026-11-02&to=2026-11-01"])
    expect(of(query)).toEqual(week);
});

test.each(["from=2026-11-01&to=2026-11-08", "from=2026-11-01T08%3A30&to=2026-11-01T11%3A45"])(
  "%s comes back as it was",
  (query) => expect(paramsOf(of(query)).toString()).toBe(query),
);

test("zooming holds the moment that is pointed at, and ends at an hour and at thirty years", () => {
  const span = lastDays(7, now);
  const share = 0.3;
  const at = span.from + (span.to - span.from) * share;
  for (const factor of [0.5, 0.9, 1.7]) {
    const next = zoomed(span, factor, share);
    expect(placeIn(next, at)).toBeCloseTo(30, 6);
  }
  const near = zoomed(span, 1e-9);
  expect(near.to - near.from).toBe(hour);
  const far = zoomed(span, 1e9);
  expect(far.from).toBeGreaterThanOrEqual(0);
  expect((far.to - far.from) / hour / 24 / 366).toBeCloseTo(30, 6);
});

test("moving keeps the length; what is asked for holds all of it, and is the same for a while", () => {
  const span = lastDays(7, now);
  const next = moved(span, 0.25);
  expect(next.to - next.from).toBe(span.to - span.from);
  const asked = askedSpan(span);
  expect(asked.from).toBeLessThan(span.from);
  expect(asked.to).toBeGreaterThan(span.to);
  const step = (span.to - span.from) / 4;
  const inside = { from: Math.ceil(span.from / step) * step + 1, to: 0 };
  inside.to = inside.from + 4 * step;
  const bit = { from: inside.from + 60_000, to: inside.to + 60_000 };
  expect(askedSpan(bit)).toEqual(askedSpan(inside));
});

test.each<[string, number, number, string]>([
  ["a day", 1, 9, "hour"],
  ["a week", 7, 9, "day"],
  ["a month", 31, 9, "day"],
  ["a year", 366, 9, "month"],
  ["thirty years", 30 * 366, 9, "year"],
])("the ruler of %s has some lines, at whole units", (_, days, most, unit) => {
  const to = local(2026, 10, 23);
  const ticks = ticksOf({ from: midnight(to, -days), to }, most);
  expect(ticks.length).toBeGreaterThan(2);
  expect(ticks.length).toBeLessThanOrEqual(most + 1);
  for (const tick of ticks) {
    expect<string>(tick.unit).toBe(unit);
    const date = new Date(tick.at);
    expect(date.getMinutes()).toBe(0);
    if (unit !== "hour") expect(date.getHours()).toBe(0);
    if (unit === "month" || unit === "year") expect(date.getDate()).toBe(1);
  }
});

const session = (id: string, project: string, from: number, hours: number) => ({
  ...{ id, project, projectName: project.toUpperCase(), title: id, isOpen: false, prompts: 1 },
  ...{ startedAt: from, lastActiveAt: from + hours * hour, observations: 1 },
});
const at = local(2026, 10, 20, 9);
const overview = {
  sessions: [
    session("c", "shop", at + 3 * hour, 1),
    session("b", "shop", at + hour, 2),
    session("a", "shop", at, 2),
    session("d", "blog", at, 1),
    session("before", "shop", at - 90 * 24 * hour, 1),
  ],
  observations: [
    { id: "o2", session: "a", type: "bugfix", title: "later", time: at + hour },
    { id: "o1", session: "a", type: "feature", title: "sooner", time: at },
  ],
  days: [],
  leftOut: "nothing" as const,
};

test("a project is a lane, by name; sessions at the same time stand below each other", () => {
  const lanes = lanesOf(overview, lastDays(7, now), 0, "day");
  expect(lanes.map(({ name, rows }) => [name, rows])).toEqual([
    ["BLOG", 1],
    ["SHOP", 2],
  ]);
  const bars = lanes[1]?.bars.map(({ id, row }) => [id, row]);
  expect(bars).toEqual([
    ["a", 0],
    ["b", 1],
    ["c", 0],
  ]);
  expect(lanes[1]?.bars[0]?.dots.map(({ id }) => id)).toEqual(["o1", "o2"]);
});

test("a bar takes a while at least: what would stand on it goes below", () => {
  const lanes = lanesOf(overview, lastDays(7, now), 4 * hour, "day");
  expect(lanes[1]?.bars.map(({ row }) => row)).toEqual([0, 1, 2]);
});

test("of a long time every session is counted in its day or week", () => {
  const year = lastDays(366, now);
  expect(isCounted(overview, year)).toBe(true);
  expect(isCounted(overview, lastDays(31, now))).toBe(false);
  const lanes = lanesOf(overview, year, 0, "week");
  expect(lanes.flatMap(({ bars }) => bars)).toEqual([]);
  expect(lanes[1]?.blocks.toSorted((a, b) => a.key.localeCompare(b.key))).toEqual([
    { key: "2026-08-17", sessions: 1, observations: 1 },
    { key: "2026-11-16", sessions: 3, observations: 3 },
  ]);
});
