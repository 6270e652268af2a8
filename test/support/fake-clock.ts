// A clock and an alarm that only tests move.
import { setImmediate } from "node:timers/promises";
import type { Timers } from "../../src/runtime/worker/worker-types.ts";

export interface FakeClock {
  now(): number;
  timers: Timers;
  /** Moves on and rings what is due on the way, in order. */
  advance(ms: number): void;
  /** Alarms that are set. */
  pending(): number;
}

/** Starts at `time`, epoch ms. */
export function createFakeClock(time = 1_000_000): FakeClock {
  let current = time;
  const alarms = new Set<{ at: number; ring: () => void }>();
  return {
    now: () => current,
    timers: {
      set(ring, ms) {
        const alarm = { at: current + ms, ring };
        alarms.add(alarm);
        return () => alarms.delete(alarm);
      },
    },
    advance(ms) {
      const end = current + ms;
      for (;;) {
        const [next] = [...alarms].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (!next) break;
        alarms.delete(next);
        current = Math.max(current, next.at);
        next.ring();
      }
      current = end;
    },
    pending: () => alarms.size,
  };
}

/** Lets everything that is ready happen until `holds`; throws when it never does. */
export async function until(holds: () => boolean, what = "the condition"): Promise<void> {
  for (let turn = 0; turn < 5_000; turn++) {
    if (holds()) return;
    await setImmediate();
  }
  throw new Error(`Waited in vain for ${what}.`);
}

/** Lets everything that is ready happen. */
export async function quiet(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await setImmediate();
}
