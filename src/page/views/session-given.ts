// To which prompt of a session belongs what was told, and what was taken out. Pure.
import type { TakenOut, ToldText } from "../parts/given.tsx";

/** A prompt as far as that asks for it. */
interface Asked {
  promptNumber: number;
  startedAt: number;
  pieces: ReadonlyArray<{ toolUseId?: string | undefined }>;
}

/** At the start of the session, and by the numbers of its prompts. */
export interface GivenBy {
  atStart: ToldText[];
  told: Map<number, ToldText[]>;
  takenOut: Map<number, TakenOut[]>;
}

/** A prompt's context is written down at about the prompt's time; all else at its own, after the prompt that it belongs to. */
export function givenBy(
  turns: readonly Asked[],
  given: { told: readonly ToldText[]; takenOut: readonly TakenOut[] },
): GivenBy {
  const before = (time: number) =>
    turns.findLast(({ startedAt }) => startedAt <= time)?.promptNumber ?? 0;
  const nearest = (time: number) =>
    turns.toSorted(
      (one, other) => Math.abs(one.startedAt - time) - Math.abs(other.startedAt - time),
    )[0]?.promptNumber ?? 0;
  const byTool = new Map(
    turns.flatMap(({ promptNumber, pieces }) =>
      pieces.flatMap(({ toolUseId }) =>
        toolUseId === undefined ? [] : [[toolUseId, promptNumber] as const],
      ),
    ),
  );
  return {
    atStart: given.told.filter(({ event }) => event === "SessionStart"),
    told: Map.groupBy(
      given.told.filter(({ event }) => event !== "SessionStart"),
      ({ event, time }) => (event === "UserPromptSubmit" ? nearest(time) : before(time)),
    ),
    takenOut: Map.groupBy(
      given.takenOut,
      ({ toolUseId, keptAt }) => byTool.get(toolUseId) ?? before(keptAt),
    ),
  };
}
