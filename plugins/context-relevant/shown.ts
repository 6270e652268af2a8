// Remembers what each session was already shown, so that nothing is said twice. Bounded; lost on restart without harm.
import { dropOldest } from "../../src/text/index.ts";

/** Ids shown, by session. */
export interface Shown {
  has(session: string, id: string): boolean;
  add(session: string, ids: readonly string[]): void;
  /** The session's context was cleared: it may be told again. */
  forget(session: string): void;
}

/** An empty record of at most `maxSessions` sessions and `maxIds` ids each; the oldest go first. */
export function createShown(maxSessions = 300, maxIds = 300): Shown {
  const sessions = new Map<string, Set<string>>();
  return {
    has: (session, id) => sessions.get(session)?.has(id) ?? false,
    add(session, ids) {
      const known = sessions.get(session) ?? new Set<string>();
      for (const id of ids) known.add(id);
      dropOldest(known, maxIds);
      sessions.delete(session);
      sessions.set(session, known);
      dropOldest(sessions, maxSessions);
    },
    forget: (session) => void sessions.delete(session),
  };
}
