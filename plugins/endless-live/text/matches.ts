// Shortens search results: grouped by file, the first matches of each file whole, the rest counted with their lines.
import { plural } from "../../../src/sdk/index.ts";
import type { Policy } from "../policy.ts";
import { cutLine } from "./rows.ts";
import type { Shorten, Shortened } from "./shortened.ts";

/** One file's matches and the context lines between them, without the path. */
interface FileMatches {
  path: string;
  lines: string[];
}

const numbered = /^((?:[A-Za-z]:)?[^\s:][^:]*?)([:-])(\d+)([:-])/;
const plain = /^((?:[A-Za-z]:)?[^\s:]+):/;
const bareNumbered = /^(\d+)[:-]/;

/** Whether most lines look like `path:12:text` (or `path:text`, when the command is known to search). */
function parse(lines: readonly string[], isSearch: boolean): FileMatches[] | undefined {
  const files = new Map<string, string[]>();
  let unread = 0;
  let path: string | undefined;
  for (const line of lines) {
    if (line === "--" || line === "") {
      if (path !== undefined && line === "--") files.get(path)?.push(line);
      continue;
    }
    const found = pathOf(line, isSearch, path);
    if (found === undefined) {
      unread++;
      // A match that holds a line end goes on without a path.
      if (path !== undefined) files.get(path)?.push(line);
      continue;
    }
    path = found.path;
    const known = files.get(path);
    if (known) known.push(found.rest);
    else files.set(path, [found.rest]);
  }
  if (unread > lines.length / 10 || files.size === 0) return undefined;
  return [...files].map(([name, rest]) => ({ path: name, lines: rest }));
}

function pathOf(
  line: string,
  isSearch: boolean,
  current: string | undefined,
): { path: string; rest: string } | undefined {
  if (current !== undefined && line.startsWith(current) && /^[:-]/.test(line.slice(current.length)))
    return { path: current, rest: line.slice(current.length + 1) };
  if (isSearch && bareNumbered.test(line)) return { path: "", rest: line };
  const match = numbered.exec(line) ?? (isSearch ? plain.exec(line) : null);
  const path = match?.[1];
  if (!match || path === undefined || !/[./]/.test(path) || path.length > 300) return undefined;
  return { path, rest: line.slice(path.length + 1) };
}

const isMatch = (line: string) => /^\d+:/.test(line) || !/^\d+-/.test(line);

function write(file: FileMatches, most: number, width: number): { lines: string[]; left: number } {
  const out: string[] = file.path === "" ? [] : [`${file.path}:`];
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
  return { lines: out, left };
}

/** Shortens `lines` until they fit into the policy's size, keeping `matchesPerFile` matches of each file at least. */
function fit(files: readonly FileMatches[], policy: Policy): Shortened {
  let most = 1_000_000;
  const least = Math.max(1, policy.matchesPerFile);
  for (;;) {
    const written = files.map((file) => write(file, most, policy.lineCharacters));
    const text = written.flatMap(({ lines }) => lines).join("\n");
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
  const files = parse(text.split("\n"), true);
  return files && fit(files, policy);
};

const command = /(?:^|[\s;&|(])(?:(?:git\s+)?grep|rg|ag|ack)\s/;

/** Output of a shell's search, told by the command and its form. */
export const shortenSearch: Shorten = (text, policy, origin) => {
  if (!command.test(origin.command)) return undefined;
  const lines = text.split("\n");
  if (lines.length < 10) return undefined;
  const files = parse(lines, false);
  return files && fit(files, policy);
};
