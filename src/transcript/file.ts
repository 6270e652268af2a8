// Transcript files as sources of bytes: the only place of this folder that touches the disk.

import { Buffer } from "node:buffer";
import type { FileHandle } from "node:fs/promises";
import { open } from "node:fs/promises";

/** Part of a file: bytes `from` (inclusive) to `to` (exclusive, at most the file's size). */
export interface ByteRange {
  from?: number;
  to?: number;
}

const chunkBytes = 1024 * 1024;

/** A file's bytes in chunks of at most 1 MB, forwards. Rejects like `open` when the file cannot be read. */
export async function* fileChunks(path: string, range: ByteRange = {}): AsyncGenerator<Uint8Array> {
  const file = await open(path, "r");
  try {
    let at = range.from ?? 0;
    const to = range.to ?? Number.POSITIVE_INFINITY;
    while (at < to) {
      const chunk = await readAt(file, at, Math.min(chunkBytes, to - at));
      if (chunk.length === 0) return;
      yield chunk;
      at += chunk.length;
    }
  } finally {
    await file.close();
  }
}

/** A file's first line, of at most so many bytes. Rejects like `open`. */
export async function firstLine(path: string, most: number): Promise<string> {
  let head = "";
  const decoder = new TextDecoder();
  for await (const chunk of fileChunks(path, { to: most })) {
    head += decoder.decode(chunk, { stream: true });
    if (head.includes("\n")) break;
  }
  return head.split("\n", 1)[0] ?? "";
}

/** A file's bytes backwards: the last chunk first, each chunk itself in file order, with its offset. */
export async function* fileChunksBackwards(
  path: string,
  end?: number,
  bytes = 64 * 1024,
): AsyncGenerator<{ chunk: Uint8Array; offset: number }> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    let to = Math.min(end ?? size, size);
    // Small first: what a reader looks for is most often near the end.
    for (let length = bytes; to > 0; length = Math.min(length * 2, chunkBytes)) {
      const offset = Math.max(0, to - length);
      const chunk = await readAt(file, offset, to - offset);
      if (chunk.length < to - offset) throw new Error(`${path} shrank while it was read`);
      yield { chunk, offset };
      to = offset;
    }
  } finally {
    await file.close();
  }
}

// Reads a stretch of an open file, in as many reads as it takes.

/** The bytes from `position` on, fewer only at the file's end. A new buffer each time: lines share memory with it. */
export async function readAt(
  file: FileHandle,
  position: number,
  length: number,
): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

// Reads pieces of an open file that lie near each other: a block at a time, so that thousands of lines cost few reads.

/** Bytes of a file at a position; they may share memory with other pieces. Rejects when there are fewer. */
export type ReadPiece = (position: number, length: number) => Promise<Uint8Array>;

const blockBytes = 1024 * 1024;

/** A reader for pieces that are asked for about in the file's order. */
export function createBlockReader(file: FileHandle): ReadPiece {
  let start = 0;
  let block: Uint8Array = new Uint8Array(0);
  return async (position, length) => {
    if (length > blockBytes) return readExactly(file, position, length);
    if (position < start || position + length > start + block.length) {
      block = await readAt(file, position, blockBytes);
      start = position;
      if (block.length < length) throw shorter();
    }
    return block.subarray(position - start, position - start + length);
  };
}

/** Bytes of a file at a position. Rejects when there are fewer. */
export async function readExactly(
  file: FileHandle,
  position: number,
  length: number,
): Promise<Uint8Array> {
  const bytes = await readAt(file, position, length);
  if (bytes.length < length) throw shorter();
  return bytes;
}

function shorter(): RangeError {
  return new RangeError("The file is shorter than it was.");
}
