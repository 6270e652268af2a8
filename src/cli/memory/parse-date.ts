// When something happened, as an agent writes it: a day, or an ISO time.
import { MemoirError } from "../../sdk/errors.ts";
import { localClock } from "../../text/amounts.ts";

/**
 * Epoch ms, and never later than `now`. A day alone means `now` when it is today where the user is, else its noon. Throws
 * `usage` for what is no date, or lies more than a day ahead.
 */
export function parseDate(text: string, now: number): number {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const time = isDay
    ? Date.parse(`${text}T12:00:00Z`)
    : /^\d{4}-/.test(text)
      ? Date.parse(text)
      : Number.NaN;
  const day = 24 * 3_600_000;
  if (Number.isNaN(time) || time < 0)
    throw new MemoirError("usage", "--date is no date.", {
      fix: "Write 2026-11-21 or 2026-11-21T09:30:00Z.",
    });
  if (time > now + day)
    throw new MemoirError("usage", "--date lies in the future.", {
      fix: "Write the day it happened.",
    });
  return isDay && Math.abs(time - now) < day && text === localClock.day(now)
    ? now
    : Math.min(time, now);
}
