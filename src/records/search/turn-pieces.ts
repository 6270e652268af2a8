// The evidence of a turn as pieces of a document: what was said, what was done, and what is only about it.

import type { Evidence, EvidenceKind } from "../../sdk/turn.ts";
import type { Piece } from "../../search/index.ts";

const fieldOf: Record<EvidenceKind, Piece["field"]> = {
  prompt: "prompt",
  typed: "prompt",
  refusal: "prompt",
  choice: "asked",
  plan: "asked",
  interrupted: "described",
  closing: "said",
  said: "said",
  task: "asked",
  todo: "asked",
  report: "said",
  compaction: "said",
  commit: "commit",
  failure: "failure",
  repair: "failure",
  passed: "described",
  ran: "described",
};

/** Two for each piece of evidence: its text, and what it is about. */
export function turnPieces(evidence: readonly Evidence[]): Piece[] {
  return evidence.flatMap(({ kind, text, about, described }): Piece[] => [
    { field: fieldOf[kind], text },
    {
      field: "described",
      text: [described, about].filter((part) => part !== undefined).join("\n"),
    },
  ]);
}

/** The evidence that a piece of the document comes from. */
export function evidenceAt(piece: number): number {
  return Math.floor(piece / 2);
}
