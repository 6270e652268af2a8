// Shortens answers in prose (a fetched page, a subagent's report): a generous head, and the headings of the rest.
import { head } from "../../../src/sdk/index.ts";
import { lostPaths } from "./paths.ts";
import { cutLine } from "./rows.ts";
import type { Shorten } from "./shortened.ts";

/** Most headings named of what was left out. */
const mostHeadings = 40;

/** Cuts at the last blank line before `answerCharacters`. */
export const shortenAnswer: Shorten = (text, policy) => {
  if (text.length <= policy.answerCharacters) return undefined;
  const most = head(text, policy.answerCharacters);
  const blank = most.lastIndexOf("\n\n");
  const line = most.lastIndexOf("\n");
  const end = blank > most.length / 2 ? blank : line > most.length / 2 ? line : most.length;
  const kept = most.slice(0, end);
  const rest = text.slice(end);
  const headings = rest.split("\n").filter((row) => /^#{1,6} \S/.test(row));
  const parts = [kept];
  if (headings.length > 0)
    parts.push(
      "",
      "… headings of the rest:",
      ...headings.slice(0, mostHeadings).map((row) => cutLine(row, 160)),
    );
  const paths = lostPaths(rest, parts.join("\n"));
  if (paths !== undefined) parts.push(paths);
  return {
    text: parts.join("\n"),
    leftOut: `the last ${rest.length} of ${text.length} characters`,
    how: "kept the beginning",
  };
};
