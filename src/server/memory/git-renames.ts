// Names that a file had before, as its repository tells them: what was done to it under those belongs to it too.
import { type AskGit, askGit } from "./git-marks.ts";

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
