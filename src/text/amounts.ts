// How long ago, when, how big: in the words that a terminal and the page say them.
import { localClock } from "./text.ts";

/** Milliseconds of units of time, the longest first. */
export const units: ReadonlyArray<readonly [name: string, length: number]> = [
  ["y", 365 * 86_400_000],
  ["mo", 30 * 86_400_000],
  ["w", 7 * 86_400_000],
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
];

/** `3h ago`, `just now`; times in epoch ms. */
export function ago(time: number, now: number): string {
  const passed = now - time;
  for (const [name, length] of units)
    if (passed >= length) return `${Math.floor(passed / length)}${name} ago`;
  return "just now";
}

/** `2026-11-21 09:14`, in local time. */
export function dateTime(time: number): string {
  return `${localClock.day(time)} ${localClock.time(time)}`;
}

/** `412 B`, `3.1 MB`. */
export function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const names = ["kB", "MB", "GB", "TB"];
  let value = bytes / 1_000;
  let at = 0;
  while (value >= 1_000 && at < names.length - 1) {
    value /= 1_000;
    at++;
  }
  return `${value.toFixed(value < 10 ? 1 : 0)} ${names[at]}`;
}

/** `834`, `12.4k`, `3.1M`. */
export function short(value: number): string {
  const size = Math.abs(value);
  if (size < 1_000) return String(Math.round(value));
  if (size < 1_000_000) return `${(value / 1_000).toFixed(1)}k`;
  return `${(value / 1_000_000).toFixed(1)}M`;
}
