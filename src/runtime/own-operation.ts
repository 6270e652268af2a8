// What an operation of memoir's own does: the work that its door brings, since each of its doors has a name and a form from before plugins had any (../server/operations, ../cli).
import { MemoirError } from "../sdk/errors.ts";
import type { Operation } from "../sdk/operation.ts";

/** How a door calls it. */
export interface AskedAtDoor {
  work(): unknown;
}

/** Stands where others' operations have their work; `parts.ts` does the door's instead. */
export const atDoor: Operation["run"] = () => {
  throw new MemoirError("internal", "An operation of memoir's own was called without its door.");
};
