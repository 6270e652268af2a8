// How much of a turn is kept: characters of each kind of piece, and how many pieces of it.
import type { EvidenceKind } from "../sdk/turn.ts";

/** Bounds of one kind. */
interface KindLimit {
  /** Characters of a piece's text. */
  text: number;
  /** Pieces in a turn; of more, the first and the last are kept. */
  pieces: number;
  /** Whether a long one reads like a log: its end tells more than its beginning. */
  log?: boolean;
}

/** By kind, in the order in which kinds give way when a turn is too large: what matters least first. */
export const kindLimits: Readonly<Record<EvidenceKind, KindLimit>> = {
  ran: { text: 300, pieces: 100, log: true },
  passed: { text: 300, pieces: 200, log: true },
  failure: { text: 2_000, pieces: 100, log: true },
  todo: { text: 8_000, pieces: 1 },
  task: { text: 4_000, pieces: 100 },
  said: { text: 8_000, pieces: 300 },
  report: { text: 16_000, pieces: 100 },
  repair: { text: 2_000, pieces: 50 },
  commit: { text: 8_000, pieces: 100 },
  interrupted: { text: 500, pieces: 50 },
  choice: { text: 8_000, pieces: 100 },
  plan: { text: 32_000, pieces: 20 },
  compaction: { text: 48_000, pieces: 20 },
  typed: { text: 32_000, pieces: 100 },
  refusal: { text: 8_000, pieces: 200 },
  closing: { text: 64_000, pieces: 1 },
  prompt: { text: 64_000, pieces: 1 },
};

/** Characters of what a piece is about, and of the agent's words for it. */
export const aboutLimit = 1_500;
/** Of a tool use that was refused or of a plan: it may be all there is to see of it. */
export const refusedLimit = 4_000;
/** Characters of all pieces of a turn. */
export const turnLimit = 400_000;
/** Files of a turn, and symbols of a file. */
export const filesLimit = 500;
export const symbolsLimit = 40;
