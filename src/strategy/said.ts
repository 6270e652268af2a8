// Remembers what each session was told, so that nothing is said twice. Bounded; lost on restart without harm.
import { dropOldest } from "../text/drop-oldest.ts";

/** What was said (ids, or keys of a plugin's own), by session. */
export interface Said {
  has(session: string, what: string): boolean;
  add(session: string, whats: readonly string[]): void;
  /** True the first time; from then on it counts as said. */
  isNew(session: string, what: string): boolean;
  /** The session's context was cleared: all may be said again. */
  forget(session: string): void;
}

/** Of at most `mostSessions` sessions, `most` things each; the oldest go first. */
export function createSaid(mostSessions = 300, most = 500): Said {
  const sessions = new Map<string, Set<string>>();

  const has = (session: string, what: string) => sessions.get(session)?.has(what) ?? false;

  function add(session: string, whats: readonly string[]): void {
    const said = sessions.get(session) ?? new Set<string>();
    for (const what of whats) said.add(what);
    dropOldest(said, most);
    sessions.delete(session);
    sessions.set(session, said);
    dropOldest(sessions, mostSessions);
  }

  return {
    has,
    add,
    isNew(session, what) {
      if (has(session, what)) return false;
      add(session, [what]);
      return true;
    },
    forget: (session) => void sessions.delete(session),
  };
}
