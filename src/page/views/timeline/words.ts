// The ruler's and the items' words.
import { counted, timeSpan } from "../../words.ts";
import type { Bar } from "./lanes.ts";
import type { Span, Tick } from "./span.ts";

const formats: Record<Tick["unit"], Intl.DateTimeFormat> = {
  hour: new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" }),
  day: new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "short" }),
  month: new Intl.DateTimeFormat(undefined, { month: "short", year: "numeric" }),
  year: new Intl.DateTimeFormat(undefined, { year: "numeric" }),
};
const shortDay = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const dayOnly = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

/** Of a line of the ruler; midnight among hours is told by its day. */
export function tickWords({ at, unit }: Tick, isNarrow: boolean): string {
  const isDay = unit === "day" || (unit === "hour" && new Date(at).getHours() === 0);
  if (isDay) return (isNarrow ? shortDay : formats.day).format(at);
  return formats[unit].format(at);
}

/** What is shown, in words. */
export function spanWords({ from, to }: Span): string {
  const isWhole = [from, to].every((time) => new Date(time).getHours() === 0);
  return isWhole && to - from > 3_600_000
    ? dayOnly.formatRange(from, Math.max(from, to - 1))
    : timeSpan(from, to);
}

/** All of a bar. */
export function barWords({ startedAt, lastActiveAt, prompts, observations, isOpen }: Bar): string {
  const open = isOpen ? ", open" : "";
  return `${timeSpan(startedAt, lastActiveAt)}, ${counted(prompts, "prompt")}, ${counted(observations, "observation")}${open}`;
}
