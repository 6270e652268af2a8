// Turns as the note reads them: what each was about, and what the later ones say and touch. Pure.
import type { Evidence, EvidenceKind, MemoryItem, Turn } from "../../src/sdk/index.ts";
import type { Clock } from "../../src/text/index.ts";
import type { Labels } from "./labels.ts";
import {
  createStatements,
  namesIn,
  type Statements,
  type Term,
  type Terms,
  termsOf,
} from "./statements.ts";

// What every part of the note is written with.

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

// What of a prompt its user typed, and what is quoted in it: fenced, marked with ">", in tags, indented, or pasted. Pure.

/** A stretch of a prompt. */
interface Stretch {
  text: string;
  quoted: boolean;
}

/** A paragraph of so many lines was pasted: nobody types that. */
const pastedLines = 8;
/** So much is typed at most; what is behind it was pasted. */
const typedAtMost = 6_000;
/** A line that a program drew: `main ········ 09:24`. */
const drawn = /([^\p{L}\p{N}\s])\1{7,}/u;
const fence = /^\s*(`{3,}|~{3,})/;
const opening = /^\s*<([a-zA-Z][\w-]*)(?:\s[^>]*)?>/;

/** The prompt in stretches, in order. A text in quotation marks inside a sentence stays in its sentence. */
function stretchesOf(prompt: string): Stretch[] {
  const lines = prompt.split(/\r\n|\n|\r/);
  const quoted = lines.map(() => false);
  let at = 0;
  while (at < lines.length) {
    const end = quotedUntil(lines, at);
    for (let i = at; i < end; i++) quoted[i] = true;
    at = Math.max(at + 1, end);
  }
  markPasted(lines, quoted);
  const stretches: Stretch[] = [];
  for (const [i, line] of lines.entries()) {
    const isQuoted = quoted[i] === true;
    const last = stretches.at(-1);
    if (last && (last.quoted === isQuoted || line.trim() === "")) last.text += `\n${line}`;
    else stretches.push({ text: line, quoted: isQuoted });
  }
  return stretches.filter(({ text }) => text.trim() !== "");
}

/** Only what was typed; `mark` stands for each quotation of so many lines. */
export function typedWords(prompt: string, mark: (lines: number) => string): string {
  return stretchesOf(prompt)
    .map(({ text, quoted }) => (quoted ? mark(text.trim().split("\n").length) : text.trim()))
    .join("\n");
}

/** Where the quotation that begins at this line ends; the line itself where none begins. */
function quotedUntil(lines: readonly string[], at: number): number {
  const line = lines[at] ?? "";
  const fenced = fence.exec(line)?.[1];
  if (fenced) {
    const close = lines.findIndex((one, i) => i > at && one.trim().startsWith(fenced));
    return close < 0 ? lines.length : close + 1;
  }
  if (/^\s*>/.test(line) || drawn.test(line)) return at + 1;
  const tag = opening.exec(line)?.[1];
  if (tag) {
    const close = lines.findIndex((one, i) => i >= at && one.includes(`</${tag}>`));
    if (close >= 0) return close + 1;
  }
  let end = at;
  while (/^(?: {4,}|\t)\s*\S/.test(lines[end] ?? "")) end++;
  return end - at >= 3 ? end : at;
}

function markPasted(lines: readonly string[], quoted: boolean[]): void {
  let start = 0;
  let read = 0;
  for (let at = 0; at <= lines.length; at++) {
    const line = lines[at];
    if (line !== undefined && line.trim() !== "") continue;
    const isLong = at - start >= pastedLines;
    for (let i = start; i < at; i++) {
      read += lines[i]?.length ?? 0;
      if (isLong || read > typedAtMost) quoted[i] = true;
    }
    start = at + 1;
  }
}

/** A turn, what it was about, and where it stands among the others. */
export interface PastTurn {
  turn: Turn;
  /** Sessions that went on later: 0 for the newest session. */
  sessionsAgo: number;
  /** True for the newest turn of its session. */
  isLast: boolean;
  /** Words of what was typed, done and said at the end. */
  terms: Terms;
  /** Words that no other of the turns has. */
  novel: number;
  /** Paths of changed files, commands, and names in what was typed, in lower case. */
  touched: string;
  /** What was stated in all later turns. */
  newer: Statements;
  /** The turns after it, oldest first. */
  later: readonly PastTurn[];
}

const done: ReadonlySet<EvidenceKind> = new Set(["passed", "ran", "repair", "failure"]);
const user: ReadonlySet<EvidenceKind> = new Set(["prompt", "typed", "refusal", "choice"]);
const stated: ReadonlySet<EvidenceKind> = new Set([...user, "closing", "commit"]);
/** Of a text with more, the beginning is compared. */
const compared = 3_000;
const commandCompared = 240;

/** The turns oldest first. */
export function pastOf(turns: readonly Turn[]): PastTurn[] {
  const ordered = turns.toSorted((one, other) => one.startedAt - other.startedAt);
  const newestFirst = [...new Set(ordered.toReversed().map(({ session }) => session))];
  const statements = createStatements();
  const past: PastTurn[] = [];
  const seen = new Set<string>();
  // From the newest on: what is known then is what came later.
  for (let at = ordered.length - 1; at >= 0; at--) {
    const turn = ordered[at];
    if (!turn) continue;
    const newer = statements.upToNow();
    const terms = new Set(termsOf([...commandsOf(turn), ...changedBy(turn)].join("\n")));
    for (const text of textsOf(turn, stated))
      for (const term of statements.add(text)) terms.add(term);
    past.unshift({
      turn,
      sessionsAgo: newestFirst.indexOf(turn.session),
      isLast: !seen.has(turn.session),
      terms,
      novel: 0,
      touched: touchedBy(turn),
      newer,
      later: past.slice(),
    });
    seen.add(turn.session);
  }
  return withNovelty(past);
}

/** Counts for each turn the words that no other has. */
function withNovelty(past: PastTurn[]): PastTurn[] {
  const counts = new Map<Term, number>();
  for (const { terms } of past)
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  for (const one of past) for (const term of one.terms) if (counts.get(term) === 1) one.novel++;
  return past;
}

/** The pieces of these kinds, in order. */
export function piecesOf({ turn }: PastTurn, ...kinds: EvidenceKind[]): Evidence[] {
  return turn.pieces.filter(({ kind }) => kinds.includes(kind));
}

/** The text of the turn's only piece of a kind; empty when there is none. */
export function textOf(past: PastTurn, kind: "prompt" | "closing" | "todo"): string {
  return piecesOf(past, kind)[0]?.text ?? "";
}

function textsOf({ pieces }: Turn, kinds: ReadonlySet<EvidenceKind>): string[] {
  return pieces.flatMap(({ kind, text }) => (kinds.has(kind) ? text.slice(0, compared) : []));
}

function commandsOf({ pieces }: Turn): string[] {
  return pieces.flatMap(({ kind, about }) =>
    done.has(kind) && about ? about.slice(0, commandCompared) : [],
  );
}

function changedBy({ files }: Turn): string[] {
  return files.flatMap(({ path, changed }) => (changed ? path : []));
}

function touchedBy(turn: Turn): string {
  const typed = textsOf(turn, user).flatMap(namesIn);
  return [...changedBy(turn), ...commandsOf(turn), ...typed].join("\n").toLowerCase();
}
