// Transcript files as sources of bytes: the only place of this folder that touches the disk.
import { open } from "node:fs/promises";
import { readAt } from "./read-at.ts";

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
