// Finds the place in a transcript that belongs to a time, without reading what lies before it.
import { Buffer } from "node:buffer";
import { type FileHandle, open } from "node:fs/promises";

const probeBytes = 64 * 1024;
/** Below this, reading is cheaper than searching. */
const nearBytes = 512 * 1024;
/** A line longer than this is stepped over in a probe. */
const probesForLine = 64;
const timestamp = /"timestamp":"([^"]{10,40})"/;

/**
 * A byte offset up to which all lines are that were written at `time` (epoch ms) or before; at most `size`. It is
 * exact to about half a megabyte where times rise through the file, as they do but for lines of parallel agents.
 * Rejects like `open`.
 */
export async function offsetAfter(path: string, time: number, size: number): Promise<number> {
  const file = await open(path, "r");
  try {
    let low = 0;
    let high = size;
    while (high - low > nearBytes) {
      const middle = low + Math.floor((high - low) / 2);
      const found = await timeFrom(file, middle, high);
      if (found === undefined || found.time > time) high = middle;
      else low = found.offset;
    }
    return high;
  } finally {
    await file.close();
  }
}

/** The first line after `from` that has a time, and where it begins (or a little later). */
async function timeFrom(
  file: FileHandle,
  from: number,
  to: number,
): Promise<{ time: number; offset: number } | undefined> {
  const buffer = Buffer.allocUnsafeSlow(probeBytes);
  for (let probe = 0; probe < probesForLine; probe++) {
    const at = from + probe * probeBytes;
    if (at >= to) return undefined;
    const { bytesRead } = await file.read(buffer, 0, Math.min(probeBytes, to - at), at);
    if (bytesRead === 0) return undefined;
    const text = buffer.toString("latin1", 0, bytesRead);
    const found = timestamp.exec(text);
    const time = Date.parse(found?.[1] ?? "");
    if (found && !Number.isNaN(time)) return { time, offset: at + found.index };
  }
  return undefined;
}
