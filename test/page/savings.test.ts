// What the plots are made of: days without a gap, steps that add up to what `stats` says, and files that programs read.
import { expect, test } from "bun:test";
import {
  type Range,
  rangeOf,
  stepKey,
  stepOf,
  stepsOf,
} from "../../src/page/views/savings/days.ts";
import {
  csvOf,
  type Figures,
  isNothing,
  plotsOf,
  sum,
} from "../../src/page/views/savings/plots.ts";

const today = "2026-11-22";
const asked = (query: string, first?: string) => rangeOf(new URLSearchParams(query), today, first);

test.each<[string, Range]>([
  ["", { from: "2026-10-24", to: today }],
  ["range=7d", { from: "2026-11-16", to: today }],
  ["range=1y", { from: "2025-11-23", to: today }],
  ["range=soon", { from: "2026-10-24", to: today }],
  ["range=all", { from: "2026-03-29", to: today }],
  ["from=2026-01-01&to=2026-01-31", { from: "2026-01-01", to: "2026-01-31" }],
  ["from=2026-01-31&to=2026-01-01", { from: "2026-10-24", to: today }],
  ["from=2026-01-xx&to=2026-99-99", { from: "2026-10-24", to: today }],
])("the address %s chooses %p", (query, range) => {
  expect(asked(query, "2026-03-29")).toEqual(range);
});

test("no day is left out or comes twice where a clock is put forward or back", () => {
  const days = stepsOf({ from: "2026-03-27", to: "2026-03-31" }, "day");
  expect(days).toEqual(["2026-03-27", "2026-03-28", "2026-03-29", "2026-03-30", "2026-03-31"]);
  expect(stepsOf({ from: "2026-10-24", to: "2026-10-27" }, "day")).toHaveLength(4);
  expect(stepsOf({ from: "2024-02-28", to: "2024-03-01" }, "day")[1]).toBe("2024-02-29");
});

test("a long time is counted by weeks that begin on Monday, a longer one by months", () => {
  expect(stepOf({ from: "2026-08-15", to: today })).toBe("day");
  expect(stepOf({ from: "2025-11-23", to: today })).toBe("week");
  expect(stepOf({ from: "2020-01-01", to: today })).toBe("month");
  expect(stepKey("2026-11-22", "week")).toBe("2026-11-16");
  expect(stepKey("2026-11-16", "week")).toBe("2026-11-16");
  expect(stepsOf({ from: "2026-01-31", to: "2026-03-01" }, "month")).toEqual([
    "2026-01-01",
    "2026-02-01",
    "2026-03-01",
  ]);
});

const nothing = { sessions: 0, prompts: 0, observations: 0, discovery: 0, discoveryKnown: 0 };
const zero = { ...nothing, read: 0, observer: 0, injections: 0, injected: 0, carried: 0 };
const row = (key: string, part: object) => ({ key, ...zero, used: 0, ...part });
const noCalls = { calls: 0, failed: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const noUsage = { ...noCalls, tokens: 0, cost: 0, unpriced: 0 };

function figures(dailyTokens = 0): Figures {
  return {
    stats: {
      byDay: [
        row("2026-11-22", { sessions: 1, prompts: 4, carried: 900 }),
        row("2026-11-02", { sessions: 2, prompts: 3, observations: 5 }),
        row("2026-09-30", { sessions: 7, prompts: 7 }),
      ],
    } as unknown as Figures["stats"],
    usage: {
      byDay: [{ key: "2026-11-21", ...noUsage, calls: 3, failed: 1, tokens: 800 }],
    } as unknown as Figures["usage"],
    endless: { byDay: [] } as unknown as NonNullable<Figures["endless"]>,
    dailyTokens,
  };
}

test("every day of the range has a place, and what lies outside is not counted", () => {
  const plots = plotsOf(figures(1_000), { from: "2026-10-24", to: today });
  const captured = plots.find(({ id }) => id === "captured");
  expect(captured?.keys).toHaveLength(30);
  expect(captured?.columns.map(({ name, values }) => [name, sum(values)])).toEqual([
    ["Sessions", 3],
    ["Prompts", 7],
  ]);
  expect(captured?.columns[1]?.values.at(-1)).toBe(4);
  expect(plots.filter(isNothing).map(({ id }) => id)).toEqual(["contexts", "endless"]);
  const calls = plots.find(({ id }) => id === "calls");
  expect(calls?.columns.map(({ values }) => sum(values))).toEqual([2, 1]);
  expect(plots.filter(({ bound }) => bound).map(({ id, bound }) => [id, bound?.value])).toEqual([
    ["models", 1_000],
  ]);
});

test("by weeks and months all of it is still there, and a day's budget is no bound of them", () => {
  for (const from of ["2026-01-01", "2020-01-01"]) {
    const [captured] = plotsOf(figures(1_000), { from, to: today });
    expect(captured?.columns.map(({ values }) => sum(values))).toEqual([10, 14]);
    expect(plotsOf(figures(1_000), { from, to: today }).every(({ bound }) => !bound)).toBe(true);
  }
});

test("a file has a line for each day, and the budget beside it", () => {
  const range = { from: "2026-11-20", to: today };
  const models = plotsOf(figures(1_000), range).find(({ id }) => id === "models");
  expect(models && csvOf(models)).toBe(
    "day,Tokens,Budget of a day\r\n2026-11-20,0,1000\r\n2026-11-21,800,1000\r\n2026-11-22,0,1000\r\n",
  );
});
