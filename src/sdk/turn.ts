// The evidence of one prompt, verbatim: what was said and done between this prompt and the next. Everything derived names it.
import * as v from "valibot";
import { type Author, AuthorSchema } from "./change.ts";

/**
 * What a piece of evidence is.
 * - `prompt`: what the user typed, a slash command with its arguments; `typed`: text the user typed later in the same turn,
 *   in a dialog too; `refusal`: a refused tool use with the reason the user typed; `choice`: what the user picked in a dialog
 *   about the task at hand, no decision that stands; `plan`: a plan the user accepted; `interrupted`: the user stopped the agent.
 * - `closing`: the assistant's last message; `said`: what it said before, between tool uses; `task`: what it asked a subagent
 *   to do; `todo`: its list of things to do as it stood last; `report`: what a subagent said last; `compaction`: the client's
 *   own summary.
 * - `commit`: subject and body; `published`: the title and body of a pull request, a tag or a release; `failure`: a command or tool that failed; `repair`: a command that failed, then passed after
 *   files were changed; `passed`: a command or tool that passed; `ran`: a command whose exit tells nothing of its parts.
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
  "task",
  "todo",
  "report",
  "compaction",
  "commit",
  "published",
  "failure",
  "repair",
  "passed",
  "ran",
] as const;
/** What a piece of evidence is; see `evidenceKinds`. */
export type EvidenceKind = (typeof evidenceKinds)[number];

/** One piece of evidence: redacted, verbatim, bounded. Its place is its index in `pieces`. */
const EvidenceSchema = v.object({
  kind: v.picklist(evidenceKinds),
  /** Empty for a refusal without a reason, an interruption, and a command that printed nothing. */
  text: v.string(),
  /**
   * What it is about: the command line, the tool use that was refused, failed or stopped, the question that was answered and
   * what was on offer, the commit's id, what was published and where, the subagent's task in a few words; `ExitPlanMode` where the agent's words are a plan
   * that it proposed.
   */
  about: v.optional(v.string()),
  /** The agent's own words for the command. */
  described: v.optional(v.string()),
  /** Epoch ms; absent where it is the turn's. */
  time: v.optional(v.number()),
  /** How often it happened in the turn, the last time as told here; absent for once. */
  times: v.optional(v.number()),
  /** The tool use it belongs to. */
  toolUseId: v.optional(v.string()),
  /** The subagent that said or did it. */
  agent: v.optional(v.string()),
  /** The transcript line it stands in, and the request that the API answered with it. */
  uuid: v.optional(v.string()),
  requestId: v.optional(v.string()),
  /** Characters left out of `text`; absent when it is whole. */
  shortened: v.optional(v.number()),
});
/** One piece of evidence of a turn. */
export type Evidence = v.InferOutput<typeof EvidenceSchema>;

/** Where a piece of evidence stands: in which turn of which session, and its index there. */
export const PlaceSchema = v.object({
  /** The prompt's number. */
  turn: v.number(),
  /** Index in the turn's `pieces`. */
  piece: v.number(),
  /** The client's session id; absent for the record's own session. */
  session: v.optional(v.string()),
});
/** Where a piece of evidence stands. */
export type Place = v.InferOutput<typeof PlaceSchema>;

/** A file that a turn read or changed; `path` is relative to the project root where it lies inside it. */
const TouchedFileSchema = v.object({
  path: v.string(),
  changed: v.boolean(),
  /** Names of functions, types and the like that the change touched. */
  symbols: v.optional(v.array(v.string())),
});
/** A file that a turn read or changed. */
export type TouchedFile = v.InferOutput<typeof TouchedFileSchema>;

/** What storage adds to a record: its own id (sqlite: `t12`), and who made it where that was another member. */
export type Stored = { id: string; from?: Author };

// Pinned: shown first to every session of its project. Hidden: shown to no agent. Merged: hidden, since the one of this id says it.
// Edited: when, the fields as they were before, and who did last where that was another member.
const was = v.record(v.string(), v.unknown());
/** What the user made of a record: a storage that knows `storage.amend` adds it, an import puts it along. */
export const MarksSchema = v.object({
  pinned: v.optional(v.literal(true)),
  hidden: v.optional(v.literal(true)),
  merged: v.optional(v.string()),
  edited: v.optional(v.object({ time: v.number(), was, by: v.optional(AuthorSchema) })),
});
/** What the user made of a record. */
export type Marks = v.InferOutput<typeof MarksSchema>;

/** A turn ready to be stored; a later one of the same session and prompt number replaces the earlier. */
export const NewTurnSchema = v.object({
  ...MarksSchema.entries,
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
  /** In the order things happened; a `prompt`, where there is one, comes first. */
  pieces: v.array(EvidenceSchema),
  files: v.array(TouchedFileSchema),
  /** How many pieces of a kind, and how many `files`, were left out because there were too many. */
  leftOut: v.optional(v.record(v.string(), v.number())),
  /** The client's transcript was not read: what only it tells (words between tool uses, refusals) is missing. */
  gaps: v.optional(v.boolean()),
});
/** A turn that is ready to be stored. */
export type NewTurn = v.InferOutput<typeof NewTurnSchema>;
/** A stored turn. */
export type Turn = NewTurn & Stored;
