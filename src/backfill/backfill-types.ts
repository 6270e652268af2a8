// What reading transcripts afterwards needs of the runtime, and what it says of itself.

import type { Recovery } from "../runtime/events/past.ts";
import type { TranscriptMark } from "../runtime/journal/recovery-rows.ts";
import type { ClientEvent } from "../sdk/events.ts";

/** The runtime, as far as transcripts are concerned. */
export interface Recoverer {
  /** Commits events, and says what became of each. */
  recover(events: readonly ClientEvent[]): Promise<Recovery[]>;
  /** Puts a session's committed events to work, after everything that hooks delivered. */
  workOn(session: string): void;
  /** True when the session's work is done, false after `timeoutMs`. `flush` also closes what is still gathering. */
  drain(request: { session: string; timeoutMs: number; flush?: boolean }): Promise<boolean>;
  marks(reader: Reader, paths?: readonly string[]): Map<string, TranscriptMark>;
  mark(reader: Reader, marks: readonly TranscriptMark[]): void;
  /** Drops the texts of what is worked off. */
  release(session: string, client?: string): void;
}

/** Who reads: each keeps its own marks. */
export type Reader = "backfill" | "watch";

/** Events by what became of them. */
export type Counts = Record<Recovery, number>;
