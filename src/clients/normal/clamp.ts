// Bounds what one event may carry: over-long strings, lists and nesting are shortened, and say so.

import { omissionMark } from "../../text/shorten.ts";

/** How much of a value survives. All counts are per event. */
interface ClampLimits {
  /** Characters one string may keep. */
  string: number;
  /** Characters all strings together may keep; when they are used up, each further string keeps little. */
  total: number;
  /** Entries a list or object may keep. */
  entries: number;
  /** Levels of nesting. */
  depth: number;
}

export const defaultClampLimits: ClampLimits = {
  string: 64 * 1024,
  total: 2 * 1024 * 1024,
  entries: 5_000,
  depth: 64,
};

/** What a string keeps after the total is used up. */
const leastKept = 256;
/** How far a cut moves to meet a line end. */
const lineReach = 2_000;

/** Keeps the beginning and the end of a text that is longer than `limit`, with a line between them that counts what was left out. */
export function clampText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const headEnd = cutBefore(text, Math.ceil(limit * 0.75));
  const tailStart = cutAfter(text, text.length - Math.floor(limit * 0.25));
  const left = tailStart - headEnd;
  return `${text.slice(0, headEnd)}\n${omissionMark(left)}\n${text.slice(tailStart)}`;
}

/** The same value with every string, list and object within the limits. Plain JSON in, plain JSON out. */
export function clampDeep(value: unknown, limits: ClampLimits = defaultClampLimits): unknown {
  let spent = 0;
  const visit = (item: unknown, depth: number): unknown => {
    if (typeof item === "string") {
      const room = Math.max(Math.min(limits.string, limits.total - spent), leastKept);
      const kept = clampText(item, room);
      spent += kept.length;
      return kept;
    }
    if (typeof item !== "object" || item === null) return item;
    if (depth >= limits.depth) return "[memoir left out what is nested deeper]";
    if (Array.isArray(item)) {
      const kept = item.slice(0, limits.entries).map((entry) => visit(entry, depth + 1));
      if (item.length > limits.entries) kept.push(leftOut(item.length - limits.entries));
      return kept;
    }
    const entries = Object.entries(item);
    const kept = entries
      .slice(0, limits.entries)
      .map(([key, entry]): [string, unknown] => [clampText(key, 1_024), visit(entry, depth + 1)]);
    if (entries.length > limits.entries) {
      kept.push(["memoir", leftOut(entries.length - limits.entries)]);
    }
    // fromEntries makes own properties, so a key named __proto__ stays data.
    return Object.fromEntries(kept);
  };
  return visit(value, 0);
}

function leftOut(count: number): string {
  return `[memoir left out ${count} more entries]`;
}

/** A position at or before `at`: after a line end when one is near, never inside a surrogate pair. */
function cutBefore(text: string, at: number): number {
  const line = text.lastIndexOf("\n", at - 1);
  if (line >= 0 && at - line <= lineReach) return line + 1;
  return isLowSurrogate(text, at) ? at - 1 : at;
}

/** A position at or after `at`: after a line end when one is near, never inside a surrogate pair. */
function cutAfter(text: string, at: number): number {
  const line = text.indexOf("\n", at);
  if (line >= 0 && line - at <= lineReach && line + 1 < text.length) return line + 1;
  return isLowSurrogate(text, at) ? at + 1 : at;
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}
