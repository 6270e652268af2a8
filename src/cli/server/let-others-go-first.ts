// For what the server has done by a process of its own while nobody asks anything.
import { getPriority, setPriority } from "node:os";
import process from "node:process";

const lowly = 15;

/** Lowers this process's priority, never raises it: whoever waits for an answer goes first. */
export function letOthersGoFirst(): void {
  try {
    if (getPriority(process.pid) < lowly) setPriority(process.pid, lowly);
  } catch {
    // Where that is not allowed the work goes on at the usual pace.
  }
}
