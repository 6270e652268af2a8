// Dates as people write them on a command line → epoch ms.
import { MemoirError } from "../../sdk/errors.ts";
import { timeOf } from "../../text/time-of.ts";

/** See `timeOf`. Throws MemoirError `usage` naming `option`. */
export function parseWhen(text: string, now: number, option: string): number {
  const time = timeOf(text, now);
  if (time !== undefined) return time;
  throw new MemoirError("usage", `${option} cannot be read as a date: ${text}`, {
    fix: "Write for example 2h, 3d, yesterday, last week, 2026-11-21 or 2026-11-21T14:00.",
  });
}
