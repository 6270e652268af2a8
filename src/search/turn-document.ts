// A turn as a document: which of its evidence is what was said, what was done, and what is only about it.
import type { EvidenceKind, Turn } from "../sdk/turn.ts";
import type { Field, SearchDocument } from "./document.ts";

const fieldOfKind: Record<EvidenceKind, Field> = {
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

/** How pieces of a document lead back to the turn's: piece `n` is evidence `Math.floor(n / 2)`, odd ones what it is about. */
export function turnDocument(turn: Turn, root = ""): SearchDocument {
  const { id, session, client, project, promptNumber, time, pieces, files } = turn;
  return {
    id,
    kind: "turn",
    session,
    client,
    project,
    type: "turn",
    time,
    position: promptNumber,
    files: files.map(({ path }) =>
      root === "" || path.startsWith("/") ? path : `${root}/${path}`,
    ),
    pieces: pieces.flatMap(({ kind, text, about, described }) => [
      { field: fieldOfKind[kind], text },
      { field: "described" as const, text: [described, about].filter(Boolean).join("\n") },
    ]),
  };
}
