// Reads a whole transcript, forwards, from any source of bytes: bounded memory, every line accounted for.

import { Buffer } from "node:buffer";
import { type FileHandle, open, stat } from "node:fs/promises";
import type { BrokenLine, TranscriptEntry } from "./entry.ts";
import { type Line, type LineParser, parseEntry } from "./parse-entry.ts";

/** Chunks of a file, in order. */
export type ByteSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** How a transcript is read. */
interface ParseOptions {
  /** For a client whose lines are of another form than Claude Code's. */
  parse?: LineParser | undefined;
}

/** Gives every entry and every broken line, in file order. Empty lines are passed over. */
export async function* readEntries(
  source: ByteSource,
  { parse = parseEntry, ...from }: ParseOptions & Partial<Position> = {},
): AsyncGenerator<TranscriptEntry | BrokenLine> {
  const splitter = createLineSplitter(from);
  for await (const chunk of source) {
    for (const line of splitter.push(chunk)) {
      const entry = parse(line);
      if (entry) yield entry;
    }
  }
  for (const line of splitter.end()) {
    const entry = parse(line);
    if (entry) yield entry;
  }
}

// Cuts bytes into lines with exact positions, whatever the chunks, encodings and lengths.

const lineFeed = 10;

/** A longer line is reported as `too long` and never held in memory. */
const maxLineBytes = 64 * 1024 * 1024;

/** A place in a file from which reading can go on. */
interface Position {
  /** First byte that no complete line has covered. */
  offset: number;
  /** Complete lines before it. */
  lines: number;
}

interface LineSplitter {
  /** Takes the next bytes, gives the lines that they complete. The chunk must not be reused by the caller. */
  push(chunk: Uint8Array): Line[];
  /** Gives the rest as an incomplete line, if there is any. */
  end(): Line[];
  position(): Position;
}

/** Makes a splitter for the bytes from a place on; its memory is bounded by the longest line and the chunk size. */
function createLineSplitter(from: Partial<Position> = {}): LineSplitter {
  let { offset = 0, lines: number = 0 } = from;
  let rest: Uint8Array[] = [];
  let restBytes = 0;

  const hold = (bytes: Uint8Array) => {
    restBytes += bytes.length;
    if (restBytes > maxLineBytes) rest = [];
    else if (bytes.length > 0) rest.push(bytes);
  };
  const line = (content: Uint8Array, complete: boolean, tooLong = 0): Line => {
    const made = { content, number: number + 1, offset, complete, tooLong };
    if (complete) {
      number += 1;
      offset += (tooLong || content.length) + 1;
    }
    return made;
  };
  const takeRest = (complete: boolean): Line => {
    const [parts, bytes] = [rest, restBytes];
    rest = [];
    restBytes = 0;
    if (bytes > maxLineBytes) return line(new Uint8Array(0), complete, bytes);
    return line(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts), complete);
  };

  return {
    push(chunk) {
      const lines: Line[] = [];
      let from = 0;
      for (;;) {
        const to = chunk.indexOf(lineFeed, from);
        if (to < 0) break;
        const part = chunk.subarray(from, to);
        if (restBytes > 0) {
          hold(part);
          lines.push(takeRest(true));
        } else if (part.length > maxLineBytes) {
          lines.push(line(new Uint8Array(0), true, part.length));
        } else lines.push(line(part, true));
        from = to + 1;
      }
      // Copied, so that a short rest does not keep a whole chunk alive.
      hold(chunk.slice(from));
      return lines;
    },
    end: () => (restBytes > 0 ? [takeRest(false)] : []),
    position: () => ({ offset, lines: number }),
  };
}

// Follows a growing transcript: gives what is new since a position that can be kept across restarts.

/** Where a tail stands. JSON; hand it back to go on. */
export interface TailPosition extends Position {
  /** Inode (0 where there is none), so that a replaced file is read from its start. */
  file: number;
}

/** What one look gave. */
interface TailResult {
  entries: Array<TranscriptEntry | BrokenLine>;
  position: TailPosition;
  /** True when the file was replaced or shrank, and reading began again. */
  restarted: boolean;
}

/** A look stops after about so many bytes; the next one goes on. */
const maxLookBytes = 16 * 1024 * 1024;

/**
 * The complete lines of a file since `position` (from its start without one). A last line without line feed is left
 * for the next look, so that chunks cut anywhere, also inside a character, give exactly the entries of one full read.
 * Rejects like `stat` when the file is gone.
 */
export async function readTail(
  path: string,
  position?: TailPosition,
  { parse = parseEntry }: ParseOptions = {},
): Promise<TailResult> {
  const { size, ino } = await stat(path);
  const restarted = position !== undefined && (position.file !== ino || position.offset > size);
  const from = position && !restarted ? position : { offset: 0, lines: 0 };
  const splitter = createLineSplitter(from);
  const entries: TailResult["entries"] = [];
  let read = 0;
  for await (const chunk of fileChunks(path, { from: from.offset, to: size })) {
    for (const line of splitter.push(chunk)) {
      const entry = parse(line);
      if (entry) entries.push(entry);
    }
    read += chunk.length;
    // A line that is longer than that must still be finished.
    if (read >= maxLookBytes && splitter.position().offset > from.offset) break;
  }
  return { entries, position: { ...splitter.position(), file: ino }, restarted };
}

// Transcript files as sources of bytes: the only place of this folder that touches the disk.

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
async function readAt(file: FileHandle, position: number, length: number): Promise<Uint8Array> {
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

// Reads a transcript from its end: what is near the end costs the same in a 100 MB file as in a small one.

/** Chunks from the last to the first, each with its byte offset in the file. */
export type BackwardSource = AsyncIterable<{ chunk: Uint8Array; offset: number }>;

/** Entries and broken lines from the last to the first. `line` is 0: numbers are not known from this side. */
export async function* readEntriesBackwards(
  source: BackwardSource,
  { parse = parseEntry }: ParseOptions = {},
): AsyncGenerator<TranscriptEntry | BrokenLine> {
  for await (const line of linesBackwards(source)) {
    const entry = parse(line);
    if (entry) yield entry;
  }
}

async function* linesBackwards(source: BackwardSource): AsyncGenerator<Line> {
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
