// What is said while memory that was lost is made again.
import type { RebuildProgress } from "../backfill/rebuild.ts";
import { plural } from "../text/text.ts";

/** One line: how far it is, and what came of it so far. */
export function rebuildText({ sessions, records }: RebuildProgress): string {
  const { done, total } = sessions;
  return `what was lost is being made again: ${done} of ${plural(total, "session")} looked at, ${plural(records, "record")} so far`;
}
