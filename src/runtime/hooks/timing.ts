// How long a handler's last calls took: counts and percentiles over a small ring.

const ringSize = 128;

/** Calls, failures and durations of one subscription. */
export interface Timing {
  record(ms: number, failed: boolean): void;
  readonly calls: number;
  readonly failures: number;
  /** The given share (0.5, 0.99) of the last calls took at most this many ms; null before the first. */
  percentile(share: number): number | null;
}

/** An empty record; its ring is made with the first call. */
export function createTiming(): Timing {
  let ring: Float64Array | undefined;
  let calls = 0;
  let failures = 0;
  return {
    record(ms, failed) {
      ring ??= new Float64Array(ringSize);
      ring[calls % ringSize] = ms;
      calls++;
      if (failed) failures++;
    },
    get calls() {
      return calls;
    },
    get failures() {
      return failures;
    },
    percentile(share) {
      if (!ring || calls === 0) return null;
      const sorted = ring.slice(0, Math.min(calls, ringSize)).sort();
      const at = Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1);
      return sorted[Math.max(0, at)] ?? null;
    },
  };
}
