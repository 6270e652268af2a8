// What counts as JSON: a text of which only a part is JSON is left to others.
import { expect, test } from "bun:test";
import { shortenJson } from "../../../../plugins/endless-live/text/json.ts";
import { defaultPolicy } from "../cases.ts";

const entry = (id: number) => JSON.stringify({ id, name: `order ${id}`, note: "x".repeat(90) });
const entries = Array.from({ length: 20 }, (_, at) => entry(at));
const shorten = (text: string, firstLine?: number) =>
  shortenJson(text, defaultPolicy, { command: "", ...(firstLine && { firstLine }) });

test("lines of JSON keep the first ones, and name the rest by line and by name", () => {
  const short = shorten(entries.join("\n"), 3);
  expect(short?.leftOut).toBe("15 list items");
  expect(short?.text.split("\n").slice(0, 5)).toEqual(entries.slice(0, 5));
  expect(short?.text).toContain("lines 8–22: 15 more");
  expect(short?.text).toContain("order 19");
});

test.each([
  ["lines of which one is not valid JSON", entries.with(7, "warning: slow").join("\n")],
  ["lines of which most are no JSON", [entries[0], "a log line", "another", "done"].join("\n")],
  ["two lines", entries.slice(0, 2).join("\n")],
  ["a text", "order 1\norder 2\norder 3"],
])("%s are left alone", (_, text) => {
  expect(shorten(text)).toBeUndefined();
});

test("numbers are written as they were", () => {
  const items = Array.from(
    { length: 20 },
    (_, at) => `{"id":${at},"least":${at}.50,"most":9000.0}`,
  );
  expect(shorten(`[${items.join(",")}]`)?.text).toContain('"least":1.50,"most":9000.0');
});

test("a list is shortened only where that leaves out more than it says", () => {
  expect(JSON.parse(shorten("[1,2,3,4,5,6,7,8]")?.text ?? "")).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  const long = shorten(`[${entries.join(",")}]`);
  expect(JSON.parse(long?.text ?? "")).toHaveLength(6);
});

test("a string is whole up to the length that config says; of a longer one it is told how much is missing", () => {
  const policy = { ...defaultPolicy, stringCharacters: 20 };
  const padding = Array.from({ length: 60 }, (_, at) => ({ at, name: `row ${at}` }));
  const text = JSON.stringify({ exact: "x".repeat(20), long: "y".repeat(30), padding });
  const short = shortenJson(text, policy, { command: "" });
  expect(short?.text).toContain(`"${"x".repeat(20)}"`);
  expect(short?.text).not.toContain("y".repeat(21));
  expect(short?.text).toMatch(/y… \(\+1\d characters\)/);
});
