// What memoir found out about its own files: damage, what was saved of it, and where the damaged file is.
import { findingText, markSeen, recentFindings } from "../home/findings.ts";
import type { Paths } from "../home/paths.ts";
import { ago } from "../text/amounts.ts";
import { type Check, warn } from "./check.ts";

/** Each finding that nobody marked as seen; with `seen` they are marked now, and told a last time. */
export function checkFindings({ home }: Paths, now: number, seen: boolean): Check[] {
  const found = recentFindings(home, now);
  const isNoted =
    seen &&
    markSeen(
      home,
      found.map(({ id }) => id),
    );
  return found.map((finding) =>
    warn(
      "damage",
      `${ago(finding.time, now)}: ${findingText(finding)}`,
      isNoted
        ? "Noted as seen."
        : "Check that disk. `memoir doctor --seen` notes that you have read this.",
    ),
  );
}
