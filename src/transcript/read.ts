// Reads a whole transcript, forwards, from any source of bytes: bounded memory, every line accounted for.

import { stat } from "node:fs/promises";
import type { BrokenLine, TranscriptEntry } from "./entry.ts";
import { fileChunks } from "./file.ts";
import type { Position } from "./lines.ts";
import { createLineSplitter, type Line, type SplitterOptions } from "./lines.ts";
import { type ParseOptions, parseEntry } from "./parse-entry.ts";

/** Chunks of a file, in order. */
export type ByteSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** One line of a transcript as an entry; undefined for one that holds none. Never throws. */
export type LineParser = (
  line: Line,
  options?: ParseOptions,
) => TranscriptEntry | BrokenLine | undefined;

/** How a transcript is read. */
interface ReadOptions extends SplitterOptions, ParseOptions {
  /** For a client whose lines are of another form than Claude Code's. */
  parse?: LineParser | undefined;
}

/** Gives every entry and every broken line, in file order. Empty lines are passed over. */
export async function* readEntries(
  source: ByteSource,
  options: ReadOptions = {},
): AsyncGenerator<TranscriptEntry | BrokenLine> {
  const splitter = createLineSplitter(options);
  const { parse = parseEntry } = options;
  for await (const chunk of source) {
    for (const line of splitter.push(chunk)) {
      const entry = parse(line, options);
      if (entry) yield entry;
    }
  }
  for (const line of splitter.end()) {
    const entry = parse(line, options);
    if (entry) yield entry;
  }
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

/** How a growing transcript is followed. */
interface TailOptions {
  /** Stop after about so many bytes; the next look goes on. Default 16 MB. */
  maxBytes?: number;
  /** For a client whose lines are of another form than Claude Code's. */
  parse?: LineParser | undefined;
}

/**
 * The complete lines of a file since `position` (from its start without one). A last line without line feed is left
 * for the next look, so that chunks cut anywhere, also inside a character, give exactly the entries of one full read.
 * Rejects like `stat` when the file is gone.
 */
export async function readTail(
  path: string,
  position?: TailPosition,
  options: TailOptions = {},
): Promise<TailResult> {
  const { size, ino } = await stat(path);
  const restarted = position !== undefined && (position.file !== ino || position.offset > size);
  const from = position && !restarted ? position : { offset: 0, lines: 0 };
  const splitter = createLineSplitter(from);
  const entries: TailResult["entries"] = [];
  const maxBytes = options.maxBytes ?? 16 * 1024 * 1024;
  let read = 0;
  for await (const chunk of fileChunks(path, { from: from.offset, to: size })) {
    for (const line of splitter.push(chunk)) {
      const entry = (options.parse ?? parseEntry)(line);
      if (entry) entries.push(entry);
    }
    read += chunk.length;
    // A line that is longer than that must still be finished.
    if (read >= maxBytes && splitter.position().offset > from.offset) break;
  }
  return { entries, position: { ...splitter.position(), file: ino }, restarted };
}
