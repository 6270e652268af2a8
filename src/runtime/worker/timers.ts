// The real alarm clock. A pending alarm does not keep the process alive.
import { clearTimeout, setTimeout } from "node:timers";
import type { Timers } from "./worker-types.ts";

/** setTimeout fires at once for anything longer. */
const longestMs = 2 ** 31 - 1;

/** Alarms further away than 24 days ring early; whoever set one looks at the clock and sets it again. */
export const systemTimers: Timers = {
  set(callback, ms) {
    const timer = setTimeout(callback, Math.min(Math.max(0, ms), longestMs));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
