// The evidence of one prompt, verbatim: what was said and done between this prompt and the next. Everything derived names it.
import * as v from "valibot";

/**
 * What a piece of evidence is.
 * - `prompt`: what the user typed, slash-command arguments included; `typed`: text the user typed later in the same turn,
 *   beside a tool result; `refusal`: a refused tool use with the reason the user typed; `choice`: a question of the agent
 *   with the user's answer; `plan`: a plan the user accepted; `interrupted`: the user stopped the agent.
 * - `closing`: the assistant's last message; `said`: what it said before, between tool uses; `question`: what it asked others
 *   to do (a subagent's task, a todo's subject); `report`: what a subagent said last; `compaction`: the client's own summary.
 * - `commit`: subject and body; `failure`: a command or tool that failed, with the telling lines; `repair`: what passed after
 *   a failure, with what was changed in between; `passed`: a command that passed; `described`: the agent's words about a call.
 */
export const evidenceKinds = [
  "prompt",
  "typed",
  "refusal",
  "choice",
  "plan",
  "interrupted",
  "closing",
  "said",
  "question",
  "report",
  "compaction",
  "commit",
  "failure",
  "repair",
  "passed",
  "described",
] as const;
/** What a piece of evidence is; see `evidenceKinds`. */
export type EvidenceKind = (typeof evidenceKinds)[number];

/** One piece of evidence: redacted, verbatim, bounded. Its place is its index in `pieces`. */
export const EvidenceSchema = v.object({
  kind: v.picklist(evidenceKinds),
  text: v.string(),
  /** Epoch ms; absent where it is the turn's. */
  time: v.optional(v.number()),
  /** The tool use it belongs to. */
  toolUseId: v.optional(v.string()),
  /** For commands (`failure`, `repair`, `passed`, `commit`): the command line. */
  command: v.optional(v.string()),
  /** The subagent that said or did it. */
  agent: v.optional(v.string()),
  /** Characters left out of `text`; absent when it is whole. */
  shortened: v.optional(v.number()),
});
/** One piece of evidence of a turn. */
export type Evidence = v.InferOutput<typeof EvidenceSchema>;

/** A file that a turn read or changed; `path` is relative to the project root where it lies inside it. */
export const TouchedFileSchema = v.object({
  path: v.string(),
  changed: v.boolean(),
  /** Names of functions, types and the like that the change touched. */
  symbols: v.optional(v.array(v.string())),
});
/** A file that a turn read or changed. */
export type TouchedFile = v.InferOutput<typeof TouchedFileSchema>;

/** A turn ready to be stored; a later one of the same session and prompt number replaces the earlier. */
export const NewTurnSchema = v.object({
  session: v.string(),
  client: v.string(),
  /** `Project.id`. */
  project: v.string(),
  branch: v.optional(v.string()),
  /** 1 for the session's first prompt; 0 for what happened before any. */
  promptNumber: v.number(),
  /** Epoch ms of the prompt. */
  startedAt: v.number(),
  /** Epoch ms of the last evidence. */
  time: v.number(),
  /** How it ended: the agent closed it, the user stopped it, or it is still open (or was cut off). */
  end: v.picklist(["closed", "interrupted", "open"]),
  /** In the order things happened. */
  pieces: v.array(EvidenceSchema),
  files: v.array(TouchedFileSchema),
});
/** A turn that is ready to be stored. */
export type NewTurn = v.InferOutput<typeof NewTurnSchema>;
/** A stored turn; `id` is storage's own (sqlite: `t12`). */
export type Turn = NewTurn & { id: string };
