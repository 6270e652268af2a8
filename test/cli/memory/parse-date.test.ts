// `--date` of `memoir store-memory`: a day or a time, whatever the hour at which it is asked.
import { expect, test } from "bun:test";
import { parseDate } from "../../../src/cli/memory/store-memory.ts";

/** Local time, as the user's clock shows it. */
const at = (hour: number) => new Date(2026, 10, 21, hour, 30).getTime();
const day = 86_400_000;

test.each([0, 8, 11, 13, 23])("today alone means now, at %i:30 as well", (hour) => {
  expect(parseDate("2026-11-21", at(hour))).toBe(at(hour));
});

test("a day that is over means its noon", () => {
  expect(parseDate("2026-11-19", at(9))).toBe(Date.UTC(2026, 10, 19, 12));
});

test("a time means itself; one that a clock in front makes later than now means now", () => {
  const now = Date.UTC(2026, 10, 21, 9, 30);
  expect(parseDate("2026-11-21T08:15:00Z", now)).toBe(now - 75 * 60_000);
  expect(parseDate("2026-11-21T08:15:00+02:00", now)).toBe(now - 195 * 60_000);
  expect(parseDate(new Date(now + day / 2).toISOString(), now)).toBe(now);
});

test.each([
  ["tomorrow's tomorrow", new Date(at(12) + 2 * day).toISOString(), "--date is in the future."],
  ["words", "yesterday", "--date is no date."],
  ["a month that there is not", "2026-13-01", "--date is no date."],
  ["a day before all clocks", "1969-12-01", "--date is no date."],
  ["a form that readers take in two ways", "11/12/2026", "--date is no date."],
  ["nothing", "", "--date is no date."],
])("%s is refused", (_, text, message) => {
  expect(() => parseDate(text, at(12))).toThrow(message);
});
