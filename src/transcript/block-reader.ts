// Reads pieces of an open file that lie near each other: a block at a time, so that thousands of lines cost few reads.
import type { FileHandle } from "node:fs/promises";
import { readAt } from "./read-at.ts";

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
