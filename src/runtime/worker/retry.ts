// Whether and when a piece of work is tried again: a pure policy.
import { MemoirError } from "../../sdk/errors.ts";
import { patienceMs } from "../budget/breaker.ts";
import type { Work } from "../ports.ts";

/** So many attempts are made with the model before the next strategy takes over. */
const attempts = 3;

/**
 * True when the piece shall be tried again as a whole, and not be done by whoever comes next in the slot: the fault passes
 * soon, and nobody waits for this piece.
 */
export function canWait(work: Pick<Work, "attempt" | "waiting">, error: unknown): boolean {
  const retryAfterMs = error instanceof MemoirError ? error.retryAfterMs : undefined;
  if (retryAfterMs === undefined || retryAfterMs > patienceMs) return false;
  return !work.waiting && work.attempt < attempts;
}

/** Default waits before the second, third, … attempt. */
export const defaultRetryDelaysMs: readonly number[] = [1_000, 5_000, 30_000, 120_000, 600_000];

/**
 * The time of the next attempt, or null to park. `attempt` is the one that failed (1 is the first); `random` spreads
 * retries over ± 20 % of the delay, so that sessions that failed together do not return together.
 */
export function retryAt(
  attempt: number,
  now: number,
  delaysMs: readonly number[],
  random: number,
): number | null {
  const delay = delaysMs[attempt - 1];
  return delay === undefined ? null : now + Math.round(delay * (0.8 + 0.4 * random));
}
