// Reads a whole transcript, forwards, from any source of bytes: bounded memory, every line accounted for.
import type { BrokenLine, TranscriptEntry } from "./entry.ts";
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
