// Reads a stretch of an open file, in as many reads as it takes.
import { Buffer } from "node:buffer";
import type { FileHandle } from "node:fs/promises";

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
