// When a failed piece of work is tried again: a pure policy.

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
