// Says at the next prompt what was found out about memoir's own files; twice, so that it is not overlooked.
import {
  findingsChangedAt,
  findingText,
  type KnownFinding,
  markShown,
  openFindings,
  pruneFindings,
} from "../../home/findings.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import { isShown } from "../budget/notices.ts";

/** What there is to say with the answer to an event; each finding once in a session. */
export type FindingNotice = (event: ClientEvent) => string | undefined;

/** The list is read again only when its file has changed. */
export function createFindingNotice(home: string): FindingNotice {
  // A list that cannot be shortened is read as it is.
  pruneFindings(home).catch(() => undefined);
  let known: KnownFinding[] = [];
  let readAt = 0;
  /** Sessions that were told, by finding. */
  const told = new Map<string, Set<string>>();

  function reread(): void {
    const changedAt = findingsChangedAt(home);
    if (changedAt === readAt) return;
    readAt = changedAt;
    known = changedAt === 0 ? [] : openFindings(home);
  }

  return (event) => {
    if (!isShown(event) || event.name === "Stop") return undefined;
    reread();
    const fresh = known.filter(({ id }) => !told.get(id)?.has(event.session));
    if (fresh.length === 0) return undefined;
    for (const { id } of fresh) told.set(id, (told.get(id) ?? new Set()).add(event.session));
    markShown(
      home,
      fresh.map(({ id }) => id),
    );
    return fresh.map((finding) => `memoir: ${findingText(finding)}`).join("\n");
  };
}
