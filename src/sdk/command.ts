// How an agent's shell calls memoir: the installed copy by its path where there is one, else by name.
import { access } from "node:fs/promises";
import { homedir } from "node:os";
import { join, sep } from "node:path";
import process from "node:process";

/** `~/.memoir/bin/memoir`, quoted where it must be; `memoir` when nothing is installed in this home. */
export async function memoirCommand(home: string): Promise<string> {
  const path = join(home, "bin", process.platform === "win32" ? "memoir.exe" : "memoir");
  try {
    await access(path);
  } catch {
    return "memoir";
  }
  return shellPath(path, homedir());
}

/** A path as a shell takes it, with `~` for the user's home. */
export function shellPath(path: string, userHome: string): string {
  const short = path.startsWith(userHome + sep) ? `~${path.slice(userHome.length)}` : path;
  return /^[\w./~:-]+$/.test(short) ? short : `"${path.replace(/(["$`\\])/g, "\\$1")}"`;
}
