// The runtime's side of reading transcripts afterwards: events through capture into the journal like any other, but nobody is answered.
import { setImmediate } from "node:timers/promises";
import type { ClientEvent } from "../../sdk/events.ts";
import type { Journal } from "../journal/journal.ts";
import type { Captured } from "../ports.ts";
import { workKey } from "../worker/plan.ts";
import type { Worker } from "../worker/worker-types.ts";
import { createPast, rowOf, withRecordedBranch } from "./past.ts";

/** What readers of transcripts are offered. */
export type TranscriptRuntime = ReturnType<typeof createTranscriptRuntime>;

/** Made by the runtime; `capture` runs the plugins in force. */
export function createTranscriptRuntime(
  journal: Journal,
  worker: Worker,
  capture: (event: ClientEvent) => Promise<Captured>,
) {
  return {
    /** Commits events, and says what became of each, in order. */
    recover: (events: readonly ClientEvent[]) => recoverEvents(events, journal, capture),
    /** Whether `recover` has something to do for this event: it is new, or an earlier reading was interrupted before its end. */
    async isNew(event: ClientEvent): Promise<boolean> {
      if (journal.knownKey(event.key) === "recovered") return true;
      // Capturing is what costs: what is known already is spared it.
      if (journal.hasKnown(event)) return false;
      const captured = await capture(event);
      return !("drop" in captured) && !journal.hasKnown(captured.event);
    },
    /** Runs the capture plugins over an event that is not kept. */
    capture,
    /** Plans the turns of a session whose events are still there; answers their numbers. */
    remakeTurns(session: string, client: string, numbers: readonly number[]): number[] {
      const row = rowOf(journal, { session, client });
      if (row === undefined) return [];
      const there = numbers.filter((number) => journal.prompt(row, number));
      const works = there.map((promptNumber) => ({
        kind: "turn" as const,
        key: workKey("turn", [client, session, String(promptNumber), "filled"]),
        promptNumber,
        seqs: [],
        waiting: false,
      }));
      if (works.length > 0) {
        journal.plan(row, { works, settled: [], dueAt: null, summarizedSeq: null });
        worker.wake(session, { later: true });
      }
      return there;
    },
    /** Whether something of a session was forgotten: its transcript says it still. */
    isPartlyForgotten(session: string, client: string): boolean {
      const row = rowOf(journal, { session, client });
      if (row === undefined) return false;
      const { prompts = 0 } = journal.state(row) ?? {};
      const numbers = Array.from({ length: prompts + 1 }, (_, number) => number);
      return numbers.some((number) => journal.isForgotten(row, number));
    },
    /** For making again what storage lost. */
    past: createPast(journal, worker, capture),
    /** Puts a session's committed events to work, after everything that hooks delivered. */
    workOn: (session: string) => worker.wake(session, { later: true }),
    drain: worker.drain,
    /** How far a reader came with each transcript, or with these, by path. */
    marks: journal.transcriptMarks,
    mark: journal.markTranscripts,
    /** Drops the texts of a session's recovered events that are worked off. */
    release: (session: string, client = "claude-code") => journal.releaseRecovered(session, client),
    /** Sessions that hooks delivered events of. */
    heard: journal.heardSessions,
    /** What sessions were given to read from a time (epoch ms) on, oldest first. */
    injections: journal.injections,
    /** What plugins counted of what they told, from the hour of a time (epoch ms) on. */
    noted: journal.noted,
  };
}

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
  const results: Array<Recovery | ClientEvent> = [];
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
    if ("drop" in captured) {
      results.push("dropped");
      continue;
    }
    if (captured.event.withheld) journal.count("withheld");
    results.push(withRecordedBranch(captured.event));
  }
  // All at once: they share a transaction.
  return Promise.all(
    results.map((result) => (typeof result === "string" ? result : append(journal, result))),
  );
}

async function append(journal: Journal, event: ClientEvent): Promise<Recovery> {
  const { fresh, recovered } = await journal.append(event);
  if (fresh) return "committed";
  return recovered ? "recovered" : "delivered";
}
