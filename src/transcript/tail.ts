// Follows a growing transcript: gives what is new since a position that can be kept across restarts.
import { stat } from "node:fs/promises";
import type { BrokenLine, TranscriptEntry } from "./entry.ts";
import { fileChunks } from "./file.ts";
import { createLineSplitter, type Position } from "./lines.ts";
import { parseEntry } from "./parse-entry.ts";
import type { LineParser } from "./read.ts";

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
