// Where and in which form a client keeps its transcripts.
import type { LineParser } from "./read.ts";
import type { Chunks } from "./store.ts";

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

/** By a client's name; undefined for one whose transcripts are not read. */
export type TranscriptFormOf = (client: string) => Promise<TranscriptForm | undefined>;
