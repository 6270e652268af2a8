// Reads a transcript from its end: what is near the end costs the same in a 100 MB file as in a small one.
import { Buffer } from "node:buffer";
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
