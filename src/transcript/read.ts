// Reads a whole transcript, forwards, from any source of bytes: bounded memory, every line accounted for.
import type { BrokenLine, TranscriptEntry } from "./entry.ts";
import { createLineSplitter, type Line, type SplitterOptions } from "./lines.ts";
import { parseEntry } from "./parse-entry.ts";

/** Chunks of a file, in order. */
export type ByteSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Gives every entry and every broken line, in file order. Empty lines are passed over. */
export async function* readEntries(
  source: ByteSource,
  options: SplitterOptions = {},
): AsyncGenerator<TranscriptEntry | BrokenLine> {
  const splitter = createLineSplitter(options);
  for await (const chunk of source) yield* entriesOf(splitter.push(chunk));
  yield* entriesOf(splitter.end());
}

function* entriesOf(lines: Line[]): Generator<TranscriptEntry | BrokenLine> {
  for (const line of lines) {
    const entry = parseEntry(line);
    if (entry) yield entry;
  }
}
