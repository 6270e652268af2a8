// The runtime's side of making again what storage lost: what the journal has of the past, what is put there from transcripts, and the work on it.

import { setImmediate } from "node:timers/promises";
import type { ClientEvent } from "../../sdk/events.ts";
import type { Session } from "../../sdk/model.ts";
import { adoptedOf } from "../hooks/all-sessions.ts";
import { againKey } from "../journal/events.ts";
import type { Journal } from "../journal/journal.ts";
import type { KnownSession } from "../journal/sessions.ts";
import type { Captured } from "../ports.ts";
import type { Worker } from "../worker/worker-types.ts";
import { type StoredSession, worksAgain } from "./works-again.ts";

/** Which session is meant. */
export interface SessionName {
  /** The client's id. */
  session: string;
  client: string;
}

/** What the journal has of a session's prompts, by number. */
export interface PastPrompts {
  /** All that there were. */
  count: number;
  /** Those whose own texts are there. */
  whole: ReadonlySet<number>;
  /** The same with their texts. */
  told: Array<{ number: number; text: string; time: number }>;
  /** Those of which something still waits for its work. */
  waiting: ReadonlySet<number>;
  /** Whether nothing may be made of one. */
  isForgotten(number: number): boolean;
}

/** For whoever makes again what was lost. */
export interface Past {
  /** Every session that the journal knows, the one heard of last first. */
  sessions(): KnownSession[];
  prompts(name: SessionName): PastPrompts;
  /** Sessions go on counting where these left off. */
  adopt(sessions: readonly Session[]): void;
  /** Notes what memory has of a client's session, so that no transcript tells it a second time. */
  remember(client: string, had: { prompts: ClientEvent[]; toolUses: string[] }): void;
  /** Puts what a transcript has of a prompt into the journal, through capture, as past. True where anything was taken. */
  add(promptNumber: number, events: readonly ClientEvent[]): Promise<boolean>;
  /** Plans what storage lacks and the journal has; the number of pieces. No model is asked about them. */
  makeAgain(name: SessionName, stored: StoredSession, stamp: string): number;
  /** Whether work on the session is still open. */
  isOpen(name: SessionName): boolean;
}

/** Made by the runtime; `capture` runs the plugins in force. */
export function createPast(
  journal: Journal,
  worker: Worker,
  capture: (event: ClientEvent) => Promise<Captured>,
): Past {
  const rowOf = ({ session, client }: SessionName) =>
    journal.rows(session).find((row) => journal.state(row)?.client === client);

  function toldPrompt(row: number, number: number) {
    const event = journal.prompt(row, number)?.event;
    if (event?.name !== "UserPromptSubmit") return [];
    return [{ number, text: event.prompt, time: event.time }];
  }

  return {
    sessions: journal.knownSessions,
    prompts(name) {
      const row = rowOf(name);
      const events = row === undefined ? [] : journal.pastEvents(row);
      const numbers = (of: typeof events) => new Set(of.map(({ promptNumber }) => promptNumber));
      const whole = numbers(events.filter((one) => one.isWhole && one.name === "UserPromptSubmit"));
      return {
        told: row === undefined ? [] : [...whole].flatMap((number) => toldPrompt(row, number)),
        count: row === undefined ? 0 : (journal.state(row)?.prompts ?? 0),
        whole,
        waiting: numbers(events.filter(({ outcome }) => outcome === null)),
        isForgotten: (number) => row !== undefined && journal.isForgotten(row, number),
      };
    },
    adopt: (sessions) => journal.adopt(adoptedOf(sessions)),
    remember: journal.rememberPast,
    async add(promptNumber, events) {
      const taken: ClientEvent[] = [];
      for (const event of events) {
        const captured = await capture(event);
        if ("drop" in captured) continue;
        const { key } = captured.event;
        taken.push({ ...withRecordedBranch(captured.event), key: `${againKey}${key}` });
      }
      return journal.addPast(promptNumber, taken) !== undefined;
    },
    makeAgain(name, stored, stamp) {
      const row = rowOf(name);
      if (row === undefined) return 0;
      const wasSummed = (journal.state(row)?.summarizedSeq ?? 0) > 0;
      const works = worksAgain(journal.pastEvents(row), stored, {
        stamp: `${againKey}${stamp}`,
        wasSummed,
      });
      if (works.length === 0) return 0;
      journal.again(row, works);
      // Whoever works now goes first.
      worker.wake(name.session, { row, later: true });
      return works.length;
    },
    isOpen(name) {
      const row = rowOf(name);
      return row !== undefined && journal.hasOpenWork(row);
    },
  };
}

// Takes in events that were read from a transcript: through capture into the journal like any other, but nobody is answered.

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
function withRecordedBranch(event: ClientEvent): ClientEvent {
  const { project, recovered } = event;
  if (!project || !recovered) return event;
  const { branch: _, ...rest } = project;
  const { branch } = recovered;
  return { ...event, project: branch === undefined ? rest : { ...rest, branch } };
}
