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
type AskGit = (folder: string, args: readonly string[]) => Promise<string>;

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

// Names that a file had before, as its repository tells them: what was done to it under those belongs to it too.

const mostRenames = 10;

/** The former paths of a file in the repository that holds a folder, the last first; none where nobody knows. Never rejects. */
export function gitRenames(ask: AskGit = askGit) {
  return async (folder: string, file: string): Promise<string[]> => {
    const path = await pathIn(folder, file, ask);
    if (path === undefined) return [];
    const output = await ask(folder, [
      ...["log", "--follow", "--name-status", "--diff-filter=R", "--format=", "-z"],
      ...[`--max-count=${mostRenames}`, "--", path],
    ]);
    return formerNames(output);
  };
}

/** The one path that is meant: the end of it is enough; relative to the folder. */
async function pathIn(folder: string, file: string, ask: AskGit): Promise<string | undefined> {
  const inside = file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file;
  if (inside === "" || /^\/|\/$|[*?[\]:]|(?:^|\/)\.\.(?:\/|$)/.test(inside)) return undefined;
  const listed = await ask(folder, ["ls-files", "-z", "--", `:(glob)**/${inside}`]);
  const paths = listed.split("\0").filter((path) => path !== "");
  return paths.length === 1 ? paths[0] : undefined;
}

/** Of `R100`, the old path and the new path, each followed by a NUL. */
function formerNames(output: string): string[] {
  const parts = output.split("\0").map((part) => part.replace(/^\n+/, ""));
  return parts.flatMap((part, i) => (/^R\d*$/.test(part) ? (parts[i + 1] ?? []) : []));
}
