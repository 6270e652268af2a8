// The client's settings file on disk: where it lies for each scope, and how it is read, replaced and removed.
import { createHash } from "node:crypto";
import { chmod, lstat, mkdir, readFile, readlink, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { clientFolder } from "../clients/claude-code/folders.ts";
import { errorMessage } from "../home/describe-error.ts";
import type { Environment } from "../home/paths.ts";
import { atomicWrite } from "../home/read-file.ts";
import { MemoirError } from "../sdk/errors.ts";

/** Whose settings: the user's for all projects, a project's shared ones, or the user's own for one project. */
export const scopes = ["user", "project", "local"] as const;
export type Scope = (typeof scopes)[number];

/** Absolute path of a scope's settings; `cwd` is the project's folder. */
export function settingsPath(scope: Scope, env: Environment, cwd: string): string {
  if (scope === "user") return join(clientFolder(env), "settings.json");
  return join(cwd, ".claude", scope === "local" ? "settings.local.json" : "settings.json");
}

/** A settings file as found. */
export interface SettingsFile {
  /** As the client knows it. */
  path: string;
  /** Where the bytes lie when `path` is a link. */
  target: string;
  /** Undefined when there is no file. */
  text: string | undefined;
  mode: number;
}

const plainFile = {
  fix: "Put a plain file that you may read in its place, then run the command again.",
};

/** Reads a settings file; one that does not exist is an answer. Rejects with `settings_unreadable` when it cannot be read as UTF-8. */
export async function readSettings(path: string): Promise<SettingsFile> {
  const target = await followLinks(path);
  try {
    // A project's settings come with the repository: reading a pipe would never end.
    if (!(await stat(target)).isFile()) throw new Error("it is no regular file");
    const bytes = await readFile(target);
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { path, target, text, mode: (await stat(target)).mode & 0o777 };
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT")
      return { path, target, text: undefined, mode: 0o600 };
    throw new MemoirError(
      "settings_unreadable",
      `${path} cannot be read: ${errorMessage(error)}`,
      error instanceof TypeError
        ? { fix: "Save the file as UTF-8, then run the command again." }
        : plainFile,
    );
  }
}

/** Replaces the file's text in one step; a link stays a link and the mode stays. Makes the folder when it is missing. */
export async function writeSettings(file: SettingsFile, text: string): Promise<void> {
  try {
    await mkdir(dirname(file.target), { recursive: true });
    await atomicWrite(file.target, text, file.mode);
    // The umask may have narrowed what the file had.
    await chmod(file.target, file.mode);
  } catch (error) {
    throw unwritable(file, error);
  }
}

/** Removes a file that only install made, and of `folders`, the innermost first, those that are empty then. */
export async function removeSettings(
  file: SettingsFile,
  folders: readonly string[] = [],
): Promise<void> {
  try {
    await rm(file.target, { force: true });
  } catch (error) {
    throw unwritable(file, error);
  }
  // A folder in which something else is stays: this fails then, as it should.
  for (const folder of folders) await rmdir(folder).catch(() => undefined);
}

/** The folder and those around it that are not there, the innermost first. */
export async function missingFolders(folder: string): Promise<string[]> {
  const missing: string[] = [];
  for (let at = folder; dirname(at) !== at; at = dirname(at)) {
    if (await lstat(at).catch(() => undefined)) break;
    missing.push(at);
  }
  return missing;
}

/** SHA-256 in hexadecimal; tells whether a file is still as it was written. */
export function textHash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function unwritable(file: SettingsFile, error: unknown): MemoirError {
  return new MemoirError(
    "settings_unwritable",
    `${file.path} cannot be written: ${errorMessage(error)}`,
  );
}

/** The end of a chain of links, also where it points at nothing yet. */
async function followLinks(path: string): Promise<string> {
  let at = path;
  for (let hops = 0; hops < 40; hops++) {
    const info = await lstat(at).catch(() => undefined);
    if (!info?.isSymbolicLink()) return at;
    at = resolve(dirname(at), await readlink(at));
  }
  throw new MemoirError("settings_unreadable", `${path} is a link that leads nowhere.`, plainFile);
}
