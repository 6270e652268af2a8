// Where and in which form a client keeps its transcripts.
import type { LineParser } from "./read.ts";

/** What a reader has to know of one client's transcripts. */
export interface TranscriptForm {
  /** Files elsewhere must bear their session's id. */
  folder: string;
  /** Absent: Claude Code's lines. */
  parse?: LineParser | undefined;
}

/** By a client's name; undefined for one whose transcripts are not read. */
export type TranscriptFormOf = (client: string) => Promise<TranscriptForm | undefined>;
