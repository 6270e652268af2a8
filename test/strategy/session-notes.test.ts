// What a strategy knows of a session: the answered parts of its last batch, and the titles that are stored.
import { expect, test } from "bun:test";
import { createAnsweredParts, storedTitles } from "../../src/strategy/messages.ts";
import { observation } from "../support/records.ts";

const part = { observations: [], model: "m", tokens: 1 };

test("a batch that comes again has its answered parts, until its session goes on", () => {
  const answered = createAnsweredParts();
  answered("s1", "one").set(0, part);
  expect(answered("s1", "one").size).toBe(1);
  expect(answered("s2", "one").size).toBe(0);
  expect(answered("s1", "two").size).toBe(0);
  expect(answered("s1", "one").size).toBe(0);
});

test("of two hundred and one the session quiet for longest is forgotten, no other", () => {
  const answered = createAnsweredParts();
  for (let at = 0; at < 200; at++) answered(`${at}`, "one").set(0, part);
  answered("0", "one");
  answered("new", "one");
  expect(["0", "2", "1"].map((session) => answered(session, "one").size)).toEqual([1, 1, 0]);
});

test("titles are asked for newest first and shown oldest first; a storage that fails has none", async () => {
  const asked: unknown[] = [];
  const observations = async (filter: unknown) => {
    asked.push(filter);
    return ["third", "second", "first"].map((title) => observation(title, { title }));
  };
  expect(await storedTitles({ observations }, "s1")).toEqual(["first", "second", "third"]);
  expect(asked).toEqual([{ session: "s1", order: "newest", limit: 40 }]);
  const failing = { observations: () => Promise.reject(new Error("locked")) };
  expect(await storedTitles(failing, "s1")).toEqual([]);
});
