// When something is due, as a pure function of its words, its last run and the clock. Plain words instead of cron's: an hour, a time of
// day, a quiet while are all that plugins and memoir's own work ask for, and a reader knows what they mean.
import type { When } from "../../sdk/plugin.ts";

const minute = 60_000;
const units: Readonly<Record<string, number>> = {
  min: minute,
  minute: minute,
  minutes: minute,
  hour: 60 * minute,
  hours: 60 * minute,
  day: 24 * 60 * minute,
  days: 24 * 60 * minute,
};
const longest = 366 * 24 * 60 * minute;
const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const kinds = ["at", "every", "idle"] as const;

/** What is known of a schedule beside its words. */
interface Standing {
  /** Epoch ms of its last run; before the first, of when it was first seen. */
  last: number;
  /** Epoch ms since when nobody has asked anything. */
  quietSince: number;
}

/** Epoch ms at which it is due next; what is not later than `now` is due now. Its words have to be right. */
export function dueAt(when: When, { last, quietSince }: Standing, now: number): number {
  // A clock that was set back says nothing of how long ago that was.
  const since = Math.min(last, now);
  if (when.every !== undefined) return since + lengthOf(when.every);
  if (when.at !== undefined) return lastAt(when.at, since, now);
  // Once in each quiet while.
  const due = Math.min(quietSince, now) + lengthOf(when.idle ?? "");
  return since < due ? due : Number.POSITIVE_INFINITY;
}

/** The last of the times since the last run that is not to come; where all are, the next one. */
function lastAt(words: string, since: number, now: number): number {
  const { on, hour, minute: minutes } = parsedAt(words) ?? { on: days, hour: 0, minute: 0 };
  let next = Number.POSITIVE_INFINITY;
  // Days by the calendar: where clocks change, one is not 24 hours long.
  for (let ahead = 8; ahead >= -8; ahead--) {
    const day = new Date(now);
    day.setHours(0, 0, 0, 0);
    day.setDate(day.getDate() + ahead);
    if (!on.includes(days[day.getDay()] ?? "")) continue;
    day.setHours(hour, minutes);
    const time = day.getTime();
    if (time > now) next = time;
    else return time > since ? time : next;
  }
  return next;
}

/** What is wrong with the words, as `field: what it wants`; undefined when nothing is. */
export function whenFault(when: When): string | undefined {
  const given = kinds.filter((kind) => when[kind] !== undefined);
  const [kind] = given;
  if (kind === undefined || given.length > 1)
    return `must be one of at, every, idle${given.length > 1 ? `, not ${given.join(" and ")}` : ""}`;
  const words: unknown = when[kind];
  if (typeof words !== "string") return `.${kind}: must be a string`;
  if (kind === "at")
    return parsedAt(words)
      ? undefined
      : `.at: "${words}" is no time of day; write \`18:30\` or \`mon,fri 18:30\``;
  const ms = lengthOf(words);
  if (Number.isNaN(ms))
    return `.${kind}: "${words}" is no length of time; write \`10 min\`, \`2 hours\` or \`1 day\``;
  if (ms < minute) return `.${kind}: must be at least a minute`;
  return ms > longest ? `.${kind}: must be at most a year` : undefined;
}

/** In ms; NaN for what is none. */
function lengthOf(words: string): number {
  const [, count, unit = ""] = /^(\d{1,6}) ?([a-z]+)$/.exec(words) ?? [];
  return Number(count) * (units[unit] ?? Number.NaN);
}

function parsedAt(words: string): { on: string[]; hour: number; minute: number } | undefined {
  const [, named, hour, minutes] = /^(?:([a-z,]+) )?(\d{1,2}):(\d{2})$/.exec(words) ?? [];
  const on = named?.split(",") ?? days;
  if (hour === undefined || Number(hour) > 23 || Number(minutes) > 59) return undefined;
  return on.every((day) => days.includes(day))
    ? { on, hour: Number(hour), minute: Number(minutes) }
    : undefined;
}

/** For lists: `at 18:30`, `every 10 min`, `idle 5 min`. */
export function whenInWords(when: When): string {
  return kinds.flatMap((kind) => (when[kind] === undefined ? [] : `${kind} ${when[kind]}`)).join();
}
