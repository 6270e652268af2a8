// What the journal promises: the runtime appends and asks, the worker plans, leases and finishes.
import type { ClientEvent, ClientEventName } from "../../sdk/events.ts";
import type { Project } from "../../sdk/model.ts";
import type { Settled } from "../../sdk/work.ts";
import type {
  JournalEvent,
  JournalSession,
  JournalStatus,
  Outcome,
  Work,
  WorkKind,
} from "../ports.ts";
import type { CarriedInjection, Injection } from "./injection-rows.ts";
import type { LateEvent, OpenSession, TimeOfSession, ToldText } from "./lately-rows.ts";
import type { Noted, NotedCount } from "./noted-rows.ts";
import type { HeardSession, KnownKey, TranscriptMark } from "./recovery-rows.ts";
import type { Forgotten } from "./tombstones.ts";

/** What became of an appended event. */
export interface Appended {
  seq: number;
  promptNumber: number;
  /** The journal's own number for its session; absent when nothing was kept of it. */
  row?: number;
  /** False when an event with the same key was committed before; `seq` and `promptNumber` are that one's. */
  fresh: boolean;
  /** True when what the journal has of it was read from a transcript, now or before. */
  recovered: boolean;
}

/** A session with what planning needs to know. `row` is the journal's own number for it. */
export interface SessionState extends JournalSession {
  row: number;
  /** Epoch ms at which its last event was taken. */
  lastReceivedAt: number;
  /** The newest prompt, tool use or Stop; null before the first. */
  lastActivity: { seq: number; key: string } | null;
  /** Activity up to this seq is in a session summary, planned or done. */
  summarizedSeq: number;
}

/** A committed event that is in no piece of work yet, without its payload. */
export interface PendingEvent {
  seq: number;
  key: string;
  name: ClientEventName;
  promptNumber: number;
  receivedAt: number;
  /** Payload size. */
  bytes: number;
  /** For tool events. */
  toolUseId?: string;
  /** The subagent's id. */
  agent?: string;
  /** A Stop that carries the assistant's last message, or a tool use that the user stopped. */
  spoken: boolean;
  /** Read from a transcript. */
  recovered: boolean;
}

/** A committed event without its payload, and how it ended. */
export interface PastEvent extends PendingEvent {
  /** Null while it waits for its work. */
  outcome: Outcome | null;
  /** Ids of what was stored of it. */
  observations: string[];
  /** Its payload is there. */
  isWhole: boolean;
  /** Put here from a transcript to be made again. */
  isAgain: boolean;
}

/** A session that the journal knows. */
export interface KnownSession {
  session: string;
  client: string;
  prompts: number;
  transcriptPath?: string;
}

/** What storage knows of a session that the journal may have lost. */
export interface AdoptedSession {
  session: string;
  client: string;
  project: Project;
  prompts: number;
  transcriptPath: string | undefined;
  startedAt: number;
  lastActiveAt: number;
}

/** What is known of a prompt from events that are planned already. */
export interface PromptPast {
  stopped: boolean;
  toolUses: boolean;
}

/** A piece of work about to be written down. */
export interface PlannedWork {
  kind: WorkKind;
  key: string;
  promptNumber: number;
  seqs: number[];
  waiting: boolean;
}

/** The outcome of planning one session. */
export interface Plan {
  works: PlannedWork[];
  /** Events nothing has to be done for. */
  settled: Array<{ seq: number; reason: string }>;
  /** When time alone makes more work, epoch ms; null for never. */
  dueAt: number | null;
  /** Set when a session summary was planned. */
  summarizedSeq: number | null;
}

/** How one tool use ended. */
export interface ToolOutcome {
  outcome: Outcome;
  reason?: string;
  observations?: string[];
}

/** A settled tool use of which listeners were not notified yet. */
export interface Unnotified {
  seq: number;
  settled: Settled;
}

/** A leased piece of work, with the storage that a broken-off attempt may have written to. */
export interface LeasedWork extends Work {
  row: number;
  /** Its events whose texts cannot be read: they are not among `events`, and end with it. */
  unreadable: readonly number[];
  /** The storage in force when it was leased, unless `interruptedIn` names one. */
  storage: string;
  /** Set when an earlier attempt may have stored in this: it ended without a word (a crash), or its put did. */
  interruptedIn: string | null;
}

