// Feeds one recorded session to the runtime: in order, in pieces that fit into memory, resumable, and nothing twice.
import { existsSync } from "node:fs";
import { isAbsolute, sep } from "node:path";
import { recordedForm } from "../clients/index.ts";
import { type RecordedEvent, SessionEvents } from "../clients/normal/transcript-events.ts";
import type { Recovery } from "../runtime/events/transcripts.ts";
import type { TranscriptMark } from "../runtime/journal/sessions.ts";
import type { ClientEvent } from "../sdk/events.ts";
import type { AgentFile, SessionFiles, TranscriptFile } from "../transcript/discover.ts";
import type { BrokenLine, TranscriptEntry } from "../transcript/entry.ts";
import { withoutProgress } from "../transcript/parse-entry.ts";
import { readEntries } from "../transcript/read.ts";

interface FeedOptions {
  runtime: Recoverer;
  reader: Reader;
  /** No model may be asked about it. */
  modelFree: boolean;
  /** Epoch ms. */
  now(): number;
  /** Events older than this (epoch ms) are passed over. */
  since?: number;
  /** memoir's home: sessions of memoir's own are not remembered. */
  home: string;
  /** Aborts between two pieces. */
  signal?: AbortSignal;
  /** Told of bytes as they are read. */
  onBytes?(bytes: number): void;
}

/** What feeding a session came to. */
interface Fed {
  counts: Counts;
  /** False when its work was not over in time; the worker goes on with it. */
  settled: boolean;
}

/** A session that was silent for so long is over. */
export const overMs = 10 * 60_000;
/** Events handed over at a time, and texts of about so many characters. */
export const pieceEvents = 50;
export const pieceBytes = 1024 * 1024;
/** Worked off before more is read, so that the journal stays small. */
const drainBytes = 4 * 1024 * 1024;
const drainMs = 10 * 60_000;

/** True when this reader has read these files as they are now. */
export function isRead(files: SessionFiles, marks: ReadonlyMap<string, TranscriptMark>): boolean {
  return filesOf(files).every((file) => isSame(file, marks.get(file.path)));
}

/** Every file of a session. */
export function filesOf({ main, agents }: SessionFiles): Array<TranscriptFile | AgentFile> {
  return [...(main ? [main] : []), ...agents];
}

function isSame(file: TranscriptFile, mark: TranscriptMark | undefined): boolean {
  return mark?.bytes === file.bytes && mark.changedAt === file.changedAt;
}

/**
 * Reads what is new of a session, hands it over, waits for its work and leaves marks. Rejects when aborted.
 * Long because the session's file and those of its subagents are read in one order, into one outbox.
 */
export async function feedSession(files: SessionFiles, options: FeedOptions): Promise<Fed> {
  const { runtime, reader, now } = options;
  const { main, client } = files;
  const recorded = await recordedSession(files);
  const paths = filesOf(files).map(({ path }) => path);
  const marks = runtime.marks(reader, paths);
  const outbox = createOutbox(files.session, options);
  const made: TranscriptMark[] = [];
  const mark = main && marks.get(main.path);
  const from = mark && mark.bytes <= main.bytes ? mark : { offset: 0, lines: 0 };
  const goesOn =
    mark && !isSame(main, mark) ? await recorded.firstTime(main, from.offset) : undefined;
  const begins = await unreadAgents(files, marks, recorded.firstTime, goesOn);
  const waiting = [...begins.keys()];
  let cwd: string | undefined;

  /** A subagent's events go where it began; it has a file to itself. */
  async function feedAgents(until: number): Promise<void> {
    for (let file = waiting[0]; file && (begins.get(file) ?? 0) < until; file = waiting[0]) {
      waiting.shift();
      const { path } = file;
      const events = recorded.begin(file, { alone: !main && waiting.length === 0 });
      await feedFile(file, { offset: 0, lines: 0 }, events, async () => {});
      await outbox.put(events.end(true));
      made.push({ path, bytes: file.bytes, changedAt: file.changedAt, offset: 0, lines: 0 });
    }
  }

  async function feedFile(
    file: TranscriptFile,
    from: FilePlace,
    events: SessionEvents,
    before: (time: number) => Promise<void>,
  ): Promise<void> {
    let read = from.offset;
    for await (const entry of recorded.entries(file, from)) {
      if (entry.kind === "broken") continue;
      if (entry.time !== undefined) await before(entry.time);
      const found = events.add(entry);
      if (outbox.refuses(events.cwd())) return;
      if (found.length === 0) continue;
      await outbox.put(found);
      options.onBytes?.(entry.offset + entry.bytes - read);
      read = entry.offset + entry.bytes;
    }
    options.onBytes?.(file.bytes - read);
  }

  if (main) {
    cwd = "cwd" in from ? from.cwd : undefined;
    const events = recorded.begin(main, from.offset > 0 && cwd !== undefined ? { cwd } : {});
    if (main.bytes !== mark?.bytes || main.changedAt !== mark.changedAt || waiting.length > 0)
      await feedFile(main, from, events, feedAgents);
    await feedAgents(Number.POSITIVE_INFINITY);
    const over = now() - (events.lastTime() ?? now()) > overMs;
    // What is still going on is closed by the next reading.
    if (over) await outbox.put(events.end(true));
    const at = outbox.lastPrompt() ?? from;
    cwd = events.cwd() ?? cwd;
    const { path, bytes, changedAt } = main;
    const { offset, lines } = at;
    made.push({ path, bytes, changedAt, offset, lines, ...(cwd !== undefined && { cwd }) });
  } else await feedAgents(Number.POSITIVE_INFINITY);

  await outbox.flush();
  const settled = await outbox.drain(true);
  runtime.mark(reader, made);
  if (settled) runtime.release(files.session, client);
  return { counts: outbox.counts, settled };
}

