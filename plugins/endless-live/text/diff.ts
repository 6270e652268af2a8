// Shortens diffs: small files whole up to a budget, the rest by their hunk heads, big and generated files in one line.
import { plural } from "../../../src/text/index.ts";
import type { Asked } from "../look/asked.ts";
import type { Policy } from "../policy.ts";
import { asItIs, gapOf, linesMark, type Shorten } from "./rows.ts";

/** One file of a diff. */
interface FileDiff {
  /** The number of its first line in the whole. */
  from: number;
  lines: string[];
  path: string;
  added: number;
  removed: number;
  size: number;
}

/** Diffs of so few files stay whole, up to this size. */
const [fewFiles, clientLimit] = [2, 10_000];
/** Files beyond this share of the budget are not kept whole, so that one cannot take it all. */
const largestShare = 0.6;
/** Most lines kept before the first file: a commit's message and its list of files. */
const mostBefore = 60;

/** Output with `diff --git` or `---`/`+++`/`@@` in it; what stands before the first file (a commit) stays. */
export const shortenDiff: Shorten = (text, policy, { firstLine = 1, asked }) => {
  if (!/^diff --(?:git|cc) /m.test(text) && !/^--- .+\n\+\+\+ .+\n@@ /m.test(text))
    return undefined;
  const lines = text.split("\n");
  const { before, files } = split(lines, firstLine);
  const isRead = ({ path, lines }: FileDiff) =>
    path !== "" && !isWritten(path, lines) && !isBinary(lines);
  if (files.length <= fewFiles && files.every(isRead) && text.length <= clientLimit)
    return asItIs(text);
  const wanted = askedHunks(lines, firstLine, asked, policy);
  let budget = policy.diffCharacters;
  let left = 0;
  const out: string[] = before.slice(0, mostBefore);
  if (before.length > mostBefore)
    out.push(linesMark(firstLine + mostBefore, firstLine + before.length - 1));
  for (const file of files) {
    const isWhole =
      !isWritten(file.path, file.lines) &&
      file.size <= budget &&
      file.size <= policy.diffCharacters * largestShare;
    const shown = isWhole ? file.lines : outlineOf(file, policy, wanted);
    if (shown !== file.lines) left++;
    out.push(...shown);
    budget -= shown.reduce((sum, line) => sum + line.length + 1, 0);
  }
  if (left === 0) return undefined;
  return {
    text: out.join("\n"),
    leftOut: `hunks of ${left} of ${plural(files.length, "file")}`,
    how: "kept small files and what was asked for",
    of: "diff",
  };
};

function split(
  lines: readonly string[],
  firstLine: number,
): { before: string[]; files: FileDiff[] } {
  const before: string[] = [];
  const files: FileDiff[] = [];
  let file: FileDiff | undefined;
  let inHunk = false;
  for (const [at, line] of lines.entries()) {
    const isGit = /^diff --(?:git|cc) /.test(line);
    const isPlain =
      !isGit &&
      line.startsWith("--- ") &&
      (lines[at + 1] ?? "").startsWith("+++ ") &&
      (!file || inHunk || !file.lines[0]?.startsWith("diff "));
    // `git log -p`: the next commit's head is its own piece.
    const isCommit = /^commit [0-9a-f]{7,40}\b/.test(line);
    if (isGit || isPlain || isCommit) {
      file = {
        from: firstLine + at,
        lines: [],
        path: isCommit ? "" : pathOf(line),
        added: 0,
        removed: 0,
        size: 0,
      };
      files.push(file);
      inHunk = false;
    }
    if (!file) {
      before.push(line);
      continue;
    }
    if (line.startsWith("@@")) inHunk = true;
    else if (inHunk && line.startsWith("+")) file.added++;
    else if (inHunk && line.startsWith("-")) file.removed++;
    if (line.startsWith("+++ ") && !inHunk && line !== "+++ /dev/null") file.path = pathOf(line);
    file.lines.push(line);
    file.size += line.length + 1;
  }
  return { before, files };
}

