// Shortens diffs: small files whole up to a budget, the rest by their hunk heads, big and generated files in one line.
import { plural } from "../../../src/text/index.ts";
import type { Policy } from "../policy.ts";
import { isGenerated } from "./generated.ts";
import { linesMark } from "./rows.ts";
import type { Shorten } from "./shortened.ts";

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

/** Files beyond this share of the budget are not kept whole, so that one cannot take it all. */
const largestShare = 0.6;
/** Most lines kept before the first file: a commit's message and its list of files. */
const mostBefore = 60;

/** Output with `diff --git` or `---`/`+++`/`@@` in it; what stands before the first file (a commit) stays. */
export const shortenDiff: Shorten = (text, policy, { firstLine = 1 }) => {
  if (!/^diff --(?:git|cc) /m.test(text) && !/^--- .+\n\+\+\+ .+\n@@ /m.test(text))
    return undefined;
  const { before, files } = split(text.split("\n"), firstLine);
  let budget = policy.diffCharacters;
  let left = 0;
  const out: string[] = before.slice(0, mostBefore);
  if (before.length > mostBefore)
    out.push(linesMark(firstLine + mostBefore, firstLine + before.length - 1));
  for (const file of files) {
    const isWhole =
      !isGenerated(file.path) &&
      file.size <= budget &&
      (file.size <= policy.diffCharacters * largestShare || files.length === 1);
    if (isWhole) {
      out.push(...file.lines);
      budget -= file.size;
    } else {
      left++;
      const outline = outlineOf(file, policy);
      out.push(...outline);
      budget -= outline.reduce((sum, line) => sum + line.length + 1, 0);
    }
  }
  if (left === 0) return undefined;
  return {
    text: out.join("\n"),
    leftOut: `the changes of ${left} of ${plural(files.length, "file")}`,
    how: "kept small files and hunk heads",
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

/** Most hunk heads of one file. */
const mostHeads = 20;
/** Most lines kept of a commit's own head between others. */
const mostOfCommit = 12;

function outlineOf(file: FileDiff, policy: Policy): string[] {
  const to = file.from + file.lines.length - 1;
  if (file.path === "") {
    if (file.lines.length <= mostOfCommit + 1) return file.lines;
    return [...file.lines.slice(0, mostOfCommit), linesMark(file.from + mostOfCommit, to)];
  }
  const why = isGenerated(file.path)
    ? "generated"
    : file.lines.some((line) => line.startsWith("Binary files "))
      ? "binary"
      : "";
  const head = `${file.lines[0]?.startsWith("diff ") ? file.lines[0] : `diff ${file.path}`}  … +${file.added} −${file.removed}${why && `, ${why}`}, ${linesMark(file.from, to).slice(2)} left out`;
  if (why !== "") return [head];
  const hunks = file.lines.filter((line) => line.startsWith("@@"));
  const heads = hunks
    .slice(0, mostHeads)
    .map((line) => line.slice(0, Math.min(160, policy.lineCharacters)));
  const rest = hunks.length - heads.length;
  return [head, ...heads, ...(rest > 0 ? [`… ${plural(rest, "more hunk")}`] : [])];
}
