// The time that a timeline shows: read from an address and written into it, zoomed, moved, and cut into pieces for its ruler. Pure; local time.

/** Epoch ms; `to` is not included. */
export interface Span {
  from: number;
  to: number;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const shortest = hour;
const longest = 30 * 366 * day;

/** Spans by name, as buttons have them. */
export const spans: ReadonlyArray<{ name: string; days: number }> = [
  { name: "Day", days: 1 },
  { name: "Week", days: 7 },
  { name: "Month", days: 31 },
  { name: "Year", days: 366 },
];

/** The beginning of a day, so many days later. */
export function midnight(time: number, days = 0): number {
  const date = new Date(time);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime();
}

/** So many days that end with today. */
export const lastDays = (days: number, now: number): Span => ({
  from: midnight(now, 1 - days),
  to: midnight(now, 1),
});

/** So many days around the middle of what is shown, or ending with today where that is shown. */
export function spanOfDays({ from, to }: Span, days: number, now: number): Span {
  if (now >= from && now < to) return lastDays(days, now);
  const start = midnight((from + to) / 2, -Math.floor(days / 2));
  return { from: start, to: midnight(start, days) };
}

/** What an address says; a week up to today where it says nothing that can be shown. */
export function spanOf(params: URLSearchParams, now: number): Span {
  const from = momentOf(params.get("from") ?? "");
  const to = momentOf(params.get("to") ?? "");
  if (Number.isNaN(from) || Number.isNaN(to) || to - from < shortest) return lastDays(7, now);
  return { from, to: Math.min(to, from + longest) };
}

/** `2026-11-16` or `2026-11-16T08:30`, local time; NaN for anything else. */
function momentOf(words: string): number {
  const [, date, time = "00:00"] = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}))?$/.exec(words) ?? [];
  return date === undefined ? Number.NaN : new Date(`${date}T${time}:00`).getTime();
}

/** As an address holds it, to the minute. */
export function paramsOf({ from, to }: Span): URLSearchParams {
  return new URLSearchParams({ from: wordsOf(from), to: wordsOf(to) });
}

const two = (value: number) => String(value).padStart(2, "0");
function wordsOf(time: number): string {
  const date = new Date(time);
  const days = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}`;
  return clock === "00:00" ? days : `${days}T${clock}`;
}

/** `factor` below 1 zooms in; the moment at `share` (0 to 1) of the width stays where it is. */
export function zoomed({ from, to }: Span, factor: number, share = 0.5): Span {
  const length = Math.min(longest, Math.max(shortest, (to - from) * factor));
  const start = from + (to - from) * share - length * share;
  return { from: Math.max(0, start), to: Math.max(0, start) + length };
}

/** Moved by a share of its length; later where it is above 0. */
export function moved({ from, to }: Span, share: number): Span {
  const by = Math.max(-from, (to - from) * share);
  return { from: from + by, to: to + by };
}

/** What to ask for: somewhat more on both sides, the same for a while as one moves. */
export function askedSpan({ from, to }: Span): Span {
  const step = Math.max(minute, Math.round((to - from) / 4));
  return {
    from: Math.max(0, Math.floor(from / step - 1) * step),
    to: Math.ceil(to / step + 1) * step,
  };
}

/** Where a moment stands, from 0 at the left to 100 at the right. */
export const placeIn = ({ from, to }: Span, time: number) => ((time - from) / (to - from)) * 100;

/** A line of the ruler. */
export interface Tick {
  at: number;
  unit: "hour" | "day" | "month" | "year";
}

type Unit = { unit: Tick["unit"]; by: number; ms: number };
const units: readonly Unit[] = [
  ...[1, 2, 3, 6, 12].map((by) => ({ unit: "hour" as const, by, ms: by * hour })),
  ...[1, 2, 7, 14].map((by) => ({ unit: "day" as const, by, ms: by * day })),
  ...[1, 2, 3, 6].map((by) => ({ unit: "month" as const, by, ms: by * 30 * day })),
  ...[1, 2, 5].map((by) => ({ unit: "year" as const, by, ms: by * 365 * day })),
];

/** Lines at whole hours, days, Mondays, months or years: at most so many. */
export function ticksOf(span: Span, most: number): Tick[] {
  const wanted = units.find(({ ms }) => (span.to - span.from) / ms <= most) ?? units.at(-1);
  if (!wanted) return [];
  const ticks: Tick[] = [];
  let at = firstOf(span.from, wanted);
  while (at < span.to && ticks.length < 200) {
    if (at >= span.from) ticks.push({ at, unit: wanted.unit });
    at = nextOf(at, wanted);
  }
  return ticks;
}

function firstOf(time: number, { unit, by }: Unit): number {
  const date = new Date(time);
  const [year, month] = [date.getFullYear(), date.getMonth()];
  if (unit === "year") return new Date(year - (year % by), 0).getTime();
  if (unit === "month") return new Date(year, month - (month % by)).getTime();
  if (unit === "hour")
    return new Date(
      ...([year, month, date.getDate(), date.getHours() - (date.getHours() % by)] as const),
    ).getTime();
  // Weeks begin on Monday; two days are counted from any day.
  const back = by % 7 === 0 ? (date.getDay() + 6) % 7 : 0;
  return midnight(time, -back);
}

function nextOf(time: number, { unit, by }: Unit): number {
  const date = new Date(time);
  const [year, month] = [date.getFullYear(), date.getMonth()];
  if (unit === "year") return new Date(year + by, 0).getTime();
  if (unit === "month") return new Date(year, month + by).getTime();
  // Where a clock is put back an hour comes twice: by the clock alone there would be no next one.
  if (unit === "hour") return Math.max(new Date(time).setHours(date.getHours() + by), time + hour);
  return midnight(time, by);
}