/** From `diff --git a/x b/x`, `--- a/x` or `+++ b/x`. */
function pathOf(line: string): string {
  const git = /^diff --git "?a\/.*? "?b\/(.*?)"?$/.exec(line)?.[1];
  return (
    git ??
    line
      .replace(/^(?:---|\+\+\+|diff --cc) /, "")
      .replace(/^[ab]\//, "")
      .replace(/\t.*$/, "")
  );
}

/** Most hunks of one file that are named. */
const mostHunks = 20;
/** Longest hunk whose lines are fewer than their mark would be. */
const smallHunk = 40;
/** Most lines kept of a commit's own head between others. */
const mostOfCommit = 12;

/** From how many bits on a hunk was asked for; among few hardly anything is rare. */
const [leastAskedBits, shareOfRarest] = [3, 0.33];

/** The numbers of the first lines of hunks that were asked for, what has most of it first, as far as there is room. */
function askedHunks(
  lines: readonly string[],
  firstLine: number,
  asked: Asked | undefined,
  { diffCharacters }: Policy,
): Set<number> {
  const found = new Set<number>();
  const hunks = asked ? hunksOf(lines) : [];
  if (!asked || hunks.length === 0) return found;
  const bits = asked.bitsOf(
    lines,
    hunks.map(({ places }) => places),
  );
  const least = Math.min(leastAskedBits, Math.log2(hunks.length) * shareOfRarest);
  const best = [...hunks.entries()]
    .filter(([at]) => (bits[at] ?? 0) >= least)
    .sort(([one], [other]) => (bits[other] ?? 0) - (bits[one] ?? 0));
  let room = diffCharacters;
  for (const [, { from, places }] of best) {
    room -= places.reduce((sum, at) => sum + (lines[at]?.length ?? 0) + 1, 0);
    if (room < 0) break;
    found.add(firstLine + from);
  }
  return found;
}

/** Where each hunk begins, and the places of its lines and of its file's name. */
function hunksOf(lines: readonly string[]): { from: number; places: number[] }[] {
  const hunks: { from: number; places: number[] }[] = [];
  let name = 0;
  for (const [at, line] of lines.entries()) {
    if (line.startsWith("+++ ")) name = at;
    if (line.startsWith("@@")) hunks.push({ from: at, places: [name] });
    hunks.at(-1)?.places.push(at);
  }
  return hunks;
}

/** A file by its hunks: those that were asked for stay, of the others head, place and what they add and remove. */
function outlineOf(file: FileDiff, policy: Policy, asked: ReadonlySet<number>): string[] {
  const to = file.from + file.lines.length - 1;
  if (file.path === "") {
    if (file.lines.length <= mostOfCommit + 1) return file.lines;
    return [...file.lines.slice(0, mostOfCommit), linesMark(file.from + mostOfCommit, to)];
  }
  const why = isWritten(file.path, file.lines) ? "generated" : isBinary(file.lines) ? "binary" : "";
  const first = file.lines[0] ?? "";
  const name = first.startsWith("diff ") ? first : `diff ${file.path}`;
  const starts = file.lines.flatMap((line, at) => (line.startsWith("@@") ? [at] : []));
  const hunks = starts.length > mostHunks ? ` in ${starts.length} hunks` : "";
  const head = `${name}  … +${file.added} −${file.removed}${hunks}${why && `, ${why}`}`;
  if (why !== "") return [`${head}, ${linesMark(file.from, to).slice(2)} left out`];
  const shown = starts.slice(0, mostHunks).flatMap((start, index) => {
    const lines = file.lines.slice(start, starts[index + 1]);
    const size = lines.reduce((sum, line) => sum + line.length + 1, 0);
    const isSmall = size - (lines[0]?.length ?? 0) <= smallHunk;
    if (isSmall || asked.has(file.from + start)) return lines;
    const from = file.from + start + 1;
    const opening = (lines[0] ?? "").slice(0, Math.min(160, policy.lineCharacters));
    const changed = `… +${countOf(lines, "+")} −${countOf(lines, "-")}`;
    return [`${opening}  ${changed}`, linesMark(from, from + lines.length - 2)];
  });
  const next = starts[mostHunks];
  if (next !== undefined) shown.push(linesMark(file.from + next, to));
  return [head, ...joined(shown)];
}

/** Marks that follow each other become one. */
function joined(lines: readonly string[]): string[] {
  const out: string[] = [];
  for (const line of lines) {
    const [before, gap] = [gapOf(out.at(-1) ?? ""), gapOf(line)];
    if (before && gap) out.splice(-1, 1, linesMark(before.from, gap.to));
    else out.push(line);
  }
  return out;
}

/** Whether a tool wrote the file; where two sides wrote different things, a person has to read them. */
function isWritten(path: string, lines: readonly string[]): boolean {
  return isGenerated(path) && !lines[0]?.startsWith("diff --cc ");
}

function isBinary(lines: readonly string[]): boolean {
  return lines.some((line) => line.startsWith("Binary files "));
}

function countOf(lines: readonly string[], sign: string): number {
  return lines.filter((line) => line.startsWith(sign)).length;
}

// Files that tools write: their content is hardly ever needed word for word.

const names =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|composer\.lock|Gemfile\.lock|go\.sum|mix\.lock|flake\.lock|pubspec\.lock|Package\.resolved|packages\.lock\.json)$/;
const forms =
  /\.(?:min\.(?:js|css|mjs)|bundle\.js|map|snap|pb\.go|pb2?\.py|_pb\.d\.ts|g\.dart|designer\.cs)$|(?:^|\/)(?:dist|node_modules|vendor|__snapshots__|\.next|build\/assets)\//;

/** True for lock files, bundles, source maps, snapshots and what lies in a folder of built or fetched files. */
export function isGenerated(path: string): boolean {
  return names.test(path) || forms.test(path);
}
