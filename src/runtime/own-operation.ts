// What an operation of memoir's own does: the work that its door brings, since each of its doors has a name and a form from before plugins had any (../server/operations, ../cli).
import type { Operation } from "../sdk/operation.ts";

/** How a door calls it. */
export interface AskedAtDoor {
  work(): unknown;
}

export const atDoor: Operation["run"] = (_input, ctx) => (ctx as unknown as AskedAtDoor).work();
