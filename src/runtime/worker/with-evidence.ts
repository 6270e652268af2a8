// The places in turns that a record was made from, where its strategy named none: a strategy of one's own need not know of turns.
import type { NewTurn, Place } from "../../sdk/turn.ts";

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
