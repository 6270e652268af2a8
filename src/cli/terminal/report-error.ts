// Errors as people and agents read them: what is wrong, what to do; never a stack.
import { errorMessage } from "../../home/describe-error.ts";
import { withoutPasswords } from "../../privacy/passwords.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { cut } from "../../text/text.ts";
import type { Terminal } from "./terminal.ts";

/** Prints an error (`{"error":{code,message,fix}}` on stdout with `json`, two lines on stderr else) and gives the exit code. */
export function reportError(error: unknown, terminal: Terminal, json: boolean): number {
  // Whoever read the lines wants no more of them: `| head`.
  if ((error as NodeJS.ErrnoException | undefined)?.code === "EPIPE") return 0;
  const known =
    error instanceof MemoirError
      ? error
      : (aboutFile(error) ?? new MemoirError("internal", errorMessage(error), { cause: error }));
  const { code } = known;
  const [message, fix] = [withoutPasswords(known.message), withoutPasswords(known.fix)];
  const exit = code === "usage" ? 2 : 1;
  if (json) {
    terminal.print(JSON.stringify({ error: { code, message, fix } }));
    return exit;
  }
  const { red, cyan } = terminal.colors;
  terminal.warn(`${red("error:")} ${message}`);
  terminal.warn(`${cyan("fix:")} ${fix}`);
  return exit;
}

/** What the system's codes mean for the file that they are about. */
const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission is denied",
  EDQUOT: "the disk's quota is used up",
  EEXIST: "something else is there already",
  EISDIR: "it is a folder",
  ENAMETOOLONG: "the name is too long",
  ENOENT: "there is no such file or folder",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of the path is no folder",
  EPERM: "permission is denied",
  EROFS: "the disk is read-only",
  SQLITE_FULL: "the disk is full",
};

/** A file that the system refuses is no fault of memoir's. */
function aboutFile(error: unknown): MemoirError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, path } = error as NodeJS.ErrnoException;
  const reason = code === undefined ? undefined : reasons[code];
  if (reason === undefined) return undefined;
  // SQLite names no file.
  const unnamed = code?.startsWith("SQLITE_") ? "A database of memoir's" : "A file";
  const file = path ? cut(path, 200) : unnamed;
  return new MemoirError("file_unusable", `${file} cannot be used: ${reason}.`, { cause: error });
}
