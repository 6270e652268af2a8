// The runtime's side of reading transcripts afterwards: events through capture into the journal like any other, but nobody is answered.

import { setImmediate } from "node:timers/promises";
import type { ClientEvent } from "../../sdk/events.ts";
import type { Session } from "../../sdk/model.ts";
import { adoptedOf } from "../hooks/ask-storage.ts";
import { againKey, type PastEvent } from "../journal/events.ts";
import type { Journal } from "../journal/journal.ts";
import type { PlannedWork } from "../journal/planning.ts";
import type { Captured } from "../ports.ts";
import { decideWork, workKey } from "../worker/plan.ts";
import { type Worker, workerDefaults } from "../worker/worker.ts";

/** What readers of transcripts are offered. Made by the runtime; `capture` runs the plugins in force. */
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
    /** What plugins counted of what they gave, from the hour of a time (epoch ms) on. */
    noted: journal.noted,
  };
}

/**
 * What became of an event that was read from a transcript. `committed`: new. `recovered`: an earlier reading brought it.
 * `delivered`: a hook did that before, or another transcript with the same history has it. `dropped`: by a capture plugin.
 */
export type Recovery = "committed" | "recovered" | "delivered" | "dropped";

/** Gives what became of each event, in order; all are committed then. Rejects when the journal cannot be written. */
async function recoverEvents(
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
      // As of one that a hook delivers: the status says how many, and why.
      journal.count(`drop:${captured.drop}`);
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
  const { isNew, recovered } = await journal.append(event);
  if (isNew) return "committed";
  return recovered ? "recovered" : "delivered";
}

// The runtime's side of making again what storage lost: what the journal has of the past, what is put there from transcripts, and the work on it.

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
  texts: Array<{ number: number; text: string; time: number }>;
  /** Those of which something still waits for its work. */
  waiting: ReadonlySet<number>;
  /** Whether nothing may be made of one. */
  isForgotten(number: number): boolean;
}

/** For whoever makes again what was lost. */
export type Past = ReturnType<typeof createPast>;

/** The journal's number of a client's session. */
function rowOf(
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
  function textOfPrompt(row: number, number: number) {
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
        texts: row === undefined ? [] : [...whole].flatMap((number) => textOfPrompt(row, number)),
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
function withRecordedBranch(event: ClientEvent): ClientEvent {
  const { project, recovered } = event;
  if (!project || !recovered) return event;
  const { branch: _, ...rest } = project;
  const { branch } = recovered;
  return { ...event, project: branch === undefined ? rest : { ...rest, branch } };
}

// Which work has to be done again so that storage has what the journal still holds the events of: pure.

/** What storage has of one session. */
export interface StoredSession {
  /** Numbers of prompts, by what is there of them. */
  prompts: ReadonlySet<number>;
  turns: ReadonlySet<number>;
  summaries: ReadonlySet<number>;
  observed: ReadonlySet<number>;
  /** Ids. */
  observations: ReadonlySet<string>;
  /** The session itself, with its title. */
  isKnown: boolean;
  /** Its own summary. */
  isSummed: boolean;
}

/**
 * Pieces for what is missing, as the same events gave them the first time. Keys begin with `stamp`, so that storage does not
 * take them for the first ones. `wasSummed`: the session had a summary of its own. A prompt of which an event still waits for its work is left to that.
 */
export function worksAgain(
  events: readonly PastEvent[],
  stored: StoredSession,
  { stamp, wasSummed }: { stamp: string; wasSummed: boolean },
): PlannedWork[] {
  const works: PlannedWork[] = [];
  const byPrompt = Map.groupBy(events, ({ promptNumber }) => promptNumber);
  for (const [number, own] of [...byPrompt].sort(([a], [b]) => a - b))
    if (own.every(({ outcome }) => outcome !== null && outcome !== "parked"))
      works.push(...ofPrompt(number, own, stored));
  const whole = events.filter(({ isWhole }) => isWhole);
  const end =
    whole.findLast(({ name }) => name === "SessionEnd") ??
    whole.findLast(({ name }) => name === "Stop");
  if (
    end &&
    (wasSummed || (end.isAgain && end.name === "SessionEnd")) &&
    !(stored.isSummed && stored.isKnown)
  )
    works.push(piece("summarize-session", end.promptNumber, [end]));
  return works.map((work) => ({ ...work, key: `${stamp}:${work.key}` }));
}

function ofPrompt(number: number, own: readonly PastEvent[], stored: StoredSession): PlannedWork[] {
  const whole = own.filter(({ isWhole }) => isWhole);
  const prompt = whole.find(({ name }) => name === "UserPromptSubmit");
  const stop = whole.findLast(({ name }) => name === "Stop");
  const works: PlannedWork[] = [];
  // The first prompt also gives the session its title.
  if (prompt && (!stored.prompts.has(number) || (number === 1 && !stored.isKnown)))
    works.push(piece("prompt", number, [prompt]));
  if (prompt && !stored.turns.has(number)) works.push(turn(number, whole));
  works.push(...observed(number, whole, stored));
  if (stop?.spoken && !stored.summaries.has(number))
    works.push(piece("summarize-prompt", number, [stop]));
  return works;
}

/** Batches of the tool uses of which nothing is stored any more. */
function observed(
  number: number,
  whole: readonly PastEvent[],
  { observations, observed }: StoredSession,
): PlannedWork[] {
  const isLost = ({ isAgain, outcome, observations: ids }: PastEvent) =>
    isAgain
      ? !observed.has(number)
      : outcome === "stored" && ids.length > 0 && !ids.some((id) => observations.has(id));
  const lost = whole.filter((event) => event.toolUseId !== undefined && isLost(event));
  if (lost.length === 0) return [];
  const others = whole.filter(({ name }) => name === "Stop" || name === "SubagentStop");
  const { works } = decideWork({
    ...{ events: [...lost, ...others].sort((a, b) => a.seq - b.seq), past: new Map() },
    ...{ prompts: number, lastActivity: null, summarizedSeq: 0, lastReceivedAt: 0, now: 0 },
    ...{ limits: workerDefaults, waiting: new Set<string>(), flush: true },
  });
  return works.filter(({ kind }) => kind === "observe");
}

/** It reads its events itself. */
function turn(number: number, whole: readonly PastEvent[]): PlannedWork {
  const keys = [String(number), "again", ...whole.slice(0, 1).map(({ key }) => key)];
  const key = workKey("turn", keys);
  return { kind: "turn", key, promptNumber: number, seqs: [], waiting: false };
}

function piece(
  kind: PlannedWork["kind"],
  promptNumber: number,
  events: readonly PastEvent[],
): PlannedWork {
  const key = workKey(
    kind,
    events.map((event) => event.key),
  );
  return { kind, key, promptNumber, seqs: events.map(({ seq }) => seq), waiting: false };
}
