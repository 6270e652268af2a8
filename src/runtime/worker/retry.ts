// Whether a piece waits for a model that cannot answer now, or is done by whoever comes next in the slot.
import { MemoirError } from "../../sdk/errors.ts";
import { patienceMs } from "../budget/breaker.ts";
import type { Work } from "../ports.ts";

/** So many attempts are made with the model before the next strategy takes over. */
const attempts = 3;

/** True when the piece shall be tried again as a whole: the fault passes soon, and nobody waits for this piece. */
export function canWait(work: Pick<Work, "attempt" | "waiting">, error: unknown): boolean {
  const retryAfterMs = error instanceof MemoirError ? error.retryAfterMs : undefined;
  if (retryAfterMs === undefined || retryAfterMs > patienceMs) return false;
  return !work.waiting && work.attempt < attempts;
}
