// The runtime's side of reading transcripts afterwards.
import type { ClientEvent } from "../../sdk/events.ts";
import type { Journal } from "../journal/journal.ts";
import type { HeardSession } from "../journal/sessions.ts";
import type { CarriedInjection, NotedCount } from "../journal/told.ts";
import type { TranscriptMark } from "../journal/transcripts.ts";
import type { Captured } from "../ports.ts";
import { workKey } from "../worker/plan.ts";
import type { DrainRequest, Worker } from "../worker/worker-types.ts";
import { createPast, type Past, type Recovery, recoverEvents } from "./past.ts";

/** What readers of transcripts are offered. */
export interface TranscriptRuntime {
  /** Commits events, and says what became of each, in order. */
  recover(events: readonly ClientEvent[]): Promise<Recovery[]>;
  /** Whether `recover` has something to do for this event: it is new, or an earlier reading was interrupted before its end. */
  isNew(event: ClientEvent): Promise<boolean>;
  /** Runs the capture plugins over an event that is not kept. */
  capture(event: ClientEvent): Promise<Captured>;
  /** Plans the turns of a session whose events are still there; answers their numbers. */
  remakeTurns(session: string, client: string, numbers: readonly number[]): number[];
  /** Whether something of a session was forgotten: its transcript says it still. */
  isPartlyForgotten(session: string, client: string): boolean;
  /** For making again what storage lost. */
  readonly past: Past;
  /** Puts a session's committed events to work, after everything that hooks delivered. */
  workOn(session: string): void;
  /** True when the asked work is done, false after `timeoutMs`. */
  drain(request: DrainRequest): Promise<boolean>;
  /** How far a reader came with each transcript, or with these, by path. */
  marks(reader: string, paths?: readonly string[]): Map<string, TranscriptMark>;
  mark(reader: string, marks: readonly TranscriptMark[]): void;
  /** Drops the texts of a session's recovered events that are worked off. */
  release(session: string, client?: string): void;
  /** Sessions that hooks delivered events of. */
  heard(): HeardSession[];
  /** What sessions were given to read from `since` (epoch ms) on, oldest first. */
  injections(since: number): CarriedInjection[];
  /** What plugins counted of what they told, from the hour of `since` (epoch ms) on. */
  noted(since: number): NotedCount[];
}

/** Made by the runtime; `capture` runs the plugins in force. */
export function createTranscriptRuntime(
  journal: Journal,
  worker: Worker,
  capture: (event: ClientEvent) => Promise<Captured>,
): TranscriptRuntime {
  return {
    recover: (events) => recoverEvents(events, journal, capture),
    async isNew(event) {
      if (journal.knownKey(event.key) === "recovered") return true;
      // Capturing is what costs: what is known already is spared it.
      if (journal.hasKnown(event)) return false;
      const captured = await capture(event);
      return !("drop" in captured) && !journal.hasKnown(captured.event);
    },
    capture,
    remakeTurns(session, client, numbers) {
      const row = journal.rows(session).find((one) => journal.state(one)?.client === client);
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
    isPartlyForgotten(session, client) {
      return journal.rows(session).some((row) => {
        const state = journal.state(row);
        if (state?.client !== client) return false;
        const numbers = Array.from({ length: state.prompts + 1 }, (_, number) => number);
        return numbers.some((number) => journal.isForgotten(row, number));
      });
    },
    past: createPast(journal, worker, capture),
    workOn: (session) => worker.wake(session, { later: true }),
    drain: (request) => worker.drain(request),
    marks: (reader, paths) => journal.transcriptMarks(reader, paths),
    mark: (reader, marks) => journal.markTranscripts(reader, marks),
    release: (session, client = "claude-code") => journal.releaseRecovered(session, client),
    heard: () => journal.heardSessions(),
    injections: (since) => journal.injections(since),
    noted: (since) => journal.noted(since),
  };
}
