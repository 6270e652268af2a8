// For work that the server starts as a process of its own while nobody waits for it.
import { getPriority, setPriority } from "node:os";
import process from "node:process";

const lowPriority = 15;

/** Lowers this process's priority, never raises it: whoever waits for an answer goes first. */
export function lowerPriority(): void {
  try {
    if (getPriority(process.pid) < lowPriority) setPriority(process.pid, lowPriority);
  } catch {
    // Where that is not allowed the work continues at the usual pace.
  }
}
