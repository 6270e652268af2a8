// What keeps a database from being opened before SQLite looks at it: something else in its place, or a file that cannot be written.
import { constants, type Stats } from "node:fs";
import { access, chmod, lstat, rename, stat } from "node:fs/promises";
import { basename } from "node:path";
import { MemoirError } from "../sdk/errors.ts";
import { addFinding } from "./findings.ts";

/** The database, its log, and the index of that. */
const endings = ["", "-wal", "-shm"];

/** Each is noted as a finding in `home`. What is a file is left alone, readable or not. */
export async function setAsideNoFiles(path: string, home: string, now: () => number) {
  if (path === ":memory:") return;
  for (const ending of endings) {
    const place = path + ending;
    const there = await lstat(place).catch(() => undefined);
    if (!there) continue;
    const target = there.isSymbolicLink() ? await stat(place).catch(() => undefined) : there;
    if (target?.isFile()) continue;
    const time = now();
    const aside = `${place}.damaged-${time}`;
    await rename(place, aside);
    const what = target ? standsFor(target) : "was a link to nothing";
    addFinding(home, { time, file: basename(place), what, aside });
  }
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
export function standsFor(there: Stats): string {
  if (there.isDirectory()) return "was a folder, where a file belongs";
  if (there.isFile()) return "was a file, where a folder belongs";
  return "was a pipe, a socket or a device, where memoir's own belongs";
}
