// What a record said before somebody edited it.
import { expect, test } from "bun:test";
import { originalOf } from "../../src/sdk/identity.ts";

test("is what stood there, and all else as it is", () => {
  const record = {
    id: "o1",
    title: "mine",
    facts: ["a"],
    edited: { time: 1, was: { title: "its" } },
  };
  expect(originalOf(record as never) as unknown).toEqual({ ...record, title: "its" });
});

test("of one that nobody edited it is the record", () => {
  const record = { id: "o1", title: "its" };
  expect(originalOf(record as never) as unknown).toEqual(record);
});
