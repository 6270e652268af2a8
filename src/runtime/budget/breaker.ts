// Keeps a provider that does not work from delaying every batch: it is passed over for a while, then tried again.

import { type ErrorCode, MemoirError } from "../../sdk/errors.ts";
import type { ModelsStatus } from "../status-schema.ts";

/** What a failure says of its provider. */
interface Fault {
  /** `passing` ones may be gone at the next call, `lasting` ones want a person. Absent where it is the request's fault. */
  kind?: "passing" | "lasting";
  /** The provider may have done, and charge for, the work. */
  maySpend?: true;
  /** There is nothing to ask, rather than that something went wrong. */
  isUnset?: true;
}

/** By code; what is not named is the request's own, and cost nothing. */
export const faults: Partial<Record<ErrorCode, Fault>> = {
  provider_rate: { kind: "passing" },
  provider_overloaded: { kind: "passing" },
  provider_timeout: { kind: "passing", maySpend: true },
  provider_connection: { kind: "passing" },
  provider_answer: { kind: "passing", maySpend: true },
  provider_cut: { maySpend: true },
  provider_refused: { maySpend: true },
  plugin_deadline: { kind: "passing", maySpend: true },
  plugin_failed: { kind: "passing" },
  provider_none: { kind: "lasting", isUnset: true },
  provider_key: { kind: "lasting", isUnset: true },
  provider_missing: { kind: "lasting", isUnset: true },
  keys_unreadable: { kind: "lasting" },
  provider_auth: { kind: "lasting" },
  provider_permission: { kind: "lasting" },
  provider_model: { kind: "lasting" },
  provider_quota: { kind: "lasting" },
};

/** So many passing faults in a row begin a pause. */
const tolerated = 3;
const firstPauseMs = 60_000;
const longestPauseMs = 15 * 60_000;
const lastingPauseMs = 10 * 60_000;
/** Work waits for a provider that asks for no more patience than this; else others do it. */
export const longestRetryAfterMs = 2 * 60_000;

/** How a provider fares. */
export type ProviderState = ModelsStatus["providers"][number];

interface Health {
  inARow: number;
  pauses: number;
  pausedUntil: number;
  /** The provider itself said when to come back. */
  asked: boolean;
  at: number;
  model?: string;
  error?: MemoirError;
}

/** Nothing is paused at first. */
export function createBreaker(now: () => number) {
  const known = new Map<string, Health>();

  function healthOf(provider: string): Health {
    const health = known.get(provider) ?? {
      inARow: 0,
      pauses: 0,
      pausedUntil: 0,
      asked: false,
      at: 0,
    };
    known.set(provider, health);
    return health;
  }

  return {
    /** Why this provider is not to be asked now; undefined when it may. */
    paused(provider: string): MemoirError | undefined {
      const health = known.get(provider);
      const left = (health?.pausedUntil ?? 0) - now();
      if (!health || left <= 0) return undefined;
      const seconds = Math.ceil(left / 1_000);
      const why = health.error ? `: ${health.error.message}` : ".";
      return new MemoirError(
        "provider_paused",
        `${provider} is not asked for another ${seconds} s${why}`,
        {
          ...(health.error && { fix: health.error.fix }),
          ...(health.asked && { retryAfterMs: left }),
        },
      );
    },
    worked(provider: string, model: string): void {
      known.set(provider, { inARow: 0, pauses: 0, pausedUntil: 0, asked: false, at: now(), model });
    },
    /** True for a fault that wants a person. */
    failed(provider: string, error: MemoirError): boolean {
      const kind = faults[error.code]?.kind;
      if (!kind) return false;
      const health = healthOf(provider);
      health.error = error;
      health.at = now();
      health.inARow++;
      const wanted = error.code === "provider_rate" ? error.retryAfterMs : undefined;
      if (kind === "lasting") health.pausedUntil = now() + lastingPauseMs;
      else if (wanted) health.pausedUntil = now() + wanted;
      else if (health.inARow >= tolerated) {
        const pause = Math.min(firstPauseMs * 2 ** health.pauses++, longestPauseMs);
        health.pausedUntil = now() + pause;
      }
      health.asked = wanted !== undefined && wanted > 0 && wanted <= longestRetryAfterMs;
      return kind === "lasting";
    },
    state(name: string): ProviderState {
      const health = known.get(name);
      if (!health) return { name, state: "untried" };
      const { error, model, at, pausedUntil } = health;
      const isPaused = pausedUntil > now();
      return {
        name,
        state: isPaused ? "paused" : error ? "failing" : "works",
        at,
        ...(model !== undefined && { model }),
        ...(error && { error: { code: error.code, message: error.message, fix: error.fix } }),
        ...(isPaused && { pausedUntil }),
      };
    },
    /** Forgets everything: config, or a key, changed. */
    reset: (): void => known.clear(),
  };
}
