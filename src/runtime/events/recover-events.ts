// Takes in events that were read from a transcript: through capture into the journal like any other, but nobody is answered.
import { setImmediate } from "node:timers/promises";
import type { ClientEvent } from "../../sdk/events.ts";
import type { Journal } from "../journal/journal-types.ts";
import type { Captured } from "../ports.ts";

/**
 * What became of an event that was read from a transcript. `committed`: new. `recovered`: an earlier reading brought it.
 * `delivered`: a hook did that before, or another transcript with the same history has it. `dropped`: by a capture plugin.
 */
export type Recovery = "committed" | "recovered" | "delivered" | "dropped";

/** Gives what became of each event, in order; all are committed then. Rejects when the journal cannot be written. */
export async function recoverEvents(
  events: readonly ClientEvent[],
  journal: Journal,
  capture: (event: ClientEvent) => Promise<Captured>,
): Promise<Recovery[]> {
  const results: Array<Promise<Recovery> | Recovery> = [];
  for (const event of events) {
    // Capturing is what costs: what is known already is spared it.
    const known = journal.knownKey(event.key);
    if (known === "delivered" || known === "recovered") {
      results.push(known);
      continue;
    }
    // A start says only where and when: of a session that is known already, both are.
    if (event.name === "SessionStart" && journal.session(event.session, event.client)) {
      results.push(known ? "recovered" : "delivered");
      continue;
    }
    const captured = await capture(event);
    // Redacting a large result takes a while: a hook that waits for its answer goes first.
    await setImmediate();
    if ("drop" in captured) results.push("dropped");
    else {
      if (captured.event.withheld) journal.count("withheld");
      results.push(append(journal, withRecordedBranch(captured.event)));
    }
  }
  return Promise.all(results);
}

async function append(journal: Journal, event: ClientEvent): Promise<Recovery> {
  const { fresh, recovered } = await journal.append(event);
  if (fresh) return "committed";
  return recovered ? "recovered" : "delivered";
}

/** A capture plugin sees the branch of today. */
export function withRecordedBranch(event: ClientEvent): ClientEvent {
  const { project, recovered } = event;
  if (!project || !recovered) return event;
  const { branch: _, ...rest } = project;
  const { branch } = recovered;
  return { ...event, project: branch === undefined ? rest : { ...rest, branch } };
}
