// Dates as people write them.
import { expect, test } from "bun:test";
import { parseWhen } from "../../../src/cli/memory/filter.ts";
import { MemoirError } from "../../../src/sdk/errors.ts";

const now = new Date(2026, 10, 21, 9, 30).getTime();

const cases: Array<[string, number]> = [
  ["now", now],
  ["30m", now - 30 * 60_000],
  ["2h", now - 2 * 3_600_000],
  ["3 days ago", now - 3 * 86_400_000],
  ["1w", now - 7 * 86_400_000],
  // As lists print what is older.
  ["9mo", now - 270 * 86_400_000],
  ["9mo ago", now - 270 * 86_400_000],
  ["1y", now - 365 * 86_400_000],
  ["2 months ago", now - 60 * 86_400_000],
  ["today", new Date(2026, 10, 21).getTime()],
  ["Yesterday", new Date(2026, 10, 20).getTime()],
  // It is a Saturday.
  ["this week", new Date(2026, 10, 16).getTime()],
  ["last week", new Date(2026, 10, 9).getTime()],
  ["Last month", new Date(2026, 9, 1).getTime()],
  ["this year", new Date(2026, 0, 1).getTime()],
  ["last year", new Date(2025, 0, 1).getTime()],
  ["on friday", new Date(2026, 10, 20).getTime()],
  ["last saturday", new Date(2026, 10, 14).getTime()],
  ["sunday", new Date(2026, 10, 15).getTime()],
  ["2026-02-28", new Date(2026, 1, 28).getTime()],
  ["2026-11-21T08:00Z", Date.UTC(2026, 10, 21, 8)],
  ["2026-11-21 08:00", new Date(2026, 10, 21, 8).getTime()],
];
test.each(cases)("%s", (text, time) => {
  expect(parseWhen(text, now, "--since")).toBe(time);
});

test.each([
  "",
  "soon",
  "last",
  "last fortnight",
  "2026-02-30",
  "2026-13-01",
  "3",
  "h",
  "-2h",
  "2026",
  "99999999d",
])("%p is refused by the option's name", (text) => {
  expect(() => parseWhen(text, now, "--since")).toThrow(MemoirError);
  expect(() => parseWhen(text, now, "--since")).toThrow("--since");
});
