// What each session was told: once, within bounds, until its context is cleared.
import { expect, test } from "bun:test";
import { createSaid } from "../../src/strategy/uses.ts";

test("a thing is new to a session once; of sessions and things the oldest are forgotten", () => {
  const said = createSaid(2, 2);
  expect([said.isNew("s1", "a"), said.isNew("s1", "a"), said.isNew("s2", "a")]).toEqual([
    ...[true, false, true],
  ]);
  said.isNew("s1", "b");
  said.isNew("s1", "c");
  expect([said.isNew("s1", "c"), said.isNew("s1", "a")]).toEqual([false, true]);
  // s2 was told something longest ago.
  said.isNew("s3", "a");
  expect([said.isNew("s1", "c"), said.isNew("s2", "a")]).toEqual([false, true]);
  said.forget("s2");
  expect(said.isNew("s2", "a")).toBe(true);
});

test("what was said is remembered within bounds", () => {
  const said = createSaid(2, 2);
  said.add("a", ["1", "2", "3"]);
  expect([said.has("a", "1"), said.has("a", "2"), said.has("a", "3")]).toEqual([false, true, true]);
  said.add("b", ["1"]);
  said.add("a", ["4"]);
  said.add("c", ["1"]);
  expect([said.has("a", "4"), said.has("b", "1"), said.has("c", "1")]).toEqual([true, false, true]);
  said.forget("a");
  expect(said.has("a", "4")).toBe(false);
});

test("unless told otherwise it is of the last 300 sessions, 500 things each", () => {
  const said = createSaid();
  said.add(
    "s0",
    Array.from({ length: 501 }, (_, at) => `${at}`),
  );
  expect([said.has("s0", "0"), said.has("s0", "1"), said.has("s0", "500")]).toEqual([
    ...[false, true, true],
  ]);
  for (let at = 1; at < 300; at++) said.add(`s${at}`, ["x"]);
  expect(said.has("s0", "1")).toBe(true);
  said.add("s300", ["x"]);
  expect([said.has("s0", "1"), said.has("s1", "x")]).toEqual([false, true]);
});
