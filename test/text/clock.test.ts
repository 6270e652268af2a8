// Days and times of day, by the reader's own clock.
import { expect, test } from "bun:test";
import { localClock } from "../../src/text/text.ts";

test("days begin at the reader's midnight", () => {
  const early = new Date(2026, 0, 5, 0, 0, 1).getTime();
  const late = new Date(2026, 0, 4, 23, 59, 59).getTime();
  expect([localClock.day(early), localClock.day(late)]).toEqual(["2026-01-05", "2026-01-04"]);
  expect([localClock.time(early), localClock.time(late)]).toEqual(["00:00", "23:59"]);
});
