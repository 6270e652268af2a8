// The `turn` piece of work: the prompt's events and its lines in the transcript become the turn, in place of what was made of it before; and
// the turn as other pieces get it.
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createTurnReader, type TurnReader } from "../../evidence/from-transcript.ts";
import { makeTurn } from "../../evidence/make-turn.ts";
import {
  type Moment,
  mergeMoments,
  momentsOfEvent,
  type PromptMark,
  scrubMoments,
} from "../../evidence/moment.ts";
import { relativeTo } from "../../evidence/tools.ts";
import type { Log } from "../../home/log.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import type { NewTurn, Place, Turn } from "../../sdk/turn.ts";
import { within } from "../../sdk/within.ts";
import type { Chunks, TranscriptFormOf } from "../../transcript/discover.ts";
import { type LineParser, withoutProgress } from "../../transcript/parse-entry.ts";
import { fileChunks, readEntries } from "../../transcript/read.ts";
import { type ScrubTexts, trustedStored, trustedTranscript } from "../context/read-contexts.ts";
import type { JournalEvent } from "../ports.ts";
import {
  putRecords,
  type RunContext,
  type RunResult,
  sessionUpdate,
  workSession,
} from "./piece.ts";
import type { ReadTurn, WantedTurn } from "./worker-types.ts";

const nothing: RunResult = { outcomes: new Map() };
/** A prompt's line may be missing, or its number out of order: reading ends at the first of these that is met. */
const marksAhead = 3;

/** Rejects when storage failed. A turn whose events are gone was made while they were there, and stays as it is. */
export async function runTurn(context: RunContext): Promise<RunResult> {
  const { work, session, journal, readTurn } = context;
  if (!readTurn) return nothing;
  const number = work.promptNumber;
  const prompt = journal.prompt(work.row, number);
  const frame = workSession(session, prompt ? [prompt] : []);
  const relative = relativeTo(frame.project.root);
  const heard: Moment[] = [];
  let first: ClientEvent | undefined;
  let end: number | undefined;
  let heardAt: number | undefined;
  const gone = journal.turnEvents(work.row, number, (event) => {
    first ??= event;
    if (!event.recovered) heardAt = Math.max(heardAt ?? 0, event.time);
    // What follows a Stop that was read from the transcript may belong to a prompt that is still to be read.
    if (event.name === "Stop" && event.recovered) end = event.transcriptBytes;
    heard.push(...momentsOfEvent(event, relative));
  });
  const isWhole = gone === 0 && (number === 0 || prompt !== undefined);
  const stored = await storedTurn(context);
  if (stored && !isWhole) return nothing;

  const from = prompt?.event.transcriptBytes ?? 0;
  const startedAt = prompt?.event.time ?? first?.time ?? session.startedAt;
  // A next prompt that was itself read from the transcript says where this turn ends.
  const next = journal.prompt(work.row, number + 1)?.event;
  const nextAt = next?.recovered ? next.transcriptBytes : undefined;
  if (nextAt !== undefined && nextAt >= from) end = Math.min(end ?? nextAt, nextAt);
  // Where its end is known, no other prompt lies within.
  const later =
    end === undefined
      ? journal
          .laterPrompts(work.row, { promptNumber: number, time: startedAt }, marksAhead)
          .map((one) => markOf(one.promptNumber, one, one.event.time))
      : [];
  const written = await readTurn({
    key: work.key,
    session: frame,
    cwd: prompt?.event.cwd ?? frame.project.root,
    marks: [markOf(number, prompt, startedAt), ...later],
    from,
    to: end,
    heardAt,
    hasBegun: heard.some(({ what }) => what !== "prompt"),
    relative,
  });
  // What was read of the transcript before is more than what there is of it now.
  if (!written && stored && !stored.gaps) return nothing;

  const turn = makeTurn(
    {
      session: session.session,
      client: session.client,
      project: frame.project.id,
      ...(frame.project.branch !== undefined && { branch: frame.project.branch }),
      promptNumber: number,
      startedAt,
      ...(!written && { gaps: true }),
    },
    mergeMoments(heard, written && ownMoments(written, heard, number)),
    relative,
  );
  if (turn)
    await putRecords(context, frame.project.id, {
      sessions: [sessionUpdate(session, frame.project)],
      turns: [turn],
    });
  return nothing;
}

