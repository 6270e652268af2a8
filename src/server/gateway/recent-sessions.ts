// Which sessions use the gateway: those that sent a request lately would lose their model with it.

/** A session that sent nothing for this long is taken for closed, or can wait for a new start. */
export const recentMs = 30 * 60_000;
const mostKept = 1_000;

export interface RecentSessions {
  /** A request came. */
  seen(session: string): void;
  /** How many sent one within `recentMs`. */
  count(): number;
}

/** Nobody was seen yet; `now` gives epoch ms. */
export function createRecentSessions(now: () => number): RecentSessions {
  const last = new Map<string, number>();
  return {
    seen(session) {
      last.delete(session);
      last.set(session, now());
      const [oldest] = last.keys();
      if (last.size > mostKept && oldest !== undefined) last.delete(oldest);
    },
    count() {
      const since = now() - recentMs;
      for (const [session, time] of last) if (time < since) last.delete(session);
      return last.size;
    },
  };
}
