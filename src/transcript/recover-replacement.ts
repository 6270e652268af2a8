// After a death in the middle of a replacement: drafts go, and lines that a client wrote into the old file come over.

import { Buffer } from "node:buffer";
import { type FileHandle, open, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { takeLock } from "./in-use.ts";
import { readExactly } from "./read.ts";
import { dropUndo, notePending, readPending, undoPlaces, undoSessions } from "./undo-log.ts";

/** What had to be put in order. */
interface RecoveredReplacement {
  path: string;
  /** True when the new file had taken its place already. */
  replaced: boolean;
  /** Bytes that had to be carried over. */
  drained: number;
}

/** Puts every replacement that was cut off in order. Leaves alone what another process is just doing. */
export async function recoverReplacements(folder: string): Promise<RecoveredReplacement[]> {
  const recovered: RecoveredReplacement[] = [];
  for (const session of await undoSessions(folder))
    for (const place of await undoPlaces(folder, session)) {
      const one = await recoverReplacement(place);
      if (one) recovered.push(one);
    }
  return recovered;
}

/** The same for one file, by the folder of its undo log. */
export async function recoverReplacement(place: string): Promise<RecoveredReplacement | undefined> {
  if (!(await readPending(place))) return undefined;
  const free = await takeLock(join(place, "lock"));
  if (!free) return undefined;
  try {
    return await settlePending(place);
  } finally {
    await free();
  }
}

/** The same by whoever has the lock. Rejects on errors of the disk; it is then still to be done. */
export async function settlePending(place: string): Promise<RecoveredReplacement | undefined> {
  const pending = await readPending(place);
  if (!pending) return undefined;
  const { path, draft, held, stretch, record } = pending;
  const [now, old] = await Promise.all([inode(path), inode(held)]);
  // The draft goes with its new name: while it stands there it has not taken the place.
  const replaced = (await inode(draft)) === undefined && stretch !== undefined && now !== old;
  let drained = 0;
  if (replaced && old !== undefined && now !== undefined) {
    const file = await open(held, "r");
    try {
      drained = await drainRest(file, stretch.from, path, stretch.to);
    } finally {
      await file.close();
    }
  }
  await rm(draft, { force: true });
  await rm(held, { force: true });
  if (!replaced && record !== undefined) await dropUndo(place, [record]);
  await notePending(place);
  return { path, replaced, drained };
}

async function inode(path: string): Promise<bigint | undefined> {
  try {
    return (await stat(path, { bigint: true })).ino;
  } catch {
    return undefined;
  }
}

// What a client still appends to a file that was replaced under it, carried over into the new one, line by line.

const lineFeed = 10;
const lookMs = 10;
const defaultMs = 250;

/** Carries over what is appended to `old` from byte `from` on, for so long; how many bytes that were. */
export async function drain(
  old: FileHandle,
  from: number,
  path: string,
  forMs = defaultMs,
): Promise<number> {
  const end = performance.now() + forMs;
  let at = from;
  for (;;) {
    const over = performance.now() >= end;
    const { size } = await old.stat();
    if (size > at) {
      const bytes = await wholeLines(old, at, size, over);
      await append(path, bytes);
      at += bytes.length;
    }
    if (over) return at - from;
    await pause(lookMs);
  }
}

/** The bytes up to the last line feed; with `rest` also a line that has none. */
export async function wholeLines(
  file: FileHandle,
  from: number,
  to: number,
  rest: boolean,
): Promise<Uint8Array> {
  const bytes = await readExactly(file, from, to - from);
  return rest ? bytes : bytes.subarray(0, bytes.lastIndexOf(lineFeed) + 1);
}

/**
 * The lines of `old` from byte `from` on that the file at `path` does not hold from byte `to` on, appended to it. For
 * a drain that was cut off: some of them may be there already.
 */
export async function drainRest(
  old: FileHandle,
  from: number,
  path: string,
  to: number,
): Promise<number> {
  const [was, now] = await Promise.all([restOf(old, from), open(path, "r")]);
  let there: Set<string>;
  try {
    there = new Set(linesOf(await restOf(now, to)));
  } finally {
    await now.close();
  }
  const missing = linesOf(was).filter((line) => !there.has(line));
  if (missing.length === 0) return 0;
  const bytes = Buffer.from(missing.map((line) => `${line}\n`).join(""), "latin1");
  // A line that was torn by a full disk must not swallow the one that follows.
  const feed = Buffer.from((await endsInLine(path)) ? "" : "\n");
  await append(path, Buffer.concat([feed, bytes]));
  return bytes.length;
}

async function endsInLine(path: string): Promise<boolean> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    return size === 0 || (await readExactly(file, size - 1, 1))[0] === lineFeed;
  } finally {
    await file.close();
  }
}

async function restOf(file: FileHandle, from: number): Promise<Uint8Array> {
  const { size } = await file.stat();
  return size > from ? readExactly(file, from, size - from) : new Uint8Array(0);
}

/** Byte for byte. */
function linesOf(bytes: Uint8Array): string[] {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString("latin1")
    .split("\n")
    .filter((line) => line !== "");
}

async function append(path: string, bytes: Uint8Array): Promise<void> {
  if (bytes.length === 0) return;
  const file = await open(path, "a");
  try {
    // One write, so that the client's own lines stay whole; a disk that is nearly full takes a part of it only.
    for (let at = 0; at < bytes.length; )
      at += (await file.write(bytes, at, bytes.length - at)).bytesWritten;
    await file.sync();
  } finally {
    await file.close();
  }
}
