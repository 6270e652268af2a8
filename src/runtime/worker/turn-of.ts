// The turn that a piece of work belongs to: as storage has it, else as the piece's own events tell it.
import { type Moment, makeTurn, momentsOfEvent, relativeTo } from "../../evidence/index.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { NewTurn, Place, Turn } from "../../sdk/turn.ts";
import type { RunContext } from "./run-work.ts";
import { workSession } from "./work-session.ts";

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
export async function storedTurn({ hooks, session, work }: RunContext): Promise<Turn | undefined> {
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
const most = 40;

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
  return places.length === 0 ? undefined : places.slice(0, most);
}
