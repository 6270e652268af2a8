// Copies a transcript with changes: what is not changed keeps its very bytes, broken and empty lines too.
import { Buffer } from "node:buffer";
import type { BrokenLine, TranscriptEntry } from "./entry.ts";
import { createLineSplitter, type Line } from "./lines.ts";
import { parseEntry } from "./parse-entry.ts";
import type { ByteSource } from "./read.ts";

/** What a line becomes: undefined leaves it as it is, an empty list takes it out, several values insert lines. */
export type LineChange = (
  entry: TranscriptEntry | BrokenLine,
) => ReadonlyArray<TranscriptEntry | Record<string, unknown>> | undefined;

const longestLine = 1024 * 1024 * 1024;
const lineFeed = Buffer.from("\n");

/**
 * The new file's bytes, in chunks. Without changes they equal the source's, also a last line without line feed.
 * Throws a RangeError at a line of more than 1 GB, which could not be copied whole.
 */
export async function* rewriteTranscript(
  source: ByteSource,
  change: LineChange,
): AsyncGenerator<Uint8Array> {
  const splitter = createLineSplitter({ maxLineBytes: longestLine });
  for await (const chunk of source)
    for (const line of splitter.push(chunk)) yield* rewritten(line, change);
  for (const line of splitter.end()) yield* rewritten(line, change);
}

function* rewritten(line: Line, change: LineChange): Generator<Uint8Array> {
  if (line.tooLong) throw new RangeError(`Line ${line.number} is too long to be copied.`);
  const entry = parseEntry(line);
  const values = entry && change(entry);
  if (!values) {
    yield line.content;
    if (line.complete) yield lineFeed;
    return;
  }
  for (const [at, value] of values.entries()) {
    yield isEntry(value) ? value.content : Buffer.from(JSON.stringify(value));
    // Only what stands at the end of the file may lack its line feed.
    if (line.complete || at < values.length - 1) yield lineFeed;
  }
}

function isEntry(value: TranscriptEntry | Record<string, unknown>): value is TranscriptEntry {
  return value.content instanceof Uint8Array;
}
