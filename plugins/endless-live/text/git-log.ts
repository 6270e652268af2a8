// Shortens a log of commits: the first ones whole, of the rest hash and subject.
import { plural } from "../../../src/text/index.ts";
import type { Shorten } from "./shortened.ts";

/** Commits kept whole. */
const whole = 3;

/** The long form of `git log`, with or without `--stat`. */
export const shortenGitLog: Shorten = (text, policy) => {
  const lines = text.split("\n");
  const starts = lines.flatMap((line, at) => (/^commit [0-9a-f]{7,64}\b/.test(line) ? [at] : []));
  if (starts.length <= whole || starts[0] !== 0) return undefined;
  const from = starts[whole] ?? lines.length;
  if (from > policy.headLines * 6) return undefined;
  const short = starts.slice(whole).map((start, at) => {
    const end = starts[whole + at + 1] ?? lines.length;
    const subject = lines.slice(start, end).find((line) => /^ {4}\S/.test(line));
    const hash = /^commit ([0-9a-f]+)(.*)$/.exec(lines[start] ?? "");
    const summary = lines.slice(start, end).findLast((line) => /^ \d+ files? changed/.test(line));
    return `${hash?.[1]?.slice(0, 12)}${hash?.[2] ?? ""} ${subject?.trim() ?? ""}${summary ? ` (${summary.trim()})` : ""}`;
  });
  return {
    text: [...lines.slice(0, from), ...short].join("\n"),
    leftOut: `author, date and message body of ${plural(short.length, "commit")}`,
    how: "kept hashes and subjects",
  };
};
