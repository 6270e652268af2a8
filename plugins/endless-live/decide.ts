// Decides on one result: small, unknown and not worth it stay whole, the rest is what its reducer makes of it.
import { isWorthIt, type Policy, threshold } from "./policy.ts";
import type { Arrived, Reduced } from "./reducer.ts";
import { isReduced } from "./reducer.ts";
import { reducerOf } from "./reducers.ts";
import type { Seen } from "./seen.ts";
import { hasSameShape } from "./shape.ts";

/** Whether a tool's results are ever looked at. */
export function isReducible(tool: string, policy: Policy): boolean {
  return reducerOf(tool) !== undefined && threshold(tool, policy) !== undefined;
}

/** Raised when reducers keep something else than before: whether a kind pays is learnt anew then. */
const reducersVersion = 2;

/** Of which kind a reduction is, for the books. */
export function kindOf({ how }: Pick<Reduced, "how">): string {
  return `${how} (${reducersVersion})`;
}

/** A smaller result in the same shape, or undefined: it stays as it is. Never throws, whatever the response is. */
export function decide(arrived: Arrived, seen: Seen, policy: Policy): Reduced | undefined {
  const over = threshold(arrived.tool, policy);
  const reduce = reducerOf(arrived.tool);
  if (over === undefined || !reduce || weight(arrived.response, over) <= over) return undefined;
  const reduced = reduce(arrived, seen, policy);
  if (!reduced || reduced.before.length <= over || isReduced(reduced.before)) return undefined;
  const shown = shownLength(arrived.tool, reduced.before.length);
  if (!isWorthIt(shown, reduced.after.length, policy)) return undefined;
  return hasSameShape(arrived.response, reduced.response) ? reduced : undefined;
}

/** Results above these sizes the client shows as a preview by itself; that is what there is to save. Bash tells it. */
const previewedOver: Readonly<Record<string, number>> = { Grep: 20_000 };
const preview = 2_200;

const shownLength = (tool: string, length: number): number =>
  length > (previewedOver[tool] ?? length) ? preview : length;

/** Characters of all strings in a value, counted no further than just above `enough`. */
export function weight(value: unknown, enough: number): number {
  let sum = 0;
  const open: unknown[] = [value];
  while (open.length > 0 && sum <= enough) {
    const next = open.pop();
    if (typeof next === "string") sum += next.length;
    else if (typeof next === "object" && next !== null)
      for (const part of Object.values(next)) open.push(part);
    else sum += 4;
  }
  return sum;
}
