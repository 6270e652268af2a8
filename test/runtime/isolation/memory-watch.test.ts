// Who holds too much is ended, and nobody else.
import { afterEach, expect, test } from "bun:test";
import { type Watched, watchMemory } from "../../../src/runtime/isolation/isolated-plugin.ts";

const megabyte = 1_048_576;
let leave: Array<() => void> = [];
afterEach(() => {
  for (const one of leave) one();
  leave = [];
});

/** A worker that is busy all the time, and what it was ended for. */
function watched(maxBytes: number, ping: Watched["ping"]): number[] {
  const ended: number[] = [];
  const tooLarge = (megabytes: number) => void ended.push(megabytes);
  leave.push(watchMemory({ maxBytes, isBusy: () => true, ping, tooLarge }));
  return ended;
}
/** Waits for the watch's own looks: as many as this one, which always holds too much, was ended for. */
async function look(times: number): Promise<void> {
  const marker = watched(1, async () => megabyte);
  while (marker.length < times) await Bun.sleep(20);
}

test("one that says how much it holds is judged by that", async () => {
  const small = watched(64 * megabyte, async () => 63 * megabyte);
  const large = watched(64 * megabyte, async () => 65 * megabyte);
  await look(3);
  expect(small).toEqual([]);
  expect(large[0]).toBe(65);
});

test("one that hangs is judged by what the process has grown since, not by what all of it holds", async () => {
  // All of the process is twice that; it does not grow by as much while it waits.
  const silent = watched(process.memoryUsage().rss / 2, () => new Promise(() => {}));
  await look(4);
  expect(silent).toEqual([]);
});
