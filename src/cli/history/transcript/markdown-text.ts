// Markdown pieces that hold foreign text.
import { dateTime } from "../../terminal/layout.ts";

/** A fenced block whose fence is longer than any inside it. */
export function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** A value as a fenced block: a text as it is, anything else as JSON. */
export function fencedValue(value: unknown): string {
  return typeof value === "string"
    ? fenced(value)
    : fenced(JSON.stringify(value, null, 2) ?? "null", "json");
}

/** Every line quoted. */
export function quoted(text: string): string {
  return text
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}

/** `2026-11-21 09:14:03`, in local time; a question mark without a time. */
export function stamp(time: number | undefined): string {
  if (time === undefined) return "?";
  return `${dateTime(time)}:${new Date(time).toISOString().slice(17, 19)}`;
}
