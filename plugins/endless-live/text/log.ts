// Shortens the output of a program: what repeats or only shows progress goes, trouble stays with its neighbours, then head and tail.

import { keptOfProse } from "../look/prose.ts";
import { cutTelling } from "../look/score.ts";
import type { Policy } from "../policy.ts";
import type { Shorten } from "./rows.ts";
import {
  anyOf,
  depthOf,
  leftOfLines,
  lostPaths,
  type Origin,
  type Row,
  render,
  rowsOf,
  type Shortened,
  shapeOfRow,
  tellsTrouble,
} from "./rows.ts";

/** What a kind of log adds. */
export interface LogKind {
  how: string;
  /** Lines that say nothing beyond their number: progress, passing tests. */
  isNoise?(line: string): boolean;
  /** The same for lines that only their place tells, by number. */
  noiseRows?(rows: readonly Row[]): ReadonlySet<number>;
  /** Line numbers of what is kept whole, whatever else goes: failures, errors with their paragraph. */
  whole?(rows: readonly Row[], policy: Policy): Set<number>;
}

/** Repeated lines below this length tell nothing by being there twice. */
const leastRepeat = 12;

/** The shorter log; undefined when nothing in it may go. */
export function shortenLog(
  text: string,
  policy: Policy,
  { firstLine }: Origin,
  kind: LogKind,
): Shortened | undefined {
  const rows = rowsOf(text, firstLine);
  const dropped = new Set<number>();
  const placed = kind.noiseRows?.(rows);
  const seen = new Set<string>();
  const usual = usualRows(rows);
  for (const { line, text: content } of rows) {
    if (kind.isNoise?.(content) || placed?.has(line)) dropped.add(line);
    else if (content.length >= leastRepeat) {
      const form = sameForm(content);
      if (seen.has(form)) dropped.add(line);
      seen.add(form);
    }
  }
  // A failure stays whole: what only repeats inside it comes back.
  const named = kind.whole?.(rows, policy) ?? new Set<number>();
  // What most lines are is no failure.
  const failed = named.size > rows.length / 2 ? named.difference(usual(mostShare)) : named;
  const whole = failed.union(plannedRows(rows));
  for (const line of whole) dropped.delete(line);
  const rest = rows.filter(({ line }) => !dropped.has(line));
  const kept = choose(rest, whole, usual(usualShare), policy);
  const isKept = ({ line }: Row) => !dropped.has(line) && (kept.all || kept.lines.has(line));
  const { text: short, missing } = render(rows, isKept, (line) =>
    cutTelling(line, policy.lineCharacters),
  );
  if (missing.length === 0 && short.length >= text.length) return undefined;
  const paths = lostPaths(
    missing.map((row) => row.text),
    short,
  );
  return {
    text: paths === undefined ? short : `${short}\n${paths}`,
    leftOut: leftOfLines(missing.length, rows.length, text.length - short.length, text.length),
    how: kind.how,
    rows,
  };
}

interface Choice {
  /** Nothing is to be left out beyond noise and repeats. */
  all: boolean;
  lines: Set<number>;
}

function choose(
  rest: readonly Row[],
  whole: ReadonlySet<number>,
  usual: ReadonlySet<number>,
  policy: Policy,
): Choice {
  const { headLines, tailLines } = policy;
  const lines = new Set(whole);
  if (rest.length <= headLines + tailLines + 10) return { all: true, lines };
  for (const { line } of unlike(rest.slice(0, headLines))) lines.add(line);
  for (const { line } of unlike(rest.slice(rest.length - tailLines).reverse())) lines.add(line);
  let budget = policy.troubleCharacters;
  /** How often a message came; of one that many lines say a few will do. */
  const messages = new Map<string, number>();
  for (const [at, row] of rest.entries()) {
    if (budget <= 0) break;
    if (whole.has(row.line) || usual.has(row.line) || !tellsTrouble(row)) continue;
    const message = messageOf(row.text);
    const times = messages.get(message) ?? 0;
    messages.set(message, times + 1);
    if (times >= mostAlike) continue;
    const from = Math.max(0, at - policy.aroundLines);
    for (const near of rest.slice(from, endOfDetails(rest, at, policy.aroundLines))) {
      if (lines.has(near.line)) continue;
      lines.add(near.line);
      budget -= Math.min(near.text.length, policy.lineCharacters);
    }
  }
  return { all: false, lines };
}

