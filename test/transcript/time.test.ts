// The fast way to read a timestamp answers what Date.parse answers.
import { expect, test } from "bun:test";
import { timeOf } from "../../src/transcript/time.ts";

test.each([
  "2026-03-01T10:00:00.000Z",
  "1999-12-28T23:59:59.999Z",
  "2024-02-29T00:00:00.001Z",
  "2026-01-31T10:00:00.000Z",
  "2026-12-01T10:00:00.5Z",
  "2026-03-01T10:00:00Z",
  "2026-03-01",
  "0001-01-01T00:00:00.000Z",
  "2026-03-01t10:00:00.000z",
])("%s", (text) => {
  expect(timeOf(text)).toBe(Date.parse(text));
});

test.each([
  "2026-13-01T10:00:00.000Z",
  "2026-00-01T10:00:00.000Z",
  "2026-03-01T25:00:00.000Z",
  "2026-03-01T10:61:00.000Z",
  "2026-03-01T10:00:61.000Z",
  "2026-03-01T10:00:00.000+02",
  "20x6-03-01T10:00:00.000Z",
  "2026-03-01T10:00:00.0x0Z",
  "",
  "yesterday",
])("%s is no time", (text) => {
  expect(timeOf(text)).toBeUndefined();
});

test("only texts are times", () => {
  for (const value of [undefined, null, 5, {}, []]) expect(timeOf(value)).toBeUndefined();
});
