// When a plugin that keeps failing is passed over, and for how long: a pure policy over what is known of one part of it.

/** What went wrong. `late`: a deadline passed or the worker ended; that costs more than a throw. */
export type FaultKind = "threw" | "late";

/** How one part of a plugin (a slot's work, or one hook) fares. */
export interface Health {
  /** Faults since the last call that worked. */
  threw: number;
  late: number;
  /** Pauses so far; each is longer than the one before. */
  pauses: number;
  /** Epoch ms until which it is passed over; 0: it is not. */
  until: number;
  /** Calls that worked since the last fault. */
  worked: number;
  /** The last fault. */
  hook: string;
  error: string;
  at: number;
}

const toleratedThrows = 5;
const toleratedLates = 3;
/** So many good calls in a row, and the next pause is a short one again. */
const trustedAfter = 20;
const pauseMs: readonly number[] = [60_000, 10 * 60_000, 60 * 60_000];

export const healthy: Health = {
  threw: 0,
  late: 0,
  pauses: 0,
  until: 0,
  worked: 0,
  hook: "",
  error: "",
  at: 0,
};

/** After a call that worked. Gives the same object when nothing changes. */
export function afterSuccess(health: Health): Health {
  if (health.pauses === 0 && health.threw === 0 && health.late === 0) return health;
  const worked = health.worked + 1;
  if (worked >= trustedAfter) return healthy;
  return { ...health, threw: 0, late: 0, until: 0, worked };
}

/** After a call that failed. */
export function afterFault(
  health: Health,
  fault: { kind: FaultKind; hook: string; error: string },
  now: number,
): Health {
  const { kind, hook, error } = fault;
  const threw = health.threw + (kind === "threw" ? 1 : 0);
  const late = health.late + (kind === "late" ? 1 : 0);
  const next = { ...health, threw, late, worked: 0, hook, error, at: now };
  // Calls that were under way when the pause began end in it; they say nothing new.
  if (health.until > now) return next;
  // It was paused and is tried again: one fault is enough.
  const isBack = health.until > 0;
  if (!isBack && threw < toleratedThrows && late < toleratedLates) return next;
  return paused(next, now);
}

/** Passed over from now on, as long as the policy says. */
export function paused(health: Health, now: number): Health {
  const ms = pauseMs[Math.min(health.pauses, pauseMs.length - 1)] ?? 0;
  return { ...health, threw: 0, late: 0, pauses: health.pauses + 1, until: now + ms };
}