/** Details below a line of trouble, by their number, that stay with it: frames of its stack, notes. */
const mostDetails = 8;

/** The place behind the last line that stays with the trouble at `at`: those around it, and what is indented below them. */
function endOfDetails(rest: readonly Row[], at: number, around: number): number {
  let end = at + around + 1;
  const depth = rest[at] ? depthOf(rest[at]) : 0;
  while (end - at <= mostDetails && rest[end] && depthOf(rest[end] as Row) > depth) end++;
  return end;
}

/** Lines that differ in times, counts and ids only are the same. Paths and places keep their numbers. */
function sameForm(line: string): string {
  if (line.length > 2_000) return line;
  return line
    .trim()
    .replace(/\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?\b|\b\d+(?:\.\d+)? ?(?:ms|s|%|[kMG]i?B)(?!\w)/g, "#");
}

/** Share of the lines, and their number, from which on a form is the usual one; and that in which most lines are. */
const [usualShare, leastUsual, mostShare] = [0.25, 40, 0.5];

/** The rows of the forms that such a share has, but the first few of each: what is unusual among them comes back at the second look. */
function usualRows(rows: readonly Row[]): (share: number) => Set<number> {
  const shapes = new Map<number, number[]>();
  for (const row of rows) {
    if (row.text.trim() === "") continue;
    const lines = shapes.get(shapeOfRow(row));
    if (lines) lines.push(row.line);
    else shapes.set(shapeOfRow(row), [row.line]);
  }
  return (share) => {
    const found = new Set<number>();
    for (const lines of shapes.values()) {
      if (lines.length < Math.max(leastUsual, rows.length * share)) continue;
      for (let at = mostAlike; at < lines.length; at++) found.add(lines[at] ?? 0);
    }
    return found;
  };
}

/** Lines of one form that are enough to know it by. */
const mostAlike = 3;

/** Of lines of one form the first few, and the very first line. */
function unlike(rows: readonly Row[]): Row[] {
  const shapes = new Map<number, number>();
  return rows.filter((row, at) => {
    const shape = shapeOfRow(row);
    const times = shapes.get(shape) ?? 0;
    shapes.set(shape, times + 1);
    return times < mostAlike || at === 0;
  });
}

