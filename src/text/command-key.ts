// What two runs of one command line have in common.

/** What is looked at of a command line: somebody pasted the rest. */
const mostRead = 20_000;

/** The same for the same command run from elsewhere or shown in part: without `cd`, redirections and trailing filters. */
export function commandKey(line: string): string {
  return line
    .slice(0, mostRead)
    .trim()
    .replace(/^(?:cd\s+\S+\s*(?:&&|;)\s*)+/, "")
    .replace(/(?:\s*\|\s*(?:head|tail|grep|sed|cat|tee)\b[^|]*)+$/, "")
    .replace(/\s*\d?>&?\s*(?:\d|\/dev\/null)/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