/** Subagents' files with their first times, oldest first: changed ones, and all since a prompt that `goesOn` and is read anew. */
async function unreadAgents(
  { agents }: SessionFiles,
  marks: ReadonlyMap<string, TranscriptMark>,
  firstTime: (file: AgentFile) => Promise<number | undefined>,
  goesOn = Number.POSITIVE_INFINITY,
): Promise<Map<AgentFile, number>> {
  const begins: Array<[AgentFile, number]> = [];
  for (const file of agents) {
    const changed = !isSame(file, marks.get(file.path));
    if (!changed && goesOn === Number.POSITIVE_INFINITY) continue;
    const begun = (await firstTime(file)) ?? 0;
    if (changed || begun >= goesOn) begins.push([file, begun]);
  }
  return new Map(begins.sort(([, one], [, other]) => one - other));
}

/** Gathers events, hands them over in pieces, and holds back endings of what brought nothing. */
function createOutbox(session: string, options: FeedOptions) {
  const { runtime, modelFree, since = 0 } = options;
  const counts: Counts = { committed: 0, recovered: 0, delivered: 0, dropped: 0 };
  const places = createPlaces(options.home);
  let piece: ClientEvent[] = [];
  let bytes = 0;
  let sinceDrain = 0;
  /** Something of what is open was this reader's to tell. */
  let ours = false;
  let everOurs = false;
  let prompt: { offset: number; lines: number } | undefined;
  let promptCwd: string | undefined;

  async function flush(): Promise<void> {
    options.signal?.throwIfAborted();
    if (piece.length === 0) return;
    const sent = piece;
    piece = [];
    sinceDrain += bytes;
    bytes = 0;
    const results = await runtime.recover(sent);
    for (const [at, result] of results.entries()) {
      counts[result]++;
      const name = sent[at]?.name;
      if (name === "SessionStart" || result === "delivered" || result === "dropped") continue;
      ours = true;
      everOurs = true;
    }
    if (results.includes("committed")) runtime.workOn(session);
    if (sinceDrain >= drainBytes) await drain(false);
  }

  async function drain(close: boolean): Promise<boolean> {
    sinceDrain = 0;
    if (!everOurs) return true;
    const done = runtime.drain({ session, timeoutMs: drainMs, ...(close && { flush: true }) });
    return unlessAborted(done, options.signal);
  }

  return {
    counts,
    flush,
    drain,
    refuses: places.refuses,
    lastPrompt: () => prompt,
    async put(found: readonly RecordedEvent[]): Promise<void> {
      for (const { event, offset, line, closes } of found) {
        if (event.name === "UserPromptSubmit") prompt = { offset, lines: line - 1 };
        if (event.time < since) continue;
        if (closes) {
          await flush();
          if (event.name === "SessionEnd" ? !everOurs : !ours) continue;
        }
        event.cwd = places.placeOf(event.cwd);
        if (event.name === "UserPromptSubmit") {
          // Work belongs to the project its session is in: what was before must be done before that changes.
          if (promptCwd !== undefined && promptCwd !== event.cwd) {
            await flush();
            await drain(false);
          }
          promptCwd = event.cwd;
        }
        event.recovered = { ...event.recovered, modelFree };
        piece.push(event);
        bytes += sizeOf(event);
        if (event.name === "Stop") {
          await flush();
          ours = false;
        } else if (piece.length >= pieceEvents || bytes >= pieceBytes) await flush();
      }
    },
  };
}

