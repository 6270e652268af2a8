// Gives a turn what only the client's transcript tells of it: read from the prompt on to the next, cleaned before anyone sees it. It never rejects.
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createTurnReader, type TurnReader } from "../../evidence/from-transcript.ts";
import { type Moment, type PromptMark, scrubMoments } from "../../evidence/moment.ts";
import type { Log } from "../../home/log.ts";
import { within } from "../../sdk/within.ts";
import type { WorkSession } from "../../sdk/work.ts";
import type { Chunks, TranscriptFormOf } from "../../transcript/discover.ts";
import { fileChunks, type LineParser, readEntries } from "../../transcript/read.ts";
import { type ScrubTexts, trustedStored, trustedTranscript } from "./read-contexts.ts";

/** Which turn is wanted. */
export interface WantedTurn {
  /** Makes the texts' way through capture this piece of work's own. */
  key: string;
  session: WorkSession;
  cwd: string;
  /** The turn's prompt, then those after it. */
  marks: readonly PromptMark[];
  /** Where to begin reading, in bytes: at the prompt's line or before it. */
  from: number;
  /** Where to end; absent where that is not known. */
  to?: number | undefined;
  /** Epoch ms of the newest of its events that a hook brought; absent where none did. */
  heardAt?: number | undefined;
  /** More than its prompt is known: until then a client may not have written its file yet. Absent: so it is. */
  hasBegun?: boolean;
  relative(path: string): string;
}

/** Moments of the turn in the order of the file; undefined when there is no transcript to be read. */
export type ReadTurn = (wanted: WantedTurn) => Promise<Moment[] | undefined>;

interface ReadTurnDeps {
  /** Where clients keep transcripts; files elsewhere must bear the session's id. */
  folders: readonly string[];
  /** How a client writes them, and where; absent: all write as Claude Code does. */
  form?: TranscriptFormOf;
  scrub: ScrubTexts;
  log: Log;
  /** A file system that hangs costs the turn its transcript after this. Default 20 s. */
  waitMs?: number;
  /** Epoch ms; default the system's clock. */
  now?(): number;
  /** Lets so many ms pass between two looks at a file that is being written. */
  pause?(ms: number): Promise<unknown>;
}

/** Makes the reader that the worker asks before a turn is made. */
export function createTurnTranscripts({
  waitMs = 20_000,
  now = Date.now,
  pause = setTimeout,
  ...rest
}: ReadTurnDeps): ReadTurn {
  const deps = { ...rest, now, pause };
  return async (wanted) => {
    const { id, transcriptPath } = wanted.session;
    if (transcriptPath === undefined) return undefined;
    try {
      const read = await within(waitMs, readTurn(deps, wanted, transcriptPath), undefined);
      const isEarly = wanted.hasBegun === false && !(await isThere(transcriptPath));
      if (read === undefined && !isEarly)
        deps.log.warn("A turn is made without its transcript.", { session: id });
      return read;
    } catch (error) {
      deps.log.warn("A transcript could not be read for a turn.", { session: id, error });
      return undefined;
    }
  };
}

/** Of a session in a database, the database. */
async function isThere(path: string): Promise<boolean> {
  const looks = [path, dirname(path)].map((one) => stat(one).then((found) => found.isFile()));
  return (await Promise.allSettled(looks)).some(
    (look) => look.status === "fulfilled" && look.value,
  );
}

type Looking = Required<Pick<ReadTurnDeps, "now" | "pause">>;

/** A file, or what stands for one in a database, and what makes entries of its lines. */
interface Lines {
  path: string;
  chunks: Chunks;
  parse: LineParser | undefined;
}

async function readTurn(
  { folders, form, scrub, ...looking }: Omit<ReadTurnDeps, keyof Looking> & Looking,
  wanted: WantedTurn,
  named: string,
): Promise<Moment[] | undefined> {
  const { session, marks, from, key, cwd } = wanted;
  const written = await form?.(session.client);
  const places = written ? [...folders, written.folder] : folders;
  const early = (wanted.heardAt ?? 0) + lateMs - looking.now();
  if (written?.isLate && early > 0) await looking.pause(Math.min(early, lateMs));
  const file = written?.chunks
    ? await trustedStored(named, session.id)
    : await trustedTranscript(named, session.id, places);
  const [own] = marks;
  if (!file || !own) return undefined;
  const start = from <= file.bytes ? from : 0;
  const lines = { path: file.path, parse: written?.parse, chunks: written?.chunks ?? fileChunks };
  const first = await wholeMoments(lines, start, wanted, looking);
  // A file that was rewritten meanwhile has its lines elsewhere.
  const isMisplaced = start > 0 && first.length === 0;
  const { moments } = isMisplaced ? await momentsFrom(lines, 0, wanted) : { moments: first };
  return scrubMoments(moments, (texts) => scrub(texts, { key, session, cwd, time: own.time }));
}

/** A client writes what its hooks brought so long after them at the latest. */
const behindMs = 1_000;
const lookMs = 100;
/** One that writes late, its file included, so long after them: .8 s were seen on a busy machine. */
const lateMs = 2_000;
/** A file that nobody has written to for so long is done. */
const writingMs = 10_000;

/**
 * Waits for the line of a prompt that was just sent, and for what came of a tool use that stands last: without them the
 * turn's own last lines may be missing too, such as that it was stopped.
 */
async function wholeMoments(
  lines: Lines,
  from: number,
  wanted: WantedTurn,
  { now, pause }: Looking,
): Promise<Moment[]> {
  const next = wanted.marks[1];
  for (let waited = 0; ; waited += lookMs) {
    const { moments, isPassed } = await momentsFrom(lines, from, wanted);
    const isDone = isPassed || wanted.to !== undefined || waited >= behindMs;
    if (isDone) return moments;
    const isNew = next !== undefined && now() - next.time < behindMs;
    const isMidway = moments.at(-1)?.what === "use" && (await isBeingWritten(lines, now()));
    if (!isNew && !isMidway) return moments;
    await pause(lookMs);
  }
}

async function isBeingWritten({ path, chunks }: Lines, now: number): Promise<boolean> {
  // A database takes what is written into a file beside it first.
  const files = chunks === fileChunks ? [path] : [dirname(path), `${dirname(path)}-wal`];
  const times = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  );
  return now - Math.max(...times) < writingMs;
}

/** What the file has of the turn, and whether it goes on with a later prompt. */
async function momentsFrom(
  { path, parse, chunks }: Lines,
  from: number,
  { marks, to, relative }: WantedTurn,
): Promise<{ moments: Moment[]; isPassed: boolean }> {
  const reader = createTurnReader(marks, relative);
  const [own, ...later] = marks;
  const isPassed = () => later.some(({ number }) => reader.met(number));
  for await (const entry of readEntries(chunks(path, { from, ...(to !== undefined && { to }) }), {
    parse,
  })) {
    reader.add(entry);
    if (isPassed()) break;
  }
  if (to !== undefined) await lookAhead({ path, parse, chunks }, to, reader);
  return {
    moments: (own && reader.moments().get(own.number)) ?? [],
    isPassed: isPassed(),
  };
}

/** What is queued becomes a prompt soon after the turn's end, or never. */
const linesAhead = 40;

async function lookAhead(
  { path, parse, chunks }: Lines,
  from: number,
  reader: TurnReader,
): Promise<void> {
  let lines = 0;
  if (!reader.queues()) return;
  for await (const entry of readEntries(chunks(path, { from }), { parse })) {
    reader.ahead(entry);
    lines += 1;
    if (lines >= linesAhead || !reader.queues()) return;
  }
}
