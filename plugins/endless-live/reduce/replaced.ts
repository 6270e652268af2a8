// Puts a shortened text and its last line together.
import { lookAgain } from "../look/look.ts";
import type { Policy } from "../policy.ts";
import { type Arrived, isReduced, recallLine } from "../reducer.ts";
import type { Origin, Shorten } from "../text/shortened.ts";

/** The text that stands in place of another. */
interface Replaced {
  text: string;
  how: string;
}

/** The shortened text, ended by the line that says how to get the whole; undefined where it stays. */
export function replaceText(
  arrived: Arrived,
  text: string,
  shorten: Shorten,
  policy: Policy,
  origin: Origin = { command: "" },
): Replaced | undefined {
  if (isReduced(text)) return undefined;
  const first = shorten(text, policy, origin);
  if (!first) return undefined;
  const shortened = lookAgain(text, first, origin.firstLine);
  const after = `${shortened.text}\n${recallLine(arrived, shortened.leftOut)}`;
  return after.length < text.length ? { text: after, how: shortened.how } : undefined;
}
