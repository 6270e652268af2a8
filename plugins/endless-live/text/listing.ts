// Shortens listings of files: grouped by folder, first entries of each, counts of the rest.
import { plural } from "../../../src/text/index.ts";
import { fitListing } from "./group-paths.ts";
import type { Shorten } from "./shortened.ts";

const command =
  /(?:^|[\s;&|(])(?:find|fd|fdfind|tree|ls|du|git\s+(?:ls-files|ls-tree|diff\s+(?:\S+\s+)*--name-only)|rg\s+(?:\S+\s+)*(?:--files|-l)|grep\s+(?:-\w*[lL]\w*|(?:\S+\s+)*--files-with-matches))\b/;

const long =
  /^([dlbcps-])[rwxsStT-]{9}[.+@]?\s+\d+\s+\S+\s+\S+\s+([\d.,]+[KMGTP]?)\s+(?:\w{3}\s+\d+\s+[\d:]+|\d{4}-\d\d-\d\d\s+[\d:]+|\d+\s+\w{3}\s+[\d:]+)\s+(.+)$/;

/** The client's own mark where it cut an output. */
const cutOff = /^\.\.\. \[.* truncated\]/;
/** Most lines kept that are no entries. */
const mostOthers = 40;

/** Listings by command; and any text whose lines are nearly all paths. */
export const shortenListing: Shorten = (text, policy, origin) => {
  const lines = text.split("\n");
  const listed = pathsOf(lines, command.test(origin.command));
  if (!listed) return undefined;
  const { paths, others, isLong } = listed;
  const {
    lines: grouped,
    unnamed,
    how,
  } = fitListing(paths, policy.listingCharacters, policy.entriesPerFolder);
  const isCut = lines.some((line) => cutOff.test(line));
  const count = plural(paths.length, "entry", "entries");
  const more = others.length - mostOthers;
  const short = [
    ...others.slice(0, mostOthers),
    ...(more > 0
      ? [`… ${plural(more, "more line that is no entry", "more lines that are no entries")}`]
      : []),
    ...grouped,
    isCut ? `${count} listed; the output had been cut before` : `${count} in all`,
  ].join("\n");
  const parts = [
    ...(isLong ? ["permissions, owners and dates"] : []),
    ...(unnamed > 0 ? [`the names of ${unnamed} of ${paths.length} entries`] : []),
  ];
  return { text: short, leftOut: parts.join(" and ") || "only repeated folder names", how };
};

interface Listed {
  paths: string[];
  /** Lines that are no entries: messages, totals. */
  others: string[];
  /** Each entry had permissions, an owner and a date. */
  isLong: boolean;
}

/** The paths in a listing's lines; undefined when it is none. */
function pathsOf(lines: readonly string[], isListing: boolean): Listed | undefined {
  const filled = lines.filter((line) => line.trim() !== "").map((line) => line.trimEnd());
  if (filled.length < 20) return undefined;
  const tree = isListing && filled.some((line) => /^(?:[│|]\s+)*[├└`|][─-]/u.test(line));
  if (tree) return treePaths(filled);
  const paths: string[] = [];
  const others: string[] = [];
  let isLong = false;
  let folder = "";
  for (const line of filled) {
    const heading = /^(\S.*):$/.exec(line);
    const entry = long.exec(line);
    if (isListing && heading) folder = `${heading[1]?.replace(/\/$/, "")}/`;
    else if (isListing && /^total \d/.test(line)) continue;
    else if (isListing && entry) {
      isLong = true;
      const [, kind, size, name = ""] = entry;
      if (name !== "." && name !== "..")
        paths.push(`${folder}${name}${kind === "d" ? "/" : `(${size})`}`);
    } else if (isPath(line, isListing)) paths.push(`${folder}${line}`);
    else others.push(line);
  }
  return paths.length >= filled.length * 0.9 - 1 ? { paths, others, isLong } : undefined;
}

/** A line that is one path: no spaces, or (in a listing) hardly any. */
function isPath(line: string, isListing: boolean): boolean {
  if (line.length > 400 || /[{}<>|"=;]|: /.test(line) || cutOff.test(line)) return false;
  const sized = line.replace(/^[\d.]+[KMGTP]?\t/, "");
  return isListing ? !/\s{2}|\t/.test(sized) : /^[^\s:]*\/[^\s:]+$/.test(line);
}

/** `tree`'s drawing as paths. */
function treePaths(lines: readonly string[]): Listed | undefined {
  const paths: string[] = [];
  const others: string[] = [];
  const open: string[] = [];
  let isFirst = true;
  let last: { at: number; depth: number } | undefined;
  for (const line of lines) {
    const drawn = /^((?:[│|]?[\s\u00a0]{1,4})*)[├└`|][─-]{2,}[\s\u00a0]?(.+)$/u.exec(line);
    if (!drawn) {
      if (isFirst) open[0] = `${line.replace(/\/$/, "")}/`;
      else others.push(line);
      isFirst = false;
      continue;
    }
    isFirst = false;
    const depth = Math.floor((drawn[1] ?? "").replaceAll("\u00a0", " ").length / 4) + 1;
    const name = (drawn[2] ?? "").replace(/ -> .*$/, "");
    // An entry with entries below it is a folder: it is told by them.
    if (last && depth > last.depth) paths.splice(last.at, 1);
    open.length = Math.min(open.length, depth);
    last = { at: paths.length, depth };
    paths.push(`${open.join("")}${name}`);
    open[depth] = `${name.replace(/\/$/, "")}/`;
  }
  return { paths, others, isLong: false };
}
