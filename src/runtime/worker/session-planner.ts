// Plans one session: asks the journal what it has of it, lets the planner decide, and writes the plan down.
import type { Journal } from "../journal/journal.ts";
import { plan } from "./planner.ts";
import type { PlanLimits } from "./worker-types.ts";

interface SessionPlannerDeps {
  journal: Journal;
  /** Epoch ms. */
  now: () => number;
  limits: PlanLimits;
  /** Tool uses that somebody waits for. */
  waiting: () => ReadonlySet<string>;
}

export interface SessionPlanner {
  /** Answers when time alone makes more of it, epoch ms; null for never. */
  plan(row: number): number | null;
  /** Closes what the session has gathered, at its next planning. */
  flush(row: number): void;
}

/** What comes after a session's end came late, out of the spool; there is no prompt left to gather for. */
const stragglerMs = 5_000;

/** Nothing is planned before the first call. */
export function createSessionPlanner(deps: SessionPlannerDeps): SessionPlanner {
  const { journal, now, limits, waiting } = deps;
  const endedLimits: PlanLimits = {
    ...limits,
    quietMs: Math.min(limits.quietMs, stragglerMs),
    idleMs: Math.min(limits.idleMs, stragglerMs),
  };
  const flushing = new Set<number>();

  return {
    flush: (row) => void flushing.add(row),
    plan(row) {
      const flush = flushing.delete(row);
      const session = journal.state(row);
      if (!session) return null;
      const events = journal.pending(row);
      const first = events.reduce((least, event) => Math.min(least, event.promptNumber), Infinity);
      const planned = plan({
        events,
        past: events.length === 0 ? new Map() : journal.past(row, first - 1),
        prompts: session.prompts,
        lastActivity: session.lastActivity,
        summarizedSeq: session.summarizedSeq,
        lastReceivedAt: session.lastReceivedAt,
        now: now(),
        limits: session.endedAt === null ? limits : endedLimits,
        waiting: waiting(),
        flush,
      });
      if (planned.works.length > 0 || planned.settled.length > 0) journal.plan(row, planned);
      return planned.dueAt;
    },
  };
}
