// Opens files of the home without waiting: where a pipe is in their place, whoever opens it as usual waits for its other end.

import { Buffer } from "node:buffer";
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  type Stats,
  writeSync,
} from "node:fs";
import { lstat, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import process from "node:process";
import { moveFile } from "../sdk/within.ts";

/** Windows has no such pipes among its files, and another meaning for the flag. */
const withoutWaiting = process.platform === "win32" ? 0 : constants.O_NONBLOCK;
const toRead = constants.O_RDONLY | withoutWaiting;

/** The flag with which to append: a pipe that nobody reads is an error. */
export const toAppend =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | withoutWaiting;

/** As `readFile`. */
export async function readFileText(
  path: string,
  encoding: BufferEncoding = "utf8",
): Promise<string> {
  const file = await open(path, toRead);
  try {
    refuseOthers(path, await file.stat());
    return await file.readFile(encoding);
  } finally {
    await file.close();
  }
}

/** So many bytes from its beginning; undefined where there are not as many. */
export async function readBytes(path: string, length: number): Promise<Buffer | undefined> {
  const file = await open(path, toRead).catch(() => undefined);
  try {
    const read = await file?.read(Buffer.alloc(length), 0, length, 0);
    return read?.bytesRead === length ? read.buffer : undefined;
  } catch {
    // A folder, or a sector that the disk does not give.
    return undefined;
  } finally {
    await file?.close();
  }
}

/** As `readFileSync`. */
export function readFileTextSync(path: string): string {
  const file = openSync(path, toRead);
  try {
    refuseOthers(path, fstatSync(file));
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

/** Appends for good: it is on the disk when this returns. */
export function appendDurablySync(path: string, text: string): void {
  const file = openSync(path, toAppend, 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function refuseOthers(path: string, there: Stats): void {
  if (there.isFile()) return;
  const kind = there.isDirectory() ? "a folder" : "a pipe, a socket or a device";
  throw Object.assign(new Error(`${path} is ${kind} and no file`), {
    code: there.isDirectory() ? "EISDIR" : "ENOTFILE",
  });
}

/** True where there is anything of that name; a link that leads nowhere is something. */
export function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

// Replaces a small file so that a crash leaves either the old or the new one, never half of it.

/** Writes `text` beside `path`, flushes it to disk and renames it into place. `mode` defaults to 0600. */
export async function atomicWrite(path: string, text: string, mode = 0o600): Promise<void> {
  const draft = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    const file = await open(draft, "wx", mode);
    try {
      // The mask of the process may have taken bits away.
      await file.chmod(mode);
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await moveFile(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  // Some systems cannot open a folder.
  await flushFolder(dirname(path)).catch(() => undefined);
}

/** A rename is durable once its folder is flushed. Windows refuses to open folders, and loses nothing but that. */
export async function flushFolder(folder: string): Promise<void> {
  if (process.platform !== "win32") await flush(folder, "r");
}

/** What was written to a file reaches the disk. */
export async function flushFile(path: string): Promise<void> {
  await flush(path, "r+");
}

async function flush(path: string, flag: string): Promise<void> {
  const file = await open(path, flag);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