/** About the characters of an event's largest field. */
function sizeOf(event: ClientEvent): number {
  if (event.name !== "PostToolUse") return 1_000;
  return 1_000 + JSON.stringify([event.toolInput, event.toolResponse]).length;
}

/** Where a session worked: below a folder that is gone, that folder stands for everything. */
export function createPlaces(home: string) {
  const known = new Map<string, string>();
  let first: string | undefined;
  return {
    /** True for memoir's own sessions. */
    refuses: (cwd: string | undefined) =>
      cwd !== undefined && (cwd === home || cwd.startsWith(home + sep)),
    placeOf(cwd: string): string {
      first ??= cwd;
      const found = known.get(cwd);
      if (found !== undefined) return found;
      const inFirst = cwd.startsWith(first + sep);
      const place = inFirst && !exists(cwd) && !exists(first) ? first : cwd;
      known.set(cwd, place);
      return place;
    },
  };
}

function exists(path: string): boolean {
  return isAbsolute(path) && existsSync(path);
}

/** Rejects as soon as the signal is aborted; the work goes on without being waited for. */
async function unlessAborted<Value>(work: Promise<Value>, signal?: AbortSignal): Promise<Value> {
  if (!signal) return work;
  signal.throwIfAborted();
  let leave = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason);
    signal.addEventListener("abort", leave);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

// What reading transcripts afterwards needs of the runtime, and what it says of itself.

/** The runtime, as far as transcripts are concerned. */
export interface Recoverer {
  /** Commits events, and says what became of each. */
  recover(events: readonly ClientEvent[]): Promise<Recovery[]>;
  /** Puts a session's committed events to work, after everything that hooks delivered. */
  workOn(session: string): void;
  /** True when the session's work is done, false after `timeoutMs`. `flush` also closes what is still gathering. */
  drain(request: { session: string; timeoutMs: number; flush?: boolean }): Promise<boolean>;
  marks(reader: Reader, paths?: readonly string[]): Map<string, TranscriptMark>;
  mark(reader: Reader, marks: readonly TranscriptMark[]): void;
  /** Drops the texts of what is worked off. */
  release(session: string, client?: string): void;
}

/** Who reads: each keeps its own marks. */
type Reader = "backfill" | "watch";

/** Events by what became of them. */
export type Counts = Record<Recovery, number>;

// The files of one recorded session, each read as events from its beginning or from where an earlier reading ended.

/** A place in a file at which a line begins. */
interface FilePlace {
  offset: number;
  lines: number;
}

interface RecordedSession {
  /** Turns a file's entries into events. `more`: what the reader is to know beside that. */
  begin(file: TranscriptFile | AgentFile, more?: { cwd?: string; alone?: boolean }): SessionEvents;
  /** A file's lines, as far as it was written when it was found. */
  entries(file: TranscriptFile, from?: FilePlace): AsyncGenerator<TranscriptEntry | BrokenLine>;
  /** What a file tells, and what ends with it; `over`: the session, too. */
  events(file: TranscriptFile | AgentFile, over: boolean): AsyncGenerator<RecordedEvent>;
  /** Epoch ms of the first line that has a time, near `from`. */
  firstTime(file: TranscriptFile, from?: number): Promise<number | undefined>;
}

/** How far a file is read for its first time. */
const headBytes = 256 * 1024;

/** Reads nothing yet. */
export async function recordedSession(files: SessionFiles): Promise<RecordedSession> {
  const { session, main } = files;
  const { of, parse, chunks } = await recordedForm(files.client, files.cwd);

  function begin(
    file: TranscriptFile | AgentFile,
    more: { cwd?: string; alone?: boolean } = {},
  ): SessionEvents {
    const transcriptPath = main?.path ?? file.path;
    const source = { session, transcriptPath, ...more, ...(of && { of }) };
    if (!("agentId" in file)) return new SessionEvents(source);
    const { agentId: id, meta, path } = file;
    const agent = { id, path, ...(meta?.agentType && { type: meta.agentType }) };
    return new SessionEvents({ ...source, agent });
  }

  const entries = (file: TranscriptFile, from: FilePlace = { offset: 0, lines: 0 }) =>
    readEntries(chunks(file.path, { from: from.offset, to: file.bytes }), {
      ...from,
      parse: withoutProgress(parse),
    });

  return {
    begin,
    entries,
    async *events(file, over) {
      const events = begin(file);
      for await (const entry of entries(file)) yield* events.add(entry);
      yield* events.end(over);
    },
    async firstTime(file, from = 0) {
      const lines = chunks(file.path, { from, to: from + headBytes });
      for await (const entry of readEntries(lines, { parse }))
        if (entry.kind !== "broken" && entry.time !== undefined) return entry.time;
      return undefined;
    },
  };
}
