// The ledger is brought up to date at once, then no more than every five seconds, and once more after the last write.
import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { createNoting } from "../../../src/home/database/intact.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test("the first write is noted, and what came within five seconds of it after them", async () => {
  let [time, notes] = [1_000_000, 0];
  const note = async () => {
    notes++;
  };
  const noting = createNoting(note, () => time);
  await noting.written();
  expect(notes).toBe(1);
  for (let write = 0; write < 9; write++) {
    time += 100;
    await noting.written();
  }
  expect(notes).toBe(1);
  jest.advanceTimersByTime(5_000);
  expect(notes).toBe(2);
  jest.advanceTimersByTime(50_000);
  expect(notes).toBe(2);
  // A clock that is set back by a month must not keep it silent for one.
  time -= 30 * 86_400_000;
  await noting.written();
  expect(notes).toBe(3);
  await noting.written();
  noting.stop();
  jest.advanceTimersByTime(50_000);
  expect(notes).toBe(3);
});
