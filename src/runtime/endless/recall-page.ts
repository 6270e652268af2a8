// A part of a recalled text that fits below the client's own limits: lines, matches, a page at a time. Pure.
import { MemoirError } from "../../sdk/errors.ts";
import type { Search } from "./linear-search.ts";
import type { NaturalText } from "./recall-text.ts";

/** What part of a text is wanted. */
export interface PageRequest {
  /** `120-180`, `120`, `120-`, `-40`: numbers as the file has them. */
  lines?: string | undefined;
  /** Only lines that match this regular expression, each with its number. */
  grep?: string | undefined;
  /** 1 for the first. */
  page?: number | undefined;
}

/** One page. */
export interface Page {
  text: string;
  page: number;
  pages: number;
  /** Of all pages. */
  characters: number;
  /** Something had to be left out of the search: how it was bounded, in words. */
  bounded?: string;
}

/** With the line that says what comes next, a page stays below 20,000 characters, and that below every client's limit. */
export const pageCharacters = 19_500;
/** A search ends after so many characters: others wait for the server meanwhile. */
const searchedCharacters = 2_000_000;

/** The wanted page; `matches` is the request's `grep`, ready to search. Throws `usage` for lines or a page that there cannot be. */
export function pageOf(
  { text, firstLine }: NaturalText,
  request: Omit<PageRequest, "grep">,
  matches?: Search,
): Page {
  const { lines, page = 1 } = request;
  let bounded: string | undefined;
  let wanted = text;
  if (lines !== undefined || matches) {
    let numbered = text.split("\n").map((line, at) => ({ number: firstLine + at, line }));
    if (lines !== undefined) numbered = withinLines(numbered, lines);
    if (!matches) wanted = numbered.map(({ line }) => line).join("\n");
    else {
      const found = matching(numbered, matches);
      bounded = found.bounded;
      wanted = found.lines.map(({ number, line }) => `${number}:${line}`).join("\n");
    }
  }
  const ends = pageEnds(wanted);
  if (page > ends.length)
    throw new MemoirError("usage", `There is no page ${page}.`, {
      fix: `It has ${ends.length === 1 ? "one page" : `${ends.length} pages`}.`,
    });
  return {
    text: wanted.slice(ends[page - 2] ?? 0, ends[page - 1]),
    page,
    pages: ends.length,
    characters: wanted.length,
    ...(bounded === undefined ? {} : { bounded }),
  };
}

interface NumberedLine {
  number: number;
  line: string;
}

function withinLines(all: readonly NumberedLine[], lines: string): NumberedLine[] {
  const match = /^\s*(\d*)\s*(-?)\s*(\d*)\s*$/.exec(lines);
  const [, from = "", dash = "", to = ""] = match ?? [];
  if (!match || (from === "" && to === ""))
    throw new MemoirError("usage", "The lines cannot be read.", {
      fix: "Write them as 120-180, 120-, -40 or 120.",
    });
  const first = from === "" ? 0 : Number(from);
  const last = to !== "" ? Number(to) : dash === "" ? first : Number.POSITIVE_INFINITY;
  const found = all.filter(({ number }) => number >= first && number <= last);
  if (found.length === 0)
    throw new MemoirError("usage", "There are no such lines.", {
      fix: `It has lines ${all[0]?.number ?? 1} to ${all.at(-1)?.number ?? 1}.`,
    });
  return found;
}

function matching(
  all: readonly NumberedLine[],
  matches: Search,
): { lines: NumberedLine[]; bounded?: string } {
  const lines: NumberedLine[] = [];
  let searched = 0;
  for (const numbered of all) {
    searched += numbered.line.length;
    const found = searched > searchedCharacters ? undefined : matches(numbered.line);
    if (found === undefined)
      return { lines, bounded: `searched up to line ${numbered.number - 1}` };
    if (found) lines.push(numbered);
  }
  return { lines };
}

/** Where each page ends: after a line where one ends in its second half, never inside a character of two units. */
function pageEnds(text: string): number[] {
  const ends: number[] = [];
  let from = 0;
  while (text.length - from > pageCharacters) {
    const most = from + pageCharacters;
    const line = text.lastIndexOf("\n", most - 1) + 1;
    const code = text.charCodeAt(most - 1);
    const whole = code >= 0xd800 && code <= 0xdbff ? most - 1 : most;
    from = line > from + pageCharacters / 2 ? line : whole;
    ends.push(from);
  }
  return [...ends, text.length];
}
