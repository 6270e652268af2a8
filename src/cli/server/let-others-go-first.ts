// For what the server has done by a process of its own while nobody asks anything.
import { setPriority } from "node:os";
import process from "node:process";

/** Lowers this process's priority: whoever waits for an answer goes first. */
export function letOthersGoFirst(): void {
  try {
    setPriority(process.pid, 15);
  } catch {
    // Where that is not allowed the work goes on at the usual pace.
  }
}
