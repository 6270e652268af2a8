// The days of a range, what falls into each, and how they read. Pure; a day is `2026-11-21`, as the server's clock says it.

/** From one day to another, both included. */
export interface Range {
  from: string;
  to: string;
}

/** What a bookmark may say. */
export const ranges: Readonly<Record<string, { name: string; days: number }>> = {
  "7d": { name: "7 days", days: 7 },
  "30d": { name: "30 days", days: 30 },
  "90d": { name: "90 days", days: 90 },
  "1y": { name: "A year", days: 365 },
};
/** All that is remembered. */
export const everything = "all";
/** Where the address chooses none. */
export const usualRange = "30d";

const dayMs = 24 * 60 * 60_000;
const isDay = /^\d{4}-\d{2}-\d{2}$/;
/** Days as moments for counting: no clock is put forward or back at UTC. */
const momentOf = (day: string) => Date.parse(`${day}T00:00:00Z`);
const dayAt = (moment: number) => new Date(moment).toISOString().slice(0, 10);

/** The day so many days later. */
export const later = (day: string, days: number) => dayAt(momentOf(day) + days * dayMs);

/** Local midnight of a day in epoch ms. */
export const startOf = (day: string) => new Date(`${day}T00:00:00`).getTime();

/** The day of a moment, by the clock on the wall. */
export function dayOf(time: number): string {
  const date = new Date(time);
  return dayAt(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()));
}

/** What an address chooses; `first` is the first day of which anything is known. */
export function rangeOf(params: URLSearchParams, today: string, first = today): Range {
  const [from = "", to = ""] = [params.get("from") ?? "", params.get("to") ?? ""];
  if (isReal(from) && isReal(to) && from <= to) return { from, to };
  const name = params.get("range") ?? usualRange;
  if (name === everything) return { from: first < today ? first : today, to: today };
  const { days } = ranges[name] ?? { days: 30 };
  return { from: later(today, 1 - days), to: today };
}

const isReal = (day: string) => isDay.test(day) && !Number.isNaN(momentOf(day));

/** What a bar stands for: a day, a week or a month, so that there are never more than some hundred. */
export type Step = "day" | "week" | "month";

/** The step for a range. */
export function stepOf({ from, to }: Range): Step {
  const days = (momentOf(to) - momentOf(from)) / dayMs + 1;
  if (days <= 100) return "day";
  return days <= 750 ? "week" : "month";
}

/** The first day of the step that a day falls into; a week begins on Monday. */
export function stepKey(day: string, step: Step): string {
  if (step === "day") return day;
  if (step === "month") return `${day.slice(0, 8)}01`;
  return later(day, -((new Date(momentOf(day)).getUTCDay() + 6) % 7));
}

/** Every step of a range, those without anything included; at most a few thousand. */
export function stepsOf({ from, to }: Range, step: Step): string[] {
  const keys: string[] = [];
  for (let day = from; day <= to && keys.length < 5_000; day = later(day, 1)) {
    const key = stepKey(day, step);
    if (keys.at(-1) !== key) keys.push(key);
  }
  return keys;
}

/** Rows by day, added up by step in the order of `keys`; days outside are left out. */
export function addedUp<Row extends { key: string }>(
  rows: readonly Row[],
  { from, to }: Range,
  keys: readonly string[],
  step: Step,
  value: (row: Row) => number,
): number[] {
  const places = new Map(keys.map((key, at) => [key, at]));
  const sums = keys.map(() => 0);
  for (const row of rows) {
    if (row.key < from || row.key > to) continue;
    const at = places.get(stepKey(row.key, step));
    if (at !== undefined) sums[at] = (sums[at] ?? 0) + value(row);
  }
  return sums;
}

// A day, a week or a month as people read it.

const formats: Record<Step, Intl.DateTimeFormat> = {
  day: new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" }),
  week: new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" }),
  month: new Intl.DateTimeFormat(undefined, { month: "short", year: "2-digit", timeZone: "UTC" }),
};
const wholeDay = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" });
const wholeMonth = new Intl.DateTimeFormat(undefined, {
  ...{ month: "long", year: "numeric", timeZone: "UTC" },
});

/** Short, for below a bar; nothing where there is no step. */
export const stepWords = (key: string | undefined, step: Step) =>
  key === undefined ? "" : formats[step].format(momentOf(key));

/** In full. */
export function wholeStep(key: string, step: Step): string {
  if (step === "month") return wholeMonth.format(momentOf(key));
  return step === "week"
    ? `Week of ${wholeDay.format(momentOf(key))}`
    : wholeDay.format(momentOf(key));
}
