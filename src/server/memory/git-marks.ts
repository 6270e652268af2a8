// Moments that have a name in a repository: its tags, and commits that a question names. For "before v1.2", "since the release".
import { execFile } from "node:child_process";
import process from "node:process";
import type { SearchQuery } from "../../sdk/storage.ts";

type Marks = NonNullable<SearchQuery["marks"]>;

/** Only after these words does a name stand for a time; nobody asks git otherwise. */
const naming = /\b(?:before|after|since|until|till|by)\s+(?:the\s+)?(?:last\s+)?(\S+)/giu;
const mostTags = 300;
const longestMs = 1_500;
const keptMs = 60_000;
const mostKept = 32;

/** Asks git in a folder; gives its output, or nothing when it fails or takes too long. */
export type AskGit = (folder: string, args: readonly string[]) => Promise<string>;

/** The moments that the texts may name, in the repository that holds a folder; none where it holds none. */
export function gitMarks(now: () => number, ask: AskGit = askGit) {
  const known = new Map<string, { at: number; tags: Promise<Marks> }>();

  function tagsOf(folder: string): Promise<Marks> {
    const found = known.get(folder);
    if (found && now() - found.at < keptMs) return found.tags;
    if (known.size >= mostKept) known.clear();
    const tags = ask(folder, [
      ...["for-each-ref", `--count=${mostTags}`, "--sort=-creatordate"],
      ...["--format=%(creatordate:unix) %(refname:short)", "refs/tags"],
    ]).then(marksIn);
    known.set(folder, { at: now(), tags });
    return tags;
  }

  async function commit(folder: string, hash: string): Promise<Marks> {
    return marksIn(await ask(folder, ["log", "-1", `--format=%ct ${hash}`, hash, "--"]));
  }

  return async (folder: string, texts: readonly string[]): Promise<Marks> => {
    const names = texts.flatMap((text) =>
      text.length > 400 ? [] : [...text.matchAll(naming)].map(([, name = ""]) => name),
    );
    if (names.length === 0) return [];
    const hashes = names.filter((name) => /^[0-9a-f]{7,40}$/.test(name)).slice(0, 3);
    const marks = [tagsOf(folder), ...hashes.map((hash) => commit(folder, hash))];
    return (await Promise.all(marks)).flat();
  };
}

/** `1763000000 v1.2` a line. */
function marksIn(output: string): Marks {
  return output.split("\n").flatMap((line) => {
    const [, seconds, name] = /^(\d{1,12}) (\S+)$/.exec(line.trim()) ?? [];
    return seconds && name ? [{ name, time: Number(seconds) * 1_000 }] : [];
  });
}

/** Asks the git that is installed. */
export function askGit(folder: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" };
  return new Promise((resolve) => {
    execFile(
      "git",
      ["-C", folder, ...args],
      { env, timeout: longestMs, maxBuffer: 1_000_000, windowsHide: true },
      (error, stdout) => resolve(error ? "" : stdout),
    );
  });
}
