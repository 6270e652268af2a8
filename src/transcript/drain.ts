// What a client still appends to a file that was replaced under it, carried over into the new one, line by line.

import { Buffer } from "node:buffer";
import { type FileHandle, open } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { asBuffer } from "./as-buffer.ts";
import { readExactly } from "./block-reader.ts";

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
  return asBuffer(bytes)
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
