// What memory is about to let go by the user's rules, in a line.
import { localClock, size } from "../text/amounts.ts";
import { plural } from "../text/text.ts";

/** What is told of a plan; the oldest session first. */
interface Going {
  sessions: ReadonlyArray<{ lastActiveAt: number; prompts: number }>;
  bytes: number;
  freed: number;
}

/** `12 sessions with 1,204 prompts, last active before 2026-01-02, about 3 MB of 10 MB`; undefined where nothing would go. */
export function saidOf({ sessions, bytes, freed }: Going): string | undefined {
  const newest = sessions.at(-1);
  if (!newest) return undefined;
  const prompts = sessions.reduce((sum, session) => sum + session.prompts, 0);
  const day = localClock.day(newest.lastActiveAt + 86_400_000);
  return `${plural(sessions.length, "session")} with ${plural(prompts, "prompt")}, last active before ${day}, about ${size(freed)} of ${size(bytes)}`;
}
