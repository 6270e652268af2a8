// Shortens answers in prose (a fetched page, a subagent's report): a generous head, and the headings of the rest.
import { head, plural } from "../../../src/text/index.ts";
import { lostPaths } from "./paths.ts";
import { cutLine, linesMark } from "./rows.ts";
import type { Shorten } from "./shortened.ts";

/** Most headings named of what was left out. */
const mostHeadings = 40;

/** Cuts at the last blank line before `answerCharacters`. */
export const shortenAnswer: Shorten = (text, policy, { firstLine = 1 }) => {
  if (text.length <= policy.answerCharacters) return undefined;
  const most = head(text, policy.answerCharacters);
  const blank = most.lastIndexOf("\n\n");
  const line = most.lastIndexOf("\n");
  const end = blank > most.length / 2 ? blank : line > most.length / 2 ? line : most.length;
  const kept = most.slice(0, end);
  const rest = text.slice(end);
  // Cut inside a line, its end is the first that is missing.
  const from = firstLine + kept.split("\n").length - (rest.startsWith("\n") ? 0 : 1);
  const rows = rest.replace(/^\n/, "").split("\n");
  const to = from + rows.length - 1;
  const headings = rows.flatMap((row, at) =>
    /^#{1,6} \S/.test(row) ? [`${from + at}: ${cutLine(row, 160)}`] : [],
  );
  const parts = [kept];
  if (headings.length === 0) parts.push(linesMark(from, to));
  else {
    const more = headings.length - mostHeadings;
    parts.push(linesMark(from, to), "… with the headings:", ...headings.slice(0, mostHeadings));
    if (more > 0) parts.push(`… ${plural(more, "more heading")}`);
  }
  const paths = lostPaths(rest, parts.join("\n"));
  if (paths !== undefined) parts.push(paths);
  return {
    text: parts.join("\n"),
    leftOut: `the last ${rest.length} of ${text.length} characters (lines ${from}-${to})`,
    how: "kept the beginning",
  };
};
