// Slows down who asks too much: so many at once, so many a second after that. Who only says too much is not heard.
import { setTimeout as pause } from "node:timers/promises";

/** Gives a function that resolves when the next one may go; within the limits, at once. */
export function createPace(
  atOnce: number,
  perSecond: number,
  now: () => number,
): () => Promise<void> {
  let room = atOnce;
  let filledAt = now();
  return async () => {
    const at = now();
    room = Math.min(atOnce, room + ((at - filledAt) / 1_000) * perSecond);
    filledAt = at;
    room--;
    if (room >= 0) return;
    const ms = (-room / perSecond) * 1_000;
    await pause(ms, undefined, { ref: false });
  };
}

/** Gives a function that is true for the first so many of each second. */
export function createQuota(perSecond: number, now: () => number): () => boolean {
  let since = 0;
  let count = 0;
  return () => {
    const at = now();
    if (at - since > 1_000) {
      since = at;
      count = 0;
    }
    return ++count <= perSecond;
  };
}
