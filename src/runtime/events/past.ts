// The runtime's side of making again what storage lost: what the journal has of the past, what is put there from transcripts, and the work on it.

import type { ClientEvent } from "../../sdk/events.ts";
import type { Session } from "../../sdk/model.ts";
import { adoptedOf } from "../hooks/all-sessions.ts";
import { againKey } from "../journal/events.ts";
import type { Journal } from "../journal/journal.ts";
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
export type Past = ReturnType<typeof createPast>;

/** The journal's number of a client's session. */
export function rowOf(
  journal: Pick<Journal, "rows" | "state">,
  { session, client }: SessionName,
): number | undefined {
  return journal.rows(session).find((row) => journal.state(row)?.client === client);
}

/** Made by the runtime; `capture` runs the plugins in force. */
export function createPast(
  journal: Journal,
  worker: Worker,
  capture: (event: ClientEvent) => Promise<Captured>,
) {
  function toldPrompt(row: number, number: number) {
    const event = journal.prompt(row, number)?.event;
    if (event?.name !== "UserPromptSubmit") return [];
    return [{ number, text: event.prompt, time: event.time }];
  }

  return {
    /** Every session that the journal knows, the one heard of last first. */
    sessions: journal.knownSessions,
    prompts(name: SessionName): PastPrompts {
      const row = rowOf(journal, name);
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
    /** Sessions continue counting where these left off. */
    adopt: (sessions: readonly Session[]) => journal.adopt(adoptedOf(sessions)),
    /** Notes what memory has of a client's session, so that no transcript tells it a second time. */
    remember: journal.rememberPast,
    /** Puts what a transcript has of a prompt into the journal, through capture, as past. True where anything was taken. */
    async add(promptNumber: number, events: readonly ClientEvent[]): Promise<boolean> {
      const taken: ClientEvent[] = [];
      for (const event of events) {
        const captured = await capture(event);
        if ("drop" in captured) continue;
        const { key } = captured.event;
        taken.push({ ...withRecordedBranch(captured.event), key: `${againKey}${key}` });
      }
      return journal.addPast(promptNumber, taken) !== undefined;
    },
    /** Plans what storage lacks and the journal has; the number of pieces. No model is asked about them. */
    makeAgain(name: SessionName, stored: StoredSession, stamp: string): number {
      const row = rowOf(journal, name);
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
    /** Whether work on the session is still open. */
    isOpen(name: SessionName): boolean {
      const row = rowOf(journal, name);
      return row !== undefined && journal.hasOpenWork(row);
    },
  };
}

/** A capture plugin sees the branch of today. */
export function withRecordedBranch(event: ClientEvent): ClientEvent {
  const { project, recovered } = event;
  if (!project || !recovered) return event;
  const { branch: _, ...rest } = project;
  const { branch } = recovered;
  return { ...event, project: branch === undefined ? rest : { ...rest, branch } };
}
