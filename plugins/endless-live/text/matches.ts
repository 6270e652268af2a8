// Shortens search results: grouped by file, the first matches of each file whole, the rest counted with their lines.
import { isAbsolutePath, plural } from "../../../src/text/index.ts";
import type { Policy } from "../policy.ts";
import type { Shorten, Shortened } from "./rows.ts";
import { cutLine } from "./rows.ts";

/** One file's matches and the context lines between them, without the path. */
interface FileMatches {
  path: string;
  lines: string[];
}

const match = /^((?:[A-Za-z]:)?[^\s:][^:\t]*):(\d+):/;
const context = /^((?:[A-Za-z]:)?[^\s:][^:\t]*?)-(\d+)-/;
const plain = /^((?:[A-Za-z]:)?[^\s:]+):/;
const bareNumbered = /^\d+[:-]/;

const isPath = (path: string | undefined): path is string =>
  path !== undefined && /[./]/.test(path) && path.length <= 300;

/** The lines by file, in order of first sight; undefined when most lines are of another form. */
function parse(lines: readonly string[]): FileMatches[] | undefined {
  const known = new Set<string>();
  for (const line of lines) {
    const path = match.exec(line)?.[1];
    if (isPath(path)) known.add(path);
  }
  const byName = new Map<string, FileMatches>();
  let file: FileMatches | undefined;
  let unread = 0;
  for (const line of lines) {
    if (line === "") continue;
    if (line === "--") {
      file?.lines.push(line);
      continue;
    }
    const found = readLine(line, file?.path, known);
    if (!found) {
      unread++;
      // A match that holds a line end goes on without a path.
      file?.lines.push(line);
      continue;
    }
    file = byName.get(found.path);
    if (!file) {
      file = { path: nameOf(found.path, known), lines: [] };
      const same = byName.get(file.path);
      if (same) file = same;
      byName.set(found.path, file).set(file.path, file);
    }
    file.lines.push(found.rest);
  }
  if (unread > lines.length / 10 || byName.size === 0) return undefined;
  return [...new Set(byName.values())];
}

/** A client may tell a match by its relative path and the lines around it by the absolute one. */
function nameOf(path: string, known: ReadonlySet<string>): string {
  if (known.has(path) || !isAbsolutePath(path)) return path;
  for (const { index } of path.matchAll(/[\\/]/g))
    if (known.has(path.slice(index + 1))) return path.slice(index + 1);
  return path;
}

function readLine(
  line: string,
  current: string | undefined,
  known: ReadonlySet<string>,
): { path: string; rest: string } | undefined {
  const cutAt = (path: string) => ({ path, rest: line.slice(path.length + 1) });
  if (current && line.startsWith(current) && /^[:-]\d+[:-]/.test(line.slice(current.length)))
    return cutAt(current);
  if (bareNumbered.test(line)) return { path: "", rest: line };
  const matched = match.exec(line)?.[1];
  if (isPath(matched) && !contextPath(line, known, true)) return cutAt(matched);
  const around = contextPath(line, known, false);
  if (isPath(around)) return cutAt(around);
  const path = plain.exec(line)?.[1];
  return isPath(path) ? cutAt(path) : undefined;
}

/** The path before `-12-`: one that matches know, else (unless `sure`) the shortest. A path may hold `-12-` itself. */
function contextPath(line: string, known: ReadonlySet<string>, sure: boolean): string | undefined {
  for (const { index } of line.matchAll(/-\d+-/g)) {
    const path = line.slice(0, index);
    if (path.length > 300) break;
    if (known.has(nameOf(path, known))) return path;
  }
  return sure ? undefined : context.exec(line)?.[1];
}

const isMatch = (line: string) => /^\d+:/.test(line) || !/^\d+-/.test(line);

/** A file's matches as they are shown. */
interface Written {
  path: string;
  lines: string[];
  /** Lines that are not shown. */
  left: number;
}

function write(file: FileMatches, most: number, width: number): Written {
  const out: string[] = [];
  const later: string[] = [];
  let matches = 0;
  let left = 0;
  for (const line of file.lines) {
    if (line !== "--" && isMatch(line)) matches++;
    if (matches <= most) {
      out.push(cutLine(line, width));
      continue;
    }
    if (line === "--") continue;
    left++;
    const number = /^(\d+):/.exec(line)?.[1];
    if (number !== undefined) later.push(number);
  }
  while (out.at(-1) === "--") out.pop();
  if (left > 0) {
    const where = later.slice(0, 20).join(", ") + (later.length > 20 ? ", …" : "");
    out.push(`… ${plural(left, "more line")}${where ? `, matches in lines ${where}` : ""}`);
  }
  return { path: file.path, lines: out, left };
}

/** Fewer neighbours in a folder are each written with their whole path. */
const leastTogether = 4;

/** Files one after the other; a folder that many in a row lie in is written once. */
function compose(files: readonly Written[]): string {
  const out: string[] = [];
  const write = ({ lines }: Written, name: string): void => {
    if (name === "") out.push(...lines);
    else if (lines.length === 1) out.push(`${name}:${lines[0]}`);
    else out.push(`${name}:`, ...lines);
  };
  let from = 0;
  let wasShared = false;
  while (from < files.length) {
    const folder = folderOf(files[from]?.path ?? "");
    let to = from + 1;
    while (to < files.length && folderOf(files[to]?.path ?? "") === folder) to++;
    const together = files.slice(from, to);
    const isShared = folder !== "" && together.length >= leastTogether;
    // Else it would seem to lie in the folder that was written last.
    const isRelative = /^[^/]/.test(files[from]?.path ?? "");
    if (isShared) out.push(`in ${folder}`);
    else if (wasShared && isRelative) out.push("in ./");
    wasShared = isShared || (wasShared && !isRelative);
    for (const file of together) write(file, isShared ? file.path.slice(folder.length) : file.path);
    from = to;
  }
  return out.join("\n");
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);

/** Shortens `lines` until they fit into the policy's size, keeping `matchesPerFile` matches of each file at least. */
function fit(files: readonly FileMatches[], policy: Policy): Shortened {
  let most = 1_000_000;
  const least = Math.max(1, policy.matchesPerFile);
  for (;;) {
    const written = files.map((file) => write(file, most, policy.lineCharacters));
    const text = compose(written);
    if (text.length <= policy.searchCharacters || most <= least) {
      const left = written.reduce((sum, file) => sum + file.left, 0);
      const all = files.reduce((sum, { lines }) => sum + lines.length, 0);
      const leftOut = left > 0 ? `${left} of ${plural(all, "line")}` : "only repeated paths";
      return { text, leftOut, how: "grouped matches by file" };
    }
    most = most > 64 ? 64 : Math.max(least, most >> 1);
  }
}

/** The content that a search tool gives. */
export const shortenMatches: Shorten = (text, policy) => {
  const files = parse(text.split("\n"));
  return files && fit(files, policy);
};