/** The answer to asking for a session's next piece. */
export type Lease =
  | { state: "leased"; work: LeasedWork }
  /** There is work, but not before `at`. */
  | { state: "later"; at: number }
  | { state: "none" };

/**
 * The worker's side of the journal. Every call but `flushed` is synchronous, one transaction, and throws MemoirError. A
 * killed process loses nothing of it; a power failure, what was written since the last append or `flushed`.
 */
export interface WorkLedger {
  /** Sessions that have something to plan, run, tell or summarize. */
  unfinished(): number[];
  /** Journal numbers of the sessions with this client session id, of whatever client. */
  rows(session: string): number[];
  rowsOfProject(project: string): number[];
  state(row: number): SessionState | undefined;
  pending(row: number): PendingEvent[];
  /** By prompt number, for prompts from `from` on. */
  past(row: number, from: number): Map<number, PromptPast>;
  plan(row: number, plan: Plan): void;
  /** Takes the session's next piece until `until`; `storage` is the one in force. */
  lease(row: number, until: number, storage: string): Lease;
  /** Before a put: notes that it goes to another storage than the one in force at the lease. False when the lease was lost. */
  putsIn(work: LeasedWork, storage: string): boolean;
  /** Resolves once everything written so far is on disk; rejects with `journal_unwritable`. */
  flushed(): Promise<void>;
  /** False when the lease was lost. */
  renew(work: LeasedWork, until: number): boolean;
  /**
   * Writes work and outcomes of its events in one step. Tool events not named count as skipped without a reason;
   * answers the tool uses that ended now, or undefined when the lease was lost.
   */
  finish(work: LeasedWork, outcomes: ReadonlyMap<number, ToolOutcome>): Unnotified[] | undefined;
  /**
   * Back to pending until `at`, or parked with its reason when `at` is null. Answers like `finish`. `mayBeStored`: what
   * the attempt put may be in its storage all the same.
   */
  fail(
    work: LeasedWork,
    reason: string,
    at: number | null,
    mayBeStored?: boolean,
  ): Unnotified[] | undefined;
  /** Settled tool uses of which no listener heard, left over by a crash. */
  unnotified(): Unnotified[];
  markNotified(seqs: readonly number[]): void;
  /** Lets go of all leases: whoever starts working on the journal is the only one to do so. */
  releaseLeases(): void;
  /** True while a session has pending or leased work. */
  hasOpenWork(row: number): boolean;
  /** Parked pieces back to pending, all or the given ones; answers their sessions. */
  retryParked(ids?: readonly number[]): number[];
  /** How a tool use ended, and which session it belongs to; undefined when the journal does not know it. */
  toolUse(toolUseId: string): { row: number; settled: Settled | undefined } | undefined;
  /** The newest prompt event with this number. */
  prompt(row: number, promptNumber: number): JournalEvent | undefined;
  /** Tool events of one prompt, oldest first; of more than the limits allow, the newest. */
  toolEvents(
    row: number,
    promptNumber: number,
    limits: { events: number; bytes: number },
  ): JournalEvent[];
  lastStop(row: number): JournalEvent | undefined;
  /** Empties the events of these prompts, or of all up to now; nothing is made of them from here on. Answers their tool uses. */
  forget(row: number, promptNumbers?: readonly number[]): string[];
  /** The same of a whole session, with what names it. */
  forgetSession(row: number): string[];
  /** Notes what was forgotten, as hashes: nothing brings it back. */
  bury(forgotten: readonly Forgotten[]): void;
  /** Whether this was forgotten. */
  isBuried(one: Forgotten): boolean;
  /** Whether nothing may be made of this prompt; without a number, of none that the session has had. */
  isForgotten(row: number, promptNumber?: number): boolean;
  /**
   * Gives every event of a prompt that tells something of it to `each`, in the order in which they happened; answers
   * how many there were whose texts are gone.
   */
  turnEvents(row: number, promptNumber: number, each: (event: ClientEvent) => void): number;
  /** The prompts after this one, by time, whose texts are still there; at most `limit`. */
  laterPrompts(
    row: number,
    than: { promptNumber: number; time: number },
    limit: number,
  ): JournalEvent[];
}

