// Where and in which form a client keeps its transcripts.

import type { Discovery } from "./discover.ts";
import type { ByteRange, LineParser } from "./read.ts";

/** What a reader has to know of one client's transcripts. */
interface TranscriptForm {
  /** Files elsewhere must bear their session's id. */
  folder: string;
  /** Absent: Claude Code's lines. */
  parse?: LineParser | undefined;
  /** Of a client that keeps them in a database: what lies at a session's path in it. Absent: they are files. */
  chunks?: Chunks | undefined;
  /** It writes its lines, and the file itself, a while after it runs its hooks. */
  isLate?: boolean;
}

/** By a client's name; undefined for Claude Code, and for one whose transcripts are not read. */
export type TranscriptFormOf = (client: string) => Promise<TranscriptForm | undefined>;

// Where a client's transcripts lie that are no files: in a database, read as if each session were one.

/** Gives part of what lies at a path; rejects when it cannot be read. */
export type Chunks = (path: string, range?: ByteRange) => AsyncIterable<Uint8Array>;

/** Sessions with paths like files below the database's own: `<database>/<session>.jsonl`. */
export interface TranscriptStore {
  /** All sessions at the database's path, or the one at its own. A missing path gives nothing; it never rejects. */
  discover(path: string): Promise<Discovery>;
  /** A session's lines. What was written before does not change where nobody rewrites history. */
  chunks: Chunks;
}

/** All that lies at a path, for who reads from its end. */
export async function* wholeBackwards(
  chunks: Chunks,
  path: string,
): AsyncGenerator<{ chunk: Uint8Array; offset: number }> {
  const parts: Uint8Array[] = [];
  for await (const part of chunks(path)) parts.push(part);
  yield { chunk: Buffer.concat(parts), offset: 0 };
}
