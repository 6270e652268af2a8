// Timestamps of entries: nearly all are of one form, which is read several times faster than Date.parse does.

const length = "2026-01-02T03:04:05.006Z".length;

/** Epoch ms of an entry's `timestamp`; undefined when it is none that Date.parse reads. */
export function timeOf(timestamp: unknown): number | undefined {
  if (typeof timestamp !== "string") return undefined;
  const time = usualTime(timestamp) ?? Date.parse(timestamp);
  return Number.isNaN(time) ? undefined : time;
}

/** The time of a text as `toISOString` writes it; undefined for every other form, and where it needs a closer look. */
function usualTime(text: string): number | undefined {
  if (text.length !== length || text[10] !== "T" || text[19] !== "." || text[23] !== "Z")
    return undefined;
  if (text[4] !== "-" || text[7] !== "-" || text[13] !== ":" || text[16] !== ":") return undefined;
  const year = pair(text, 0) * 100 + pair(text, 2);
  const month = pair(text, 5);
  const day = pair(text, 8);
  const hour = pair(text, 11);
  const minute = pair(text, 14);
  const second = pair(text, 17);
  const milliseconds = pair(text, 20) * 10 + digit(text, 22);
  // What is out of range, also by a NaN, is left to Date.parse; so are the days that not every month has.
  const usual = year >= 1970 && month >= 1 && month <= 12 && day >= 1 && day <= 28 && hour <= 23;
  if (!usual || !(minute <= 59) || !(second <= 59) || !(milliseconds <= 999)) return undefined;
  const seconds = (hour * 60 + minute) * 60 + second;
  return midnight(year, month, day) + seconds * 1_000 + milliseconds;
}

/** The last day that was asked for, and when it began: one entry after the other is of one day. */
let known = { day: 0, begin: 0 };

function midnight(year: number, month: number, day: number): number {
  const asked = (year * 100 + month) * 100 + day;
  if (asked !== known.day) known = { day: asked, begin: Date.UTC(year, month - 1, day) };
  return known.begin;
}

function pair(text: string, at: number): number {
  return digit(text, at) * 10 + digit(text, at + 1);
}

/** NaN for what is no digit. */
function digit(text: string, at: number): number {
  const value = text.charCodeAt(at) - 0x30;
  return value >= 0 && value <= 9 ? value : Number.NaN;
}
