// Reads a whole transcript, forwards, from any source of bytes: bounded memory, every line accounted for.
import type { BrokenLine, TranscriptEntry } from "./entry.ts";
import { createLineSplitter, type SplitterOptions } from "./lines.ts";
import { type ParseOptions, parseEntry } from "./parse-entry.ts";

/** Chunks of a file, in order. */
export type ByteSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** How a transcript is read. */
export interface ReadOptions extends SplitterOptions, ParseOptions {}

/** Gives every entry and every broken line, in file order. Empty lines are passed over. */
export async function* readEntries(
  source: ByteSource,
  options: ReadOptions = {},
): AsyncGenerator<TranscriptEntry | BrokenLine> {
  const splitter = createLineSplitter(options);
  for await (const chunk of source) {
    for (const line of splitter.push(chunk)) {
      const entry = parseEntry(line, options);
      if (entry) yield entry;
    }
  }
  for (const line of splitter.end()) {
    const entry = parseEntry(line, options);
    if (entry) yield entry;
  }
}
