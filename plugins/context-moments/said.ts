// Remembers what each session was told, so that nothing is told twice. Bounded; lost on restart without harm.
import { dropOldest } from "../../src/text/index.ts";

/** What was told, by session. */
export interface Said {
  /** True the first time. */
  isNew(session: string, what: string): boolean;
  /** The session's context was cleared: it may be told again. */
  forget(session: string): void;
}

/** Of at most `mostSessions` sessions, `most` things each; the oldest go first. */
export function createSaid(mostSessions = 300, most = 500): Said {
  const sessions = new Map<string, Set<string>>();
  return {
    isNew(session, what) {
      const said = sessions.get(session) ?? new Set<string>();
      if (said.has(what)) return false;
      said.add(what);
      dropOldest(said, most);
      sessions.delete(session);
      sessions.set(session, said);
      dropOldest(sessions, mostSessions);
      return true;
    },
    forget: (session) => void sessions.delete(session),
  };
}
