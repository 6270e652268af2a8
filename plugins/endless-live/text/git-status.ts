// Shortens `git status`: every section's paths grouped by folder, and by what happened to them.
import { fitListing } from "./group-paths.ts";
import type { Shorten } from "./shortened.ts";

/** Fewer changed files are listed as they are. */
const leastEntries = 20;
/** `-C` and `-c` have a value of their own. */
const command = /\bgit\s+(?:-[Cc]\s+\S+\s+|-(?![Cc]\s)\S+\s+)*status\b/;
const longEntry =
  /^\t(?:(modified|new file|deleted|renamed|copied|typechange|both \w+):\s+)?(\S.*)$/;
const shortEntry = /^([ MADRCUT?!]{2}) (\S.*)$/;

export const shortenGitStatus: Shorten = (text, policy, origin) => {
  if (!command.test(origin.command)) return undefined;
  const out: string[] = [];
  let run: { state: string; path: string }[] = [];
  let all = 0;
  let unnamed = 0;
  const close = (): void => {
    const states = new Map<string, string[]>();
    for (const { state, path } of run) states.set(state, [...(states.get(state) ?? []), path]);
    for (const [state, paths] of states) {
      const share = Math.floor((policy.listingCharacters * paths.length) / Math.max(1, all));
      const listed = fitListing(paths, Math.max(share, 1_000), policy.entriesPerFolder);
      unnamed += listed.unnamed;
      out.push(...listed.lines.map((line) => `\t${state}${line}`));
    }
    run = [];
  };
  const rows = text.split("\n").map((line) => ({ line, entry: entryOf(line) }));
  all = rows.filter(({ entry }) => entry).length;
  if (all < leastEntries) return undefined;
  for (const { line, entry } of rows) {
    if (entry) run.push(entry);
    else {
      close();
      out.push(line);
    }
  }
  close();
  const leftOut =
    unnamed > 0 ? `the names of ${unnamed} of ${all} entries` : "only repeated folder names";
  return { text: out.join("\n"), leftOut, how: "grouped by folder" };
};

function entryOf(line: string): { state: string; path: string } | undefined {
  const long = longEntry.exec(line);
  if (long) return { state: long[1] ? `${long[1]}: ` : "", path: long[2] ?? "" };
  const short = shortEntry.exec(line);
  return short ? { state: `${short[1]} `, path: short[2] ?? "" } : undefined;
}