function markOf(number: number, prompt: JournalEvent | undefined, time: number): PromptMark {
  const event = prompt?.event;
  if (event?.name !== "UserPromptSubmit") return { number, text: "", time };
  const { prompt: text, promptId } = event;
  return { number, text, time, ...(promptId !== undefined && { promptId }) };
}

/** A file may begin with a copy of an older session: before any prompt, words count only where something was done. */
function ownMoments(written: Moment[], heard: readonly Moment[], number: number): Moment[] {
  if (number > 0 || heard.length > 0) return written;
  return written.filter(({ what }) => what === "compaction");
}

// The turn that another piece of work belongs to: as storage has it, else as the piece's own events tell it.

/** The evidence of the piece's prompt; undefined when nothing happened. Rejects when storage failed. */
export async function turnOf(context: RunContext): Promise<NewTurn | undefined> {
  const stored = await storedTurn(context);
  if (stored) {
    const { id: _, ...turn } = stored;
    return turn;
  }
  const { work, session, journal } = context;
  const prompt = journal.prompt(work.row, work.promptNumber);
  const { project } = workSession(session, work.events);
  const relative = relativeTo(project.root);
  const events = [...(prompt ? [prompt] : []), ...work.events];
  const moments: Moment[] = events.flatMap(({ event }) => momentsOfEvent(event, relative));
  const [first] = events;
  return makeTurn(
    {
      session: session.session,
      client: session.client,
      project: project.id,
      ...(project.branch !== undefined && { branch: project.branch }),
      promptNumber: work.promptNumber,
      startedAt: first?.event.time ?? session.startedAt,
      gaps: true,
    },
    moments,
    relative,
  );
}

/** The turn of the piece's prompt as it is stored. Rejects when storage failed. */
async function storedTurn({ hooks, session, work }: RunContext): Promise<Turn | undefined> {
  const asked = { session: session.session, promptNumber: work.promptNumber, limit: 10 };
  const answer = await hooks.first("storage.turns", asked).catch((error: unknown) => {
    // It begins the ids of others, and storage has nothing of it yet.
    if (error instanceof MemoirError && error.code === "session_ambiguous") return undefined;
    throw error;
  });
  // Storage takes the beginning of a session id as well, and another client may use the same one.
  return answer?.result.find(
    (turn) => turn.session === session.session && turn.client === session.client,
  );
}

// The places in turns that a record was made from, where its strategy named none: a strategy of one's own need not know of turns.

/** What frames a turn: what was asked, and what it came to. */
const framing: ReadonlySet<string> = new Set(["prompt", "closing"]);
const mostPlaces = 40;

/** Prompt, closing and what came of these tool uses; undefined where the turns have none of it. */
export function placesIn(
  turns: readonly NewTurn[],
  toolUseIds: readonly string[] = [],
): Place[] | undefined {
  const uses = new Set(toolUseIds);
  const places = turns.flatMap(({ promptNumber, pieces }) =>
    pieces.flatMap(({ kind, toolUseId }, piece) =>
      framing.has(kind) || (toolUseId !== undefined && uses.has(toolUseId))
        ? [{ turn: promptNumber, piece }]
        : [],
    ),
  );
  return places.length === 0 ? undefined : places.slice(0, mostPlaces);
}

// What only the client's transcript tells of a turn: read from the prompt on to the next, cleaned before anyone sees it. It never rejects.

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
      const read = await within(waitMs, readTranscript(deps, wanted, transcriptPath), undefined);
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

async function readTranscript(
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
    parse: withoutProgress(parse),
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
