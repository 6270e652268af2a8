// What the books taught is read rarely, and never in the way of a result.
import { expect, test } from "bun:test";
import type { ToolFigures } from "../../src/sdk/endless.ts";
import { createLearnt } from "../../src/strategy/clearing.ts";

const figures = (tool: string, profits: boolean) =>
  ({ tool, kind: "k", profits, why: `${tool}: recalled too often` }) as ToolFigures;

test("a tool that does not pay is known with its reason; it is asked again after a minute", async () => {
  const begun = Date.UTC(2026, 10, 20);
  let now = begun;
  let asked = 0;
  let books = [figures("Bash", false), figures("Grep", true)];
  const ask = async () => {
    asked++;
    return books;
  };
  const learnt = createLearnt(ask, () => now);
  expect(await learnt.loss("Bash", "k")).toBe("Bash: recalled too often");
  expect([await learnt.loss("Grep", "k"), await learnt.loss("Read", "k")]).toEqual([
    undefined,
    undefined,
  ]);
  books = [figures("Bash", true)];
  now = begun + 59_999;
  expect(await learnt.loss("Bash", "k")).toBe("Bash: recalled too often");
  expect(asked).toBe(1);
  now = begun + 60_000;
  expect(await learnt.loss("Bash", "k")).toBeUndefined();
  expect(asked).toBe(2);
});

test("another kind of the same tool has figures of its own", async () => {
  const learnt = createLearnt(
    async () => [figures("Bash", false)],
    () => 0,
  );
  expect(await learnt.loss("Bash", "k")).toBeDefined();
  expect(await learnt.loss("Bash", "other")).toBeUndefined();
});

test("books that cannot be read teach nothing", async () => {
  const learnt = createLearnt(
    () => Promise.reject(new Error("locked")),
    () => 0,
  );
  expect(await learnt.loss("Bash", "k")).toBeUndefined();
});
