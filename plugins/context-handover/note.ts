// What every part of the note is written with.
import type { MemoryItem } from "../../src/sdk/index.ts";
import type { Clock } from "../../src/text/index.ts";
import type { Labels } from "./labels.ts";
import type { PastTurn } from "./past.ts";
import { typedWords } from "./typed-words.ts";

/** What every part of the note is written with. */
export interface Note {
  clock: Clock;
  labels: Labels;
  /** Turns oldest first: those told about, and what came after each. */
  turns: readonly PastTurn[];
}

/** `t12 · 2026-11-20 14:05`. */
export function placeOf({ turn }: PastTurn, { clock }: Note): string {
  return `${turn.id} · ${clock.day(turn.startedAt)} ${clock.time(turn.startedAt)}`;
}

/** A command on one line, in code marks. */
export function code(line: string): string {
  const flat = line.replace(/\s+/g, " ").replaceAll("`", "'").trim();
  return `\`${flat.length > 200 ? `${flat.slice(0, 199)}…` : flat}\``;
}

/** What the user typed, with a mark in place of what was quoted or pasted. */
export function typed(text: string, { labels }: Note): string {
  return typedWords(text, (lines) => labels.quoted.replace("{n}", String(lines)));
}

/** True for what was said or chosen once, and nothing came back to since. */
export function isOnce({ state }: MemoryItem): boolean {
  return state === "candidate";
}

const decay = 0.82;

/** How much of a rank is left after so many sessions. */
export function fresh({ sessionsAgo }: PastTurn): number {
  return decay ** sessionsAgo;
}