/** The local, durable record of everything that was accepted. */
export interface Journal extends WorkLedger {
  /** Resolves once the event is committed to disk; rejects with `journal_unwritable`. Appends of one tick share a transaction. */
  append(event: ClientEvent): Promise<Appended>;
  /** The session with this client session id; the most recently active one when two clients share an id. */
  session(id: string, client?: string): JournalSession | undefined;
  /** Adds to a counter of `status`; written with the next transaction. */
  count(name: string, by?: number): void;
  status(): JournalStatus;
  /** Sessions that are open and were heard of since (epoch ms), the newest events, and what the last session was told. */
  lately(
    since: number,
    events: number,
  ): { sessions: OpenSession[]; happened: LateEvent[]; told: ToldText[] };
  /** What a session was told, the oldest first. */
  toldTo(asked: TimeOfSession): ToldText[];
  /** An event's own texts, where they are there and no larger than this. */
  lateText(seq: number, mostBytes: number): ClientEvent | undefined;
  /** What the journal has under an event's key. */
  knownKey(key: string): KnownKey;
  /** Whether an event that was read from a transcript would bring nothing: it came before, or was forgotten. */
  hasKnown(event: ClientEvent): boolean;
  /** How far a reader (`backfill`, `watch`) came with each transcript, or with these, by path. */
  transcriptMarks(reader: string, paths?: readonly string[]): Map<string, TranscriptMark>;
  markTranscripts(reader: string, marks: readonly TranscriptMark[]): void;
  /** Drops the texts of a session's recovered events that are worked off. */
  releaseRecovered(session: string, client: string): void;
  /** Sessions that hooks delivered events of. */
  heardSessions(): HeardSession[];
  /** True when no model may be asked for this session now. */
  isModelFree(session: string): boolean;
  /** Every session, the one heard of last first. */
  knownSessions(): KnownSession[];
  /** Sessions go on counting where these left off. */
  adopt(sessions: readonly AdoptedSession[]): void;
  /** Asked from now on whenever a damaged file was replaced, before anything is written. */
  adoptFrom(source: () => Promise<readonly AdoptedSession[]>): void;
  /** Notes what memory has already, so that no transcript tells it a second time. */
  rememberPast(
    client: string,
    had: { prompts: readonly ClientEvent[]; toolUses: readonly string[] },
  ): void;
  /** All events of a session that are there, but of prompts that were forgotten; by seq. */
  pastEvents(row: number): PastEvent[];
  /** Plans pieces whose results storage lost; no model is asked about them. */
  again(row: number, works: readonly PlannedWork[]): void;
  /**
   * Takes what a transcript has of a prompt in place of its finished events, as past; nothing is done for it yet. Answers the
   * session's number; undefined where nothing was taken, since it was forgotten.
   */
  addPast(promptNumber: number, events: readonly ClientEvent[]): number | undefined;
  /** Notes what a session was given to read; written with the next transaction. */
  inject(injection: Injection): void;
  /** From `since` (epoch ms) on, oldest first. */
  injections(since: number): CarriedInjection[];
  /** Counts what a plugin told and what became of it; written with the next transaction. */
  note(noted: Noted): void;
  /** From the hour of `since` (epoch ms) on. */
  noted(since: number): NotedCount[];
  /** Deletes events of finished work settled more than `keepMs` ago, in small steps; answers how many. Parked work keeps its events four times as long. */
  prune(keepMs: number): Promise<number>;
  /** True where more was forgotten than it knew when it was opened: it was begun anew, or an earlier one was gone back to. */
  readonly isBehind: boolean;
  /** Whether the user ever had anything forgotten. */
  hasForgotten(): boolean;
  /** Makes what was forgotten final: no file of the journal's holds a word of it, and its hashes stand in a second place. */
  purge(): Promise<void>;
  /** Commits what is queued, then closes the file. */
  close(): Promise<void>;
}
