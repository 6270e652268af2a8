// What people read for each kind of evidence.
import type { EvidenceKind } from "../sdk/turn.ts";

/** Words for each kind; the user's own are marked as theirs. */
export const pieceNames: Readonly<Record<EvidenceKind, string>> = {
  prompt: "you asked",
  typed: "you added",
  refusal: "you refused",
  choice: "you chose",
  plan: "you accepted the plan",
  interrupted: "you stopped it",
  closing: "answer",
  said: "said",
  task: "task for a subagent",
  todo: "to do",
  report: "report of a subagent",
  compaction: "compaction summary",
  commit: "commit",
  published: "published",
  failure: "failed",
  repair: "repaired",
  passed: "passed",
  ran: "ran",
};