/** What a line says, whatever it says it of: without names in quotes, paths and numbers. */
function messageOf(line: string): string {
  return line
    .slice(0, 300)
    .replaceAll(/["'`‘“«][^"'`’”»]*["'`’”»]/g, '"')
    .replaceAll(/\S*[\d/\\]\S*|\S+\.\w+/g, "#")
    .trim();
}

// What a plan or a roll-out does to things by name: each that goes, is replaced or is changed stays.

/** Things that go, or are made anew. */
const losing = anyOf([
  // # aws_db_instance.ledger will be destroyed · must be replaced · aws_db_instance.ledger: Destroying...
  /^\s*# \S+.* (?:will be destroyed|must be replaced|will be replaced|has been deleted)/,
  /^\S+: (?:Destroying|Destruction complete)\b/,
  //  -   ├─ aws:rds:Instance  ledger  delete · +-  ├─ aws:ec2:Subnet  private  replace
  /^\s*(?:-|\+-|-\+|\+\/-|-\/\+)\s+[├└│─\s]*[\w@/.-]+:\S+\s/,
  // deployment.apps "old" deleted · deployment.apps/old pruned
  /^\S+[/ ]"?[\w.-]+"? (?:deleted|pruned)$/,
  // [-] AWS::S3::Bucket old destroy
  /^\[-\]\s\S+::\S+/,
]);
/** Things that are changed where they are. */
const changing = anyOf([
  // # aws_instance.web will be updated in-place
  /^\s*# \S+.* will be (?:updated in-place|moved|imported|created and then destroyed)/,
  //  ~   ├─ aws:s3:BucketPolicy  assets  update · [~] AWS::IAM::Role role
  /^\s*~\s+[├└│─\s]*[\w@/.-]+:\S+\s/,
  /^\[~\]\s\S+::\S+/,
  // changed: [web09] · fatal: [web11]: FAILED!
  /^(?:changed|fatal|failed|unreachable): \[/,
]);
/** Most characters of each. */
const [mostLosing, mostChanging] = [4_000, 1_200];

/** The rows that name what a plan does, as far as there is room: what goes comes first. */
export function plannedRows(rows: readonly Row[]): Set<number> {
  const found = new Set<number>();
  const take = (form: RegExp, room: number): void => {
    let left = room;
    for (const { line, text } of rows) {
      if (text.length > 400 || !form.test(text)) continue;
      left -= text.length + 1;
      if (left < 0) return;
      found.add(line);
    }
  };
  take(losing, mostLosing);
  take(changing, mostChanging);
  return found;
}

// Shortens output that nothing is known of: of prose the beginning stays, of a log head, tail and every line that tells of trouble.

/** Left alone up to the policy's `genericOver`; prose (an issue, a page of help) up to `answerCharacters`. */
export const shortenGeneric: Shorten = (text, policy, origin) => {
  if (text.length <= policy.genericOver) return undefined;
  if (isProse(text)) return shortenAnswer(text, policy, origin);
  return shortenLog(text, policy, origin, { how: "kept head, tail and trouble" });
};

/** A heading, a point of a list, or a quoted line with words in it. */
const point = /^\s*(?:[-*•]|\d+[.)]|#{1,6}|>)\s+\S+\s+\S/;

/** Whether most lines are sentences, or parts of them that go on in the next, headings or points of a list. Such text is read for what it says in the middle too. */
function isProse(text: string): boolean {
  const filled = text.split("\n", 400).filter((line) => line.trim() !== "");
  let [said, ended] = [0, 0];
  for (const [at, line] of filled.entries()) {
    const isPoint = point.test(line);
    if (isPoint || isSaid(line)) {
      said++;
      if (isPoint || /[.!?:;,`)。！？：；]$/.test(line.trimEnd())) ended++;
    } else if (at + 1 - said >= filled.length / 2) return false;
  }
  return said > filled.length / 2 && ended > said * leastEnded;
}

/** Share of its lines that end like a part of a sentence: of a log hardly any does. */
const leastEnded = 0.2;

/** `src/cart.ts:12:4`, `cart.ts(3,7)`: what a checker says of a place. */
const place = /^\s*[\w@~./\\-]+(?::\d+|\(\d+)/;

/** Five words or more and hardly anything else, or the same in a script without spaces. */
function isSaid(line: string): boolean {
  if (place.test(line)) return false;
  const words = line.slice(0, 300).trim().split(/\s+/);
  const plain = words.length < 5 ? [] : words.filter((word) => plainWord.test(word));
  if (plain.length >= 5) return plain.length > words.length * 0.6;
  const length = line.trim().length;
  return length > 8 && (line.match(unspaced)?.length ?? 0) > length * 0.6;
}

const plainWord = /^["'`*_(]?\p{L}[\p{L}\p{M}'’-]*["'`*_),.;:]*$/u;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;

/** Shortens answers in prose: a fetched page, a subagent's report. */
export const shortenAnswer: Shorten = (text, policy, { firstLine, asked }) => {
  if (text.length <= policy.answerCharacters) return undefined;
  const rows = rowsOf(text, firstLine);
  const kept = keptOfProse(rows, asked);
  const { text: short, missing } = render(
    rows,
    ({ line }) => kept.has(line),
    (line) => cutTelling(line, policy.answerCharacters),
  );
  const paths = lostPaths(
    missing.map((row) => row.text),
    short,
  );
  return {
    text: paths === undefined ? short : `${short}\n${paths}`,
    leftOut: leftOfLines(missing.length, rows.length, text.length - short.length, text.length),
    how: "kept what was asked for, headings and the conclusion",
    rows,
    of: "prose",
  };
};
