// Once a day, while nobody asks anything, memory lets go of what the user's rules say: a session at each look.
import type { Log } from "../../home/log.ts";
import type { PlannedSession, Retention, RetentionDeps } from "../memory/retention.ts";

interface KeepMemoryOptions {
  now(): number;
  /** Requests taken so far. */
  served(): number;
  retention: Retention;
  log: Log;
}

/** The same as `createRetention`, loaded when it is first asked: a server that keeps all for ever needs none of it. */
export function lateRetention(deps: RetentionDeps): Retention {
  let made: Promise<Retention> | undefined;
  const retention = () => {
    made ??= import("../memory/retention.ts").then(({ createRetention }) => createRetention(deps));
    return made;
  };
  return {
    plan: async () => (await retention()).plan(),
    letGo: async (session) => (await retention()).letGo(session),
    purge: () => deps.runtime.purge(),
  };
}

const minute = 60_000;
const hour = 60 * minute;
/** A server that has just come up has other things to do. */
const settledMs = 10 * minute;
const quietMs = minute;

/** Called at each look of the server's. Never rejects. */
export function createKeepMemory(options: KeepMemoryOptions): () => Promise<void> {
  const { now, served, retention, log } = options;
  const startedAt = now();
  let seen = served();
  let quietSince = startedAt;
  let lookAt = startedAt + settledMs;
  let going: PlannedSession[] | undefined;
  let gone = { sessions: 0, records: 0 };
  return async () => {
    const time = now();
    const count = served();
    if (count !== seen) quietSince = time;
    seen = count;
    if (time < lookAt || time - quietSince < quietMs) return;
    try {
      going ??= (await retention.plan()).sessions;
      const next = going.shift();
      if (next) {
        gone = {
          sessions: gone.sessions + 1,
          records: gone.records + (await retention.letGo(next)),
        };
        return;
      }
      await retention.purge();
      if (gone.sessions > 0) log.info("memory let go of what its rules say", gone);
      gone = { sessions: 0, records: 0 };
      going = undefined;
      lookAt = time + 24 * hour;
    } catch (error) {
      log.warn("memory could not be pruned", { error });
      going = undefined;
      lookAt = time + hour;
    }
  };
}

// Gives memory back once nothing goes on: after the start, which leaves modules' texts behind, and after many requests.

interface TidyOptions {
  /** Requests taken so far. */
  served(): number;
  /** Collects all garbage; the process stands still meanwhile. */
  collect(): void;
}

/** So many requests leave tens of megabytes behind; a collection takes some milliseconds. */
const manyRequests = 1_000;

/** Called now and then: collects at the first call after which no request came, and again after each thousand. */
export function createTidy({ served, collect }: TidyOptions): () => void {
  let seen = served();
  let tidiedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const count = served();
    const isQuiet = count === seen;
    seen = count;
    if (!isQuiet || count - tidiedAt < manyRequests) return;
    tidiedAt = count;
    collect();
  };
}
