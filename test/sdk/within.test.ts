// The one deadline: whose word counts, and that nobody is left waiting.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { within } from "../../src/sdk/within.ts";

const never = new Promise<string>(() => {});

test.each([
  ["work in time", () => within(10_000, Promise.resolve("done"), "late"), "done"],
  ["late work, with a value instead", () => within(1, never, "late"), "late"],
  ["late work, with nothing instead", () => within(1, never, undefined), undefined],
])("%s", async (_, wait, expected) => {
  expect(await wait()).toBe(expected);
});

test("an Error in its place is thrown, and the work's own failure passes", async () => {
  await expect(within(1, never, new Error("too late"))).rejects.toThrow("too late");
  const failing = Promise.reject(new Error("its own"));
  await expect(within(10_000, failing, "late")).rejects.toThrow("its own");
});

test.each([
  ["done", "Promise.resolve()"],
  ["failed", "Promise.reject(new Error('no'))"],
])("the deadline of %s work holds no process", async (_, work) => {
  const module = join(import.meta.dir, "../../src/sdk/within.ts");
  const script = `import { within } from ${JSON.stringify(module)};
    await within(3_600_000, ${work}, "late").catch(() => {});`;
  const ended = Bun.spawn([process.execPath, "-e", script], { timeout: 45_000 });
  expect(await ended.exited).toBe(0);
});

test("what fails after its deadline goes unheard", async () => {
  let fail: (error: Error) => void = () => {};
  const work = new Promise<string>((_, reject) => (fail = reject));
  expect(await within(1, work, "late")).toBe("late");
  fail(new Error("unheard"));
  await Bun.sleep(1);
});
