// What keeps a file of the home from being opened: something else in its place, or a mode that forbids it.
import { constants, type Stats } from "node:fs";
import { access, chmod, lstat, rename, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { MemoirError } from "../sdk/errors.ts";
import { addFinding } from "./findings.ts";

/** What belongs in a place. */
export type Kind = "file" | "folder" | "socket";

/**
 * Gives what is no such thing, is a link to nothing, or would be waited for by whoever opens it (a pipe) another name; a finding
 * in `home` says so. What is a file is left alone, readable or not.
 */
export async function setAsideOthers(
  path: string,
  kind: Kind,
  { home = dirname(path), now }: { home?: string; now: number },
): Promise<void> {
  const there = await lstat(path).catch(() => undefined);
  if (!there) return;
  const target = there.isSymbolicLink() ? await stat(path).catch(() => undefined) : there;
  if (target && isRight(target, kind)) return;
  const aside = `${path}.damaged-${now}`;
  // The slash refuses all but a folder: another process may have set it aside just now.
  await rename(there.isDirectory() ? `${path}/` : path, aside);
  const what = target ? standsFor(target) : "was a link to nothing";
  addFinding(home, { time: now, file: basename(path), what, aside });
}

/** Whoever binds a socket takes a file away that stands in its place. */
function isRight(there: Stats, kind: Kind): boolean {
  if (kind === "socket") return !there.isDirectory();
  return kind === "folder" ? there.isDirectory() : there.isFile();
}

/**
 * SQLite gives its log, and the index of that, the database's mode when it makes them. A database that was read-only for a while leaves
 * an index that nobody can write, which keeps it from being opened: that index gets its mode back, and a finding in `home` says so.
 * Rejects with `file_unusable` where the database itself, or a file that belongs to another user, cannot be written.
 */
export async function makeWritable(path: string, home: string, now: () => number): Promise<void> {
  if (path === ":memory:") return;
  await assertWritable(path);
  for (const place of [`${path}-wal`, `${path}-shm`]) {
    const mode = await readOnlyMode(place);
    if (mode === undefined) continue;
    await chmod(place, 0o600).catch(() => assertWritable(place));
    const what = `was read-only (mode ${mode}) while ${basename(path)} was not; it is writable again`;
    addFinding(home, { time: now(), file: basename(place), what });
  }
}

/** Rejects with `file_unusable` where there is a file that cannot be read and written. */
export async function assertWritable(path: string): Promise<void> {
  const mode = await readOnlyMode(path);
  if (mode === undefined) return;
  const message = `${path} cannot be read and written (mode ${mode}). Nothing was changed.`;
  const fix = `Run \`chmod 600 "${path}"\`, then \`memoir server stop\` and \`memoir server start\`.`;
  throw new MemoirError("file_unusable", message, { fix });
}

async function readOnlyMode(path: string): Promise<string | undefined> {
  const isDenied = (error: { code?: string }) => error.code === "EACCES" || error.code === "EPERM";
  const denied = await access(path, constants.R_OK | constants.W_OK).then(() => false, isDenied);
  return denied ? ((await stat(path)).mode & 0o777).toString(8).padStart(3, "0") : undefined;
}

/** What stands where something else belongs, as a sentence's middle. Whoever opens a pipe waits for its other end. */
function standsFor(there: Stats): string {
  if (there.isDirectory()) return "was a folder, where a file belongs";
  if (there.isFile()) return "was a file, where a folder belongs";
  return "was a pipe, a socket or a device, where memoir's own belongs";
}
