// Makes reads smaller: what stands in the context already, what a tool wrote, and the bodies of long sources that nobody asked for.

import type { Asked } from "../look/asked.ts";
import { shapeOf } from "../look/codes.ts";
import { looksOf, lookWords, tellingPlaces } from "../look/look.ts";
import { createNames } from "../look/names.ts";
import { keptOfProse } from "../look/prose.ts";
import type { Policy, ReadPolicy } from "../policy.ts";
import type { Reduced, Reducer } from "../reducer.ts";
import type { Seen, SeenFile } from "../seen.ts";
import { hashLine } from "../seen.ts";
import { isGenerated } from "../text/diff.ts";
import type { Gap } from "./gaps.ts";
import { blocksOf, type FileView, leaveOut, numberLength, parseView } from "./gaps.ts";

// Leaves out the bodies of long sources that nothing asked for: signatures, types, imports and small functions stay.

/** A word of a prompt that is shorter, or stands in more than one block, points at nothing. */
const leastMention = 10;
/** A type is all signature, and so is what holds functions. */
const types =
  /^\s*(?:(?:export|default|pub(?:\([^)]*\))?|public|private|protected|internal|declare|abstract|final|sealed|data|static)\s+)*(?:type|struct|interface|enum|record|class|trait|impl|module|mod|namespace|defmodule|defimpl)\b/;
const word = /[A-Za-z_$][\w$]{7,}/g;

/**
 * What to leave out. Of a body the lines around a word stay that a prompt names and that stands in this body only. Of
 * what is left out the names are shown that stand nowhere else in what is shown.
 */
export function gapsInSource(
  lines: readonly string[],
  isMentioned: (word: string) => boolean,
  policy: ReadPolicy,
): Gap[] {
  const blocks = blocksOf(lines).filter(
    ({ from, body, to }) => to - body + 1 >= policy.bodyLines && !types.test(lines[from] ?? ""),
  );
  const words = lines.map((line) => line.match(word) ?? []);
  const within = (from: number, to: number) => new Set(words.slice(from, to + 1).flat());
  const counts = new Map<string, number>();
  for (const { from, to } of blocks)
    for (const one of within(from, to)) counts.set(one, (counts.get(one) ?? 0) + 1);
  const isPointer = (one: string) =>
    one.length >= leastMention && counts.get(one) === 1 && isMentioned(one);
  const hidden = new Set<number>();
  for (const { from, body, to } of blocks) {
    const kept = new Set<number>();
    for (let at = from; at <= to; at++)
      if (words[at]?.some(isPointer))
        for (let near = at - policy.aroundNamed; near <= at + policy.aroundNamed; near++)
          kept.add(near);
    for (let at = body; at <= to; at++) if (!kept.has(at)) hidden.add(at);
  }
  return namedGaps(lines, hidden);
}

/** Gaps with the names in them that stand nowhere in what is shown. */
function namedGaps(lines: readonly string[], left: ReadonlySet<number>): Gap[] {
  const namesOf = createNames(lines.filter((_, at) => !left.has(at)));
  return runsOf(left).map(([from, to]) => {
    const names = namesOf(lines.slice(from, to + 1));
    return { from, to, why: names === "" ? "left out" : `left out: ${names}` };
  });
}

/** Places that follow each other, as first and last. */
function runsOf(places: ReadonlySet<number>): Array<[from: number, to: number]> {
  const runs: Array<[number, number]> = [];
  for (const at of [...places].sort((one, other) => one - other)) {
    const last = runs.at(-1);
    if (last?.[1] === at - 1) last[1] = at;
    else runs.push([at, at]);
  }
  return runs;
}

// Finds the lines of a read that stand in the context already, from earlier reads of the same file.

/** Fewer lines in a row are shown again: a mark would say no less. */
const leastRun = 6;
/** Shown again at each end of a stretch that is new, so that it has a place. */
const around = 3;

/** The stretches that an earlier read shows already. */
function gapsInRepeats(lines: readonly string[], file: SeenFile): Gap[] {
  const known = knownLines(lines, file);
  const gaps: Gap[] = [];
  for (const [at, is] of known.entries()) {
    if (!is) continue;
    const last = gaps.at(-1);
    if (last?.to === at - 1) last.to = at;
    else gaps.push({ from: at, to: at, why: "left out, as you read or wrote them before" });
  }
  return gaps;
}

/**
 * Whether each line stands in the context: a run of at least six lines that follow each other in an earlier view, too,
 * wherever in the file. What was left out of an earlier view does not count.
 */
export function knownLines(lines: readonly string[], { views }: SeenFile): boolean[] {
  const hashes = lines.map(hashLine);
  const known = lines.map(() => false);
  // The newest first: it mostly shows all there is.
  for (const { hashes: earlier } of views.toReversed()) {
    if (!known.includes(false)) break;
    const places = new Map<number, number[]>();
    for (const [at, hash] of earlier.entries()) {
      if (Number.isNaN(hash)) continue;
      const list = places.get(hash);
      if (list) list.push(at);
      else places.set(hash, [at]);
    }
    for (let at = 0; at < hashes.length; ) {
      const run = longestRun(hashes, at, earlier, places);
      if (run >= leastRun || (run === hashes.length && run > 0)) known.fill(true, at, at + run);
      at += Math.max(1, run);
    }
  }
  return narrowed(known);
}

