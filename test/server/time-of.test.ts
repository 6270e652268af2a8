// Dates as people write them, read against a Wednesday afternoon.
import { expect, test } from "bun:test";
import { timeOf } from "../../src/text/time-of.ts";

const now = new Date(2026, 10, 18, 15, 30).getTime();
const day = (year: number, month: number, date: number, hour = 0, minute = 0) =>
  new Date(year, month - 1, date, hour, minute).getTime();
const ago = (days: number) => now - days * 86_400_000;

test.each<[string, number | undefined]>([
  ["now", now],
  [" Today ", day(2026, 11, 18)],
  ["yesterday", day(2026, 11, 17)],
  ["this week", day(2026, 11, 16)],
  ["last week", day(2026, 11, 9)],
  ["this month", day(2026, 11, 1)],
  ["last month", day(2026, 10, 1)],
  ["this year", day(2026, 1, 1)],
  ["last year", day(2025, 1, 1)],
  ["tuesday", day(2026, 11, 17)],
  ["last thursday", day(2026, 11, 12)],
  ["on sunday", day(2026, 11, 15)],
  ["wednesday", day(2026, 11, 11)],
  ["30m", now - 30 * 60_000],
  ["30 mins ago", now - 30 * 60_000],
  ["2h", now - 7_200_000],
  ["2 hours ago", now - 7_200_000],
  ["3d", ago(3)],
  ["3 days ago", ago(3)],
  ["1w", ago(7)],
  ["2 weeks", ago(14)],
  ["9mo", ago(270)],
  ["1 month", ago(30)],
  ["1y", ago(365)],
  ["2 years ago", ago(730)],
  ["2026-03-05", day(2026, 3, 5)],
  ["2026-03-05T10:20", day(2026, 3, 5, 10, 20)],
  ["2026-03-05 10:20", day(2026, 3, 5, 10, 20)],
  [" 2026-03-05 10:20 ", day(2026, 3, 5, 10, 20)],
  ["2026-03-05T10:20:00Z", Date.UTC(2026, 2, 5, 10, 20)],
  ["2026-02-30", undefined],
  ["2026-13-01", undefined],
  ["1960-01-01", undefined],
  ["next week", undefined],
  ["3", undefined],
  ["3 fortnights", undefined],
  ["1234567d", undefined],
  ["soon", undefined],
  ["last", undefined],
  ["last fortnight", undefined],
  ["h", undefined],
  ["-2h", undefined],
  ["2026", undefined],
  ["", undefined],
])("%p", (text, time) => {
  expect(timeOf(text, now)).toBe(time as number);
});

test("on a Monday and on a Sunday the week began where it did", () => {
  expect(timeOf("this week", day(2026, 11, 16, 9))).toBe(day(2026, 11, 16));
  expect(timeOf("this week", day(2026, 11, 22, 9))).toBe(day(2026, 11, 16));
  expect(timeOf("last month", day(2026, 1, 31))).toBe(day(2025, 12, 1));
});
