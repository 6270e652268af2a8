// Which turn of a recorded session a record belongs to, by when its prompt was typed: numbers may be counted anew.
import { type Answer, readTurnTimes } from "../cases.ts";
import type { Kept, Memory } from "./memory.ts";

/** Knows the turns of what a memory holds. */
export interface Turns {
  /** True when session and prompt number lead to a turn that answers. */
  answers(place: { session: string; promptNumber: number }, expected: readonly Answer[]): boolean;
}

/** Reads the prompts of a memory. */
export async function turnsOf(memory: Memory): Promise<Turns> {
  const typed = new Map<string, number>();
  for (const { kind, session, promptNumber, time } of await memory.everything())
    if (kind === "prompts") typed.set(`${session} ${promptNumber}`, time);
  return turnsBy(typed, readTurnTimes());
}

/** `typed` holds epoch ms by `session number`; `times` the times of the prompts that cases count. */
export function turnsBy(
  typed: ReadonlyMap<string, number>,
  times: Readonly<Record<string, readonly string[]>>,
): Turns {
  const begun = new Map(
    Object.entries(times).map(([session, all]) => [session, all.map((time) => Date.parse(time))]),
  );
  function numberOf({ session, promptNumber }: Pick<Kept, "session" | "promptNumber">): number {
    const time = typed.get(`${session} ${promptNumber}`);
    if (time === undefined) return promptNumber;
    return begun.get(session)?.filter((begin) => begin <= time).length ?? promptNumber;
  }
  return {
    answers: (place, expected) =>
      expected.some(
        ({ session, prompts }) => session === place.session && prompts.includes(numberOf(place)),
      ),
  };
}
