// Finding the place of a time in a long file.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { offsetAfter } from "../../src/transcript/read.ts";

const near = 1024 * 1024;
let folder = "";
let path = "";
const offsets: number[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-seek-"));
  path = join(folder, "long.jsonl");
  let text = "";
  for (let n = 0; n < 4_000; n++) {
    offsets.push(text.length);
    const timestamp = new Date(n * 1_000).toISOString();
    // Now and then a line that is longer than a probe.
    const filler = "x".repeat(n % 500 === 0 ? 600_000 : 1_500);
    text += `${JSON.stringify({ type: n % 3 ? "user" : "x", filler, ...(n % 7 && { timestamp }) })}\n`;
  }
  await writeFile(path, text);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([100, 1_000, 1_999, 2_500, 3_900])("second %d is found to a megabyte", async (second) => {
  const { size } = await stat(path);
  const offset = await offsetAfter(path, second * 1_000 + 500, size);
  const exact = offsets[second + 1] ?? 0;
  expect(offset).toBeGreaterThanOrEqual(exact);
  expect(offset - exact).toBeLessThan(near);
});

test("a time after everything is the end, and a file without times too", async () => {
  const { size } = await stat(path);
  expect(await offsetAfter(path, 1e12, size)).toBe(size);
  expect(await offsetAfter(path, -1, size)).toBeLessThan(near);
  const bare = join(folder, "bare.jsonl");
  await writeFile(bare, "{}\n".repeat(10));
  expect(await offsetAfter(bare, 5, 30)).toBe(30);
});
