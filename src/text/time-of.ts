// Dates as people and agents write them → epoch ms.
import { MemoirError } from "../sdk/errors.ts";
import { units } from "./amounts.ts";

/** What a date may look like where a person or an agent writes it. */
export const when = "2h, 3d, yesterday, last week, 2026-11-21 or an ISO time";

/** A date as a person or an agent writes it, in epoch ms. Throws `usage` that calls it by `name`. */
export function timeIn(text: string, now: number, name: string): number {
  const time = timeOf(text, now);
  if (time !== undefined) return time;
  throw new MemoirError("usage", `${name} cannot be read as a date: ${text.slice(0, 100)}`, {
    fix: "Write for example 2h, 3d, yesterday, last week, 2026-11-21 or 2026-11-21T14:00.",
  });
}

const lengths = new Map(units);
const names: Readonly<Record<string, string>> = {
  min: "m",
  minute: "m",
  hour: "h",
  day: "d",
  week: "w",
  month: "mo",
  year: "y",
};

const weekdays = "sunday monday tuesday wednesday thursday friday saturday".split(" ");

/**
 * `30m`, `2h`, `3d`, `1w`, `9mo`, `1y` (also `3 days ago`), `today`, `yesterday`, `now`, the beginning of `last week`, `this month`
 * or `monday`, an ISO date (`2026-11-21`, local midnight) or date and time. Undefined for what is none.
 */
export function timeOf(text: string, now: number): number | undefined {
  const word = text.trim().toLowerCase();
  if (word === "now") return now;
  if (word === "today") return midnight(now, 0);
  if (word === "yesterday") return midnight(now, -1);
  const named = /^(last|this) (week|month|year)$/.exec(word);
  if (named) return beginningOf(named[2] ?? "", named[1] === "last" ? 1 : 0, now);
  const weekday = weekdays.indexOf(word.replace(/^(?:last|on) /, ""));
  if (weekday >= 0) return midnight(now, -((new Date(now).getDay() - weekday + 7) % 7 || 7));
  const span = /^(\d{1,6})\s*(mo|m|h|d|w|y|min|minute|hour|day|week|month|year)s?(?:\s+ago)?$/.exec(
    word,
  );
  if (span) {
    const unit = span[2] ?? "";
    return now - Number(span[1]) * (lengths.get(names[unit] ?? unit) ?? 0);
  }
  const day = /^(\d{4})-(\d{2})-(\d{2})$/.exec(word);
  const time = day
    ? localDay(Number(day[1]), Number(day[2]), Number(day[3]))
    : /^\d{4}-\d{2}-\d{2}[t ]\d{2}:\d{2}/.test(word)
      ? Date.parse(text.trim().replace(" ", "T"))
      : Number.NaN;
  return Number.isNaN(time) || time < 0 ? undefined : time;
}

function midnight(now: number, days: number): number {
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime();
}

/** Of this week (from Monday on), month or year, or of one so many before. */
function beginningOf(unit: string, before: number, now: number): number {
  const date = new Date(now);
  const [year, month] = [date.getFullYear(), date.getMonth()];
  if (unit === "week") return midnight(now, -((date.getDay() + 6) % 7) - 7 * before);
  if (unit === "month") return new Date(year, month - before, 1).getTime();
  return new Date(year - before, 0, 1).getTime();
}

/** Not a number for a day that no month has. */
function localDay(year: number, month: number, day: number): number {
  const date = new Date(year, month - 1, day);
  return date.getMonth() === month - 1 && date.getDate() === day ? date.getTime() : Number.NaN;
}