/** Most places that are tried for a line that stands at many. */
const mostPlaces = 20;

function longestRun(
  hashes: readonly number[],
  at: number,
  earlier: Float64Array,
  places: ReadonlyMap<number, number[]>,
): number {
  let longest = 0;
  for (const place of (places.get(hashes[at] ?? Number.NaN) ?? []).slice(0, mostPlaces)) {
    let length = 0;
    while (
      at + length < hashes.length &&
      place + length < earlier.length &&
      hashes[at + length] === earlier[place + length]
    )
      length++;
    longest = Math.max(longest, length);
  }
  return longest;
}

/** Known lines next to new ones are shown again. */
function narrowed(known: readonly boolean[]): boolean[] {
  return known.map(
    (is, at) => is && !known.slice(Math.max(0, at - around), at + around + 1).includes(false),
  );
}

/**
 * In this order: a read of lines that were left out of the last one comes whole (it asks twice, so it needs them), and
 * so does one after an edit that failed. Lines that an earlier read shows already are left out. Of a range that was
 * asked for nothing else is. A whole file that is long keeps its structure.
 */
export const reduceRead: Reducer = (arrived, seen, policy): Reduced | undefined => {
  const view = parseView(arrived.response);
  if (!view) return undefined;
  const file = seen.file(view.path);
  if (file && (asksAgain(view, file) || file.lastFailure > (file.views.at(-1)?.order ?? 0)))
    return undefined;
  if (file && policy.read.repeats) {
    const gaps = gapsInRepeats(view.lines, file);
    const made = leaveOut(arrived, view, gaps, "left out what was read before");
    if (made) return made;
  }
  if (isRange(arrived.input, view)) return undefined;
  const made: LeaveOut = (gaps, how) => leaveOut(arrived, view, gaps, how);
  return structure(view, { seen, policy, asked: arrived.asked }, made);
};

type LeaveOut = (gaps: ReturnType<typeof gapsInSource>, how: string) => Reduced | undefined;

function structure(
  { path, lines }: FileView,
  { seen, policy, asked }: { seen: Seen; policy: Policy; asked: Asked | undefined },
  made: LeaveOut,
): Reduced | undefined {
  const { read } = policy;
  const kind = kindOf(path, lines);
  const size = lines.reduce((sum, line) => sum + line.length + numberLength, 0);
  switch (kind) {
    case "generated":
    case "data":
    case "log": {
      if (size <= read.dataOver) return undefined;
      return made(gapsInData(lines, policy, asked), `kept the ends of a ${kind} file`);
    }
    case "prose": {
      if (size <= read.proseOver) return undefined;
      return made(gapsInProse(lines, asked), "kept headings and what was asked for");
    }
    case "commented": {
      if (size <= read.proseOver) return undefined;
      return made(gapsInProse(lines, asked, isSetting), "kept settings and what was asked for");
    }
    case "source":
      if (size <= read.sourceOver || !isCutFor(seen, read)) return undefined;
      return made(gapsInSource(lines, seen.isMentioned, read), "kept signatures");
    default:
      return undefined;
  }
}

/** Of what a session's own agent reads it goes on to edit lines; a subagent mostly reads to tell. */
function isCutFor({ onlyReads }: Seen, { sources }: Policy["read"]): boolean {
  return sources === "everyone" || (sources === "subagents" && onlyReads());
}

/** Whether the last read that had any of these lines left some of them out. */
function asksAgain({ startLine, lines }: FileView, { views }: SeenFile): boolean {
  const endLine = startLine + lines.length - 1;
  const last = views.findLast(
    (view) => !view.own && view.startLine <= endLine && view.endLine >= startLine,
  );
  const [from, to] = [startLine - (last?.startLine ?? 0), endLine - (last?.startLine ?? 0)];
  return last?.hashes.subarray(Math.max(0, from), to + 1).some(Number.isNaN) ?? false;
}

/** True when the agent asked for a part of the file. */
function isRange(
  input: Readonly<Record<string, unknown>>,
  { lines, totalLines }: FileView,
): boolean {
  return (
    (input.offset !== undefined || input.limit !== undefined) && lines.length < totalLines * 0.9
  );
}

/** Leaves out what is not kept of a text. */
function gapsInProse(
  lines: readonly string[],
  asked: Asked | undefined,
  isKept: (line: string) => boolean = () => false,
): Gap[] {
  const rows = lines.map((text, line) => ({ line, text }));
  const kept = keptOfProse(rows, asked);
  const left = new Set([...rows.keys()].filter((at) => !kept.has(at) && !isKept(lines[at] ?? "")));
  return namedGaps(lines, left);
}

// Leaves out the middle of data, logs and generated files, and the rest of very long lines.

/** First characters that a very long line is known by. */
const lineStart = 200;
/** Fewer lines left out need no words. */
const leastDescribed = 5;

