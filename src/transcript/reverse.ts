// Reads a transcript from its end: what is near the end costs the same in a 100 MB file as in a small one.
import { Buffer } from "node:buffer";
import type { FileHandle } from "node:fs/promises";
import { open } from "node:fs/promises";
import type { BrokenLine, TranscriptEntry } from "./entry.ts";
import type { Line } from "./lines.ts";
import { parseEntry } from "./parse-entry.ts";
import type { LineParser } from "./read.ts";

/** Chunks from the last to the first, each with its byte offset in the file. */
export type BackwardSource = AsyncIterable<{ chunk: Uint8Array; offset: number }>;

/** How a transcript is read from its end. */
interface ReverseOptions {
  /** A longer line is reported as `too long` and never held in memory. Default 64 MB. */
  maxLineBytes?: number;
  /** For a client whose lines are of another form than Claude Code's. */
  parse?: LineParser | undefined;
}

const lineFeed = 10;

/** Entries and broken lines from the last to the first. `line` is 0: numbers are not known from this side. */
export async function* readEntriesBackwards(
  source: BackwardSource,
  options: ReverseOptions = {},
): AsyncGenerator<TranscriptEntry | BrokenLine> {
  for await (const line of linesBackwards(source, options.maxLineBytes ?? 64 * 1024 * 1024)) {
    const entry = (options.parse ?? parseEntry)(line);
    if (entry) yield entry;
  }
}

async function* linesBackwards(source: BackwardSource, maxLineBytes: number): AsyncGenerator<Line> {
  // The beginning of the line that is being put together lies before these parts, last part first.
  let parts: Uint8Array[] = [];
  let held = 0;
  // Whether a line feed follows the line being put together; false for the file's last.
  let complete = false;
  let start = 0;

  const take = (head: Uint8Array, offset: number): Line | undefined => {
    const length = held + head.length;
    const tooLong = length > maxLineBytes ? length : 0;
    const content = tooLong ? new Uint8Array(0) : join(head, parts);
    const line = { content, number: 0, offset, complete, tooLong };
    parts = [];
    held = 0;
    const nothing = length === 0;
    complete = true;
    return nothing ? undefined : line;
  };

  for await (const { chunk, offset } of source) {
    let to = chunk.length;
    for (;;) {
      const feed = to > 0 ? chunk.lastIndexOf(lineFeed, to - 1) : -1;
      if (feed < 0) break;
      const line = take(chunk.subarray(feed + 1, to), offset + feed + 1);
      if (line) yield line;
      to = feed;
    }
    held += to;
    if (held > maxLineBytes) parts = [];
    else if (to > 0) parts.push(chunk.slice(0, to));
    start = offset;
  }
  const first = take(new Uint8Array(0), start);
  if (first) yield first;
}

function join(head: Uint8Array, parts: Uint8Array[]): Uint8Array {
  if (parts.length === 0) return head;
  return Buffer.concat([head, ...parts.toReversed()]);
}

// Finds the place in a transcript that belongs to a time, without reading what lies before it.

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
