// Slows down who asks too much: so many at once, so many a second after that.

/** Gives a function that resolves when the next one may go; within the limits, at once. */
import { setTimeout as pause } from "node:timers/promises";
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
