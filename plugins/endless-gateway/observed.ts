// Which observations are there about which tool use: told by storage once for each session, then by each end that is announced.

import type { Settled, StorageClient } from "../../src/sdk/index.ts";
import { dropOldest } from "../../src/text/index.ts";

export interface Observed {
  /** Ids of observations by tool use. Rejects when storage does not answer. */
  of(session: string, storage: StorageClient): Promise<ReadonlyMap<string, readonly string[]>>;
  /** A tool use ended. */
  settled(end: Settled): void;
}

const mostSessions = 200;
const mostObservations = 2_000;

/** Knows nothing at first. */
export function createObserved(): Observed {
  const sessions = new Map<string, Map<string, string[]>>();
  return {
    async of(session, storage) {
      const known = sessions.get(session);
      if (known) return known;
      const fresh = new Map<string, string[]>();
      // In place before the answer: an end that is announced meanwhile is not missed.
      sessions.set(session, fresh);
      dropOldest(sessions, mostSessions);
      try {
        const list = await storage.observations({ session, limit: mostObservations });
        for (const { id, toolUseIds } of list) for (const use of toolUseIds) add(fresh, use, [id]);
      } catch (error) {
        sessions.delete(session);
        throw error;
      }
      return fresh;
    },
    settled({ session, toolUseId, observations }) {
      const known = sessions.get(session);
      if (known && observations.length > 0) add(known, toolUseId, observations);
    },
  };
}

function add(known: Map<string, string[]>, toolUseId: string, ids: readonly string[]): void {
  known.set(toolUseId, [...new Set([...(known.get(toolUseId) ?? []), ...ids])]);
}
