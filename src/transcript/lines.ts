// Cuts a transcript's bytes into lines with exact positions, whatever the chunks, encodings and lengths.
import { Buffer } from "node:buffer";
import { isRecord } from "../text/text.ts";

/** One line without its line feed: `content` are bytes `offset` to `offset + content.length` of the file. */
export interface Line {
  /** Shares memory with the chunk it came in. */
  content: Uint8Array;
  /** 1 for the first line after the splitter's start. */
  number: number;
  offset: number;
  /** False for a last line without line feed: it may still be growing. */
  complete: boolean;
  /** Length in bytes when the line was over the limit, and `content` is empty; else 0. */
  tooLong: number;
}

/** How lines are cut out of bytes. */
export interface SplitterOptions {
  /** Byte offset of the first chunk in the file. Default 0. */
  offset?: number;
  /** Number of lines before it. Default 0. */
  lines?: number;
  /** A longer line is reported as `tooLong` and never held in memory. Default 64 MB. */
  maxLineBytes?: number;
}

/** A place in a file from which reading can go on. */
export interface Position {
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

const lineFeed = 10;

/** Makes a splitter; its memory is bounded by the longest line and the chunk size. */
export function createLineSplitter(options: SplitterOptions = {}): LineSplitter {
  const maxLineBytes = options.maxLineBytes ?? 64 * 1024 * 1024;
  let offset = options.offset ?? 0;
  let number = options.lines ?? 0;
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

/** A line's text. Bytes that are no UTF-8 become U+FFFD. */
export function decodeLine(content: Uint8Array): string {
  return asBuffer(content).toString("utf8");
}

// Bytes with the methods that Node gives them, and one that it does not. A file of its own, so that declarations of others name no Node type.

/** The same bytes, with a Buffer's methods. */
export function asBuffer(content: Uint8Array): Buffer {
  return Buffer.isBuffer(content)
    ? content
    : Buffer.from(content.buffer, content.byteOffset, content.byteLength);
}

/** Whether the bytes before `end` are `mark`. From its last byte on: most lines differ there. */
export function endsWith(bytes: Uint8Array, end: number, mark: Uint8Array): boolean {
  for (let at = 1; at <= mark.length; at++)
    if (bytes[end - at] !== mark[mark.length - at]) return false;
  return true;
}

// JSON that may be anything: parsed without exceptions.

export type Json = Record<string, unknown>;

/** The text's value; undefined when it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The text's object; undefined when it is no JSON or no object. */
export function parseObject(text: string): Json | undefined {
  const value = parseJson(text);
  return isRecord(value) ? value : undefined;
}

/** Epoch ms of an entry's `timestamp`; undefined when it is none. */
export function timeOf(timestamp: unknown): number | undefined {
  const time = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** The value when it is a string. */
export function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
