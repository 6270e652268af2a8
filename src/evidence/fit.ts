// Fits a turn's pieces to their bounds: each text, the pieces of a kind, and all of them together; says what was left out.

import { type Evidence, type EvidenceKind, evidenceKinds } from "../sdk/turn.ts";
import { shorten, stripAnsi } from "../text/text.ts";

// How much of a turn is kept: characters of each kind of piece, and how many pieces of it.

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

/** Pieces within their bounds, in the same order, and how many of each kind are not among them. */
interface Fitted {
  kept: Evidence[];
  leftOut: Record<string, number>;
}

/** Of too many of a kind the first and the last stay; of too large a turn the kinds that matter least give way. */
export function fitPieces(pieces: readonly Evidence[]): Fitted {
  const short = mergeRepeats(pieces).map(shortenPiece);
  const most = new Map<EvidenceKind, number>(
    evidenceKinds.map((kind) => [kind, kindLimits[kind].pieces]),
  );
  let kept = ends(short, most);
  for (const kind of Object.keys(kindLimits) as EvidenceKind[]) {
    const spare = sizeOf(kept) - turnLimit;
    if (spare <= 0) break;
    most.set(kind, fewer(kept, kind, spare));
    kept = ends(kept, most);
  }
  const leftOut: Record<string, number> = {};
  for (const kind of evidenceKinds) {
    const missing = count(short, kind) - count(kept, kind);
    if (missing > 0) leftOut[kind] = missing;
  }
  return { kept, leftOut };
}

const commandKinds: ReadonlySet<EvidenceKind> = new Set(["passed", "ran", "failure"]);

/** A command run again and again is told once, where it ran last. */
function mergeRepeats(pieces: readonly Evidence[]): Evidence[] {
  const last = new Map<string, number>();
  const times = new Map<string, number>();
  const keyOf = ({ kind, about }: Evidence) =>
    commandKinds.has(kind) && about !== undefined ? `${kind} ${about}` : undefined;
  for (const [at, piece] of pieces.entries()) {
    const key = keyOf(piece);
    if (key === undefined) continue;
    last.set(key, at);
    times.set(key, (times.get(key) ?? 0) + 1);
  }
  return pieces.flatMap((piece, at): Evidence[] => {
    const key = keyOf(piece);
    if (key === undefined) return [piece];
    if (last.get(key) !== at) return [];
    const often = times.get(key) ?? 1;
    return [often > 1 ? { ...piece, times: often } : piece];
  });
}

function shortenPiece(piece: Evidence): Evidence {
  const { text: limit, log } = kindLimits[piece.kind];
  const { text, leftOut } = shorten(log ? stripAnsi(piece.text) : piece.text, limit, log);
  const made: Evidence = { ...piece, text };
  if (leftOut > 0) made.shortened = (piece.shortened ?? 0) + leftOut;
  const most = piece.kind === "refusal" ? refusedLimit : aboutLimit;
  if (piece.about !== undefined) made.about = shorten(piece.about, most).text;
  if (piece.described !== undefined) made.described = shorten(piece.described, aboutLimit).text;
  return made;
}

function ends(pieces: readonly Evidence[], most: ReadonlyMap<EvidenceKind, number>): Evidence[] {
  const totals = new Map<EvidenceKind, number>();
  for (const { kind } of pieces) totals.set(kind, (totals.get(kind) ?? 0) + 1);
  const seen = new Map<EvidenceKind, number>();
  return pieces.filter(({ kind }) => {
    const at = seen.get(kind) ?? 0;
    seen.set(kind, at + 1);
    const limit = most.get(kind) ?? 0;
    const first = Math.ceil(limit / 2);
    return at < first || at >= (totals.get(kind) ?? 0) - (limit - first);
  });
}

/** How many of a kind may stay so that about `spare` characters go. */
function fewer(pieces: readonly Evidence[], kind: EvidenceKind, spare: number): number {
  const own = pieces.filter((piece) => piece.kind === kind);
  const size = sizeOf(own);
  // Without them nothing would be smaller.
  if (size === 0) return own.length;
  return Math.max(1, Math.floor(own.length * Math.max(0, 1 - spare / size)));
}

function sizeOf(pieces: readonly Evidence[]): number {
  return pieces.reduce(
    (sum, { text, about = "", described = "" }) =>
      sum + text.length + about.length + described.length,
    0,
  );
}

function count(pieces: readonly Evidence[], kind: EvidenceKind): number {
  return pieces.reduce((sum, piece) => sum + (piece.kind === kind ? 1 : 0), 0);
}