/** Keeps first and last lines, and those between them that were asked for or depart from the rest. */
function gapsInData(
  lines: readonly string[],
  { read: { dataLines: head }, lineCharacters }: Policy,
  asked: Asked | undefined,
): Gap[] {
  const tail = lines.length - Math.floor(head / 2);
  const isBetween = (at: number) => at >= head && at < tail;
  const telling = tellingPlaces(
    lines,
    (at) => isBetween(at) && (lines[at]?.length ?? 0) <= lineCharacters,
    asked,
  );
  const gaps: Gap[] = [];
  let left: Gap | undefined;
  for (const [at, line] of lines.entries()) {
    const isLong = line.length > lineCharacters;
    if (isLong && !isBetween(at)) {
      const start = line.slice(0, lineStart);
      gaps.push({ from: at, to: at, why: `has ${line.length} characters, beginning: ${start}` });
    } else if (isBetween(at) && !telling.has(at)) {
      if (left?.to === at - 1) left.to = at;
      else {
        left = { from: at, to: at, why: "left out" };
        gaps.push(left);
      }
    }
  }
  return gaps.map((gap) => (gap.why === "left out" ? described(gap, lines) : gap));
}

/** Says how the lines look. */
function described(gap: Gap, lines: readonly string[]): Gap {
  const rows = lines.slice(gap.from, gap.to + 1).map((text, line) => ({ line, text }));
  const looks = rows.length < leastDescribed ? undefined : looksOf(rows);
  return looks ? { ...gap, why: `${gap.why}, ${lookWords(looks)}` } : gap;
}

// What kind of file was read, by its name and by its text.

/** What a long file keeps depends on it. */
type NamedKind = "source" | "prose" | "data" | "log" | "generated";
/** `commented`: settings that are explained at length beside each. */
type FileKind = NamedKind | "commented";

const endings: Readonly<Record<NamedKind, string>> = {
  source:
    "ts tsx mts cts js jsx mjs cjs py pyi go rs rb ex exs java kt kts scala swift c h cc cpp hpp cs php lua sh bash zsh zig dart vue svelte nim jl r pl pm hs ml elm clj erl",
  prose: "md mdx markdown rst adoc txt",
  data: "json jsonl ndjson csv tsv xml geojson parquet",
  log: "log out output err",
  generated: "lock map snap svg min",
};
const byEnding = new Map<string, FileKind>(
  (Object.keys(endings) as NamedKind[]).flatMap((kind) =>
    endings[kind].split(" ").map((ending) => [ending, kind] as const),
  ),
);
const marks =
  /@generated\b|\bcode generated by\b|\bautomatically generated\b|\bauto-?generated (?:by|from|file)\b|\bDO NOT EDIT\b/i;
/** Told to the agent how to work: never shortened. */
const instructions = /(?:^|\/)(?:CLAUDE|AGENTS|SKILL|MEMORY)(?:\.local)?\.md$|\/\.claude\//i;

/** Told to a tool how to work, and edited by hand. */
const settings =
  /(?:^|\/)(?:package|composer|manifest|deno|biome|turbo|nx|angular|vercel|renovate|[jt]sconfig[\w.-]*|[\w.-]*settings[\w.-]*|[\w.-]*config)\.jsonc?$/i;

/** Undefined for a file that is left as it is. */
export function kindOf(path: string, lines: readonly string[]): FileKind | undefined {
  if (instructions.test(path) || settings.test(path)) return undefined;
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const kind = byEnding.get(name.slice(name.lastIndexOf(".") + 1));
  // A text is read for what it says, whoever wrote it.
  if (kind === "prose") return kind;
  if (isGenerated(path) || marks.test(lines.slice(0, 10).join("\n"))) return "generated";
  if (kind === "source" && isMinified(lines)) return "generated";
  return kind ?? (isCommented(lines) ? "commented" : undefined);
}

/** Fewer lines tell nothing of a file whose name says nothing. */
const leastTelling = 40;
/** Share of the lines that are comments, and of those that are of one form. */
const [leastComments, leastAlike] = [0.6, 0.7];
const comment = /^\s*(?:#|;|\/\/|--)/;

const isCommented = (lines: readonly string[]): boolean => {
  const filled = lines.filter((line) => line.trim() !== "");
  const comments = filled.filter((line) => comment.test(line));
  return filled.length >= leastTelling && comments.length >= filled.length * leastComments;
};

const isSetting = (line: string): boolean => line.trim() !== "" && !comment.test(line);

/** Whether the lines of a file whose name says nothing are of one form, as those of a log are. */
export function isLog(path: string, lines: readonly string[]): boolean {
  const filled = lines.filter((line) => line.trim() !== "");
  if (settings.test(path) || filled.length < leastTelling) return false;
  const sizes = [...Map.groupBy(filled, shapeOf).values()].map(({ length }) => length);
  return Math.max(...sizes) >= filled.length * leastAlike;
}

const isMinified = (lines: readonly string[]): boolean =>
  lines.reduce((sum, { length }) => sum + length, 0) > lines.length * 300;
