// Runs a `turn` piece: the prompt's events and its lines in the transcript become the turn, in place of what was made of it before.
import {
  type Moment,
  makeTurn,
  mergeMoments,
  momentsOfEvent,
  type PromptMark,
  relativeTo,
} from "../../evidence/index.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import type { NewTurn, Place, Turn } from "../../sdk/turn.ts";
import type { JournalEvent } from "../ports.ts";
import {
  putRecords,
  type RunContext,
  type RunResult,
  sessionUpdate,
  workSession,
} from "./piece.ts";

const nothing: RunResult = { outcomes: new Map() };
/** A prompt's line may be missing, or its number out of order: reading ends at the first of these that is met. */
const marksAhead = 3;

/** Rejects when storage failed. A turn whose events are gone was made while they were there, and stays as it is. */
export async function runTurn(context: RunContext): Promise<RunResult> {
  const { work, session, journal, turns } = context;
  if (!turns) return nothing;
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
  // So does the line of a prompt that was read from it too.
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
  const written = await turns({
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
