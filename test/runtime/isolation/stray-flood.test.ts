// A worker tells of ten errors at once that nobody caught, and of one a second; the others are counted with the next it tells of.
import { expect, test } from "bun:test";
import { join } from "node:path";

test("of a flood of errors that nobody caught each is counted once, told or not", async () => {
  const program = join(import.meta.dir, "stray-flood.ts");
  const flood = Bun.spawn([process.execPath, program, "13", "1", "1"], { timeout: 45_000 });
  const [first, ...later] = JSON.parse(await new Response(flood.stdout).text());
  expect(first).toBeLessThan(13);
  expect(later).toEqual([14, 15]);
});
