// The records memoir keeps: sessions, prompts, observations, summaries and memory items, as valibot schemas and types.
import * as v from "valibot";
import { MarksSchema, NewTurnSchema, PlaceSchema, type Stored } from "./turn.ts";

/** Observation types every strategy knows; a strategy may add its own lower-case words. */
// biome-ignore format: a list of words.
export const observationTypes = ["decision", "bugfix", "feature", "refactor", "change", "discovery"] as const;

/** Where work happened. `id` is what memory is keyed by; two worktrees of one repository share it. */
export const ProjectSchema = v.object({
  /** Normalised git remote (`github.com/acme/shop`), else the absolute git root, else the absolute working directory. */
  id: v.string(),
  /** Last part of `id`, for people. */
  name: v.string(),
  /** Absolute root of this checkout (git top level or cwd); file paths are shown relative to it. */
  root: v.string(),
  /** Checked-out branch, when git knows one. */
  branch: v.optional(v.string()),
});
/** Where work happened; see `ProjectSchema`. */
export type Project = v.InferOutput<typeof ProjectSchema>;

/** A subagent inside a session, as the client names it. */
export const AgentSchema = v.object({ id: v.string(), type: v.optional(v.string()) });
/** A subagent inside a session. */
export type Agent = v.InferOutput<typeof AgentSchema>;

/** What an observation strategy returns: the hierarchical fields, before storage gives them an id. */
export const ObservationDraftSchema = v.object({
  /** Lower-case letters of any script, and dashes. */
  type: v.pipe(
    v.string(),
    v.regex(/^(?!-)(?:(?!\p{Lu})[\p{L}\p{M}]|-)+$/u, "must be lower-case letters and hyphens"),
  ),
  /** 3 to 8 words. */
  title: v.pipe(v.string(), v.nonEmpty()),
  /** At most 24 words; what it means. */
  subtitle: v.string(),
  /** 1 to 7 facts of 50 to 150 characters, each standing alone. */
  facts: v.array(v.string()),
  /** The whole story, as long as its evidence. */
  narrative: v.string(),
  /** 2 to 5 broad lower-case categories. */
  concepts: v.array(v.string()),
  /** Paths relative to the project root where they lie inside it, else absolute. */
  filesRead: v.array(v.string()),
  filesModified: v.array(v.string()),
  /** Ids of the tool uses this observation was made from. */
  toolUseIds: v.array(v.string()),
  /** The subagent whose work it was; absent for the main agent. */
  agent: v.optional(AgentSchema),
  /** Epoch ms of the last evidence; the runtime fills it with the batch's time when absent. */
  time: v.optional(v.number()),
  /** The agent's own tokens behind it, from the transcript; null when unknown. */
  discoveryTokens: v.optional(v.nullable(v.number())),
  /** Tokens memoir spent to write it; 0 for heuristics, null when unknown. */
  observerTokens: v.optional(v.nullable(v.number())),
  /** The pieces of turns it was derived from, and quotes. */
  evidence: v.optional(v.array(PlaceSchema)),
});
/** An observation as a strategy returns it, before storage gives it an id. */
export type ObservationDraft = v.InferOutput<typeof ObservationDraftSchema>;

/** Who wrote a record: the strategy, and the model where one took part. */
const ProvenanceSchema = v.object({
  /** Name of the strategy plugin. */
  strategy: v.string(),
  /** Model id, or null when no model took part. */
  model: v.nullable(v.string()),
});
/** An observation ready to be stored: a draft bound to its session, project and prompt. */
export const NewObservationSchema = v.object({
  ...MarksSchema.entries,
  ...ObservationDraftSchema.entries,
  session: v.string(),
  client: v.string(),
  /** `Project.id`. */
  project: v.string(),
  branch: v.optional(v.string()),
  /** 1 for the session's first prompt; 0 before any. */
  promptNumber: v.number(),
  /** Epoch ms. */
  time: v.number(),
  discoveryTokens: v.nullable(v.number()),
  observerTokens: v.nullable(v.number()),
  provenance: ProvenanceSchema,
});
/** An observation that is ready to be stored. */
export type NewObservation = v.InferOutput<typeof NewObservationSchema>;

/** A stored observation. */
export type Observation = NewObservation &
  Stored & {
    /** The newer observation of the same thing; absent while this one holds. */
    supersededBy?: string;
  };

/**
 * The texts of a summary, in their order, and what each says, in the words that models are asked in. Rows, documents to
 * search, answers of models and what people read follow from it.
 */
export const summaryTexts = {
  request: "what the user wanted",
  investigated: "what was looked into",
  learned: "what was found out about the project",
  completed: "what is done",
  nextSteps: "what is still open",
  notes: "anything else a later session should know",
} as const;
/** The name of one of them. */
export type SummaryText = keyof typeof summaryTexts;
/** Their names. */
export const summaryTextNames = Object.keys(summaryTexts) as readonly SummaryText[];

/** Of every text of a summary, what `make` makes of its name. */
export function ofSummaryTexts<Made>(make: (name: SummaryText) => Made): Record<SummaryText, Made> {
  const made = summaryTextNames.map((name) => [name, make(name)]);
  return Object.fromEntries(made) as Record<SummaryText, Made>;
}

/** What a summarization strategy returns. A text that has nothing to say is empty or left out, a list is empty. */
export const SummaryDraftSchema = v.object({
  ...ofSummaryTexts(() => v.optional(v.string(), "")),
  filesRead: v.array(v.string()),
  filesEdited: v.array(v.string()),
  /** The pieces of turns it was derived from, and quotes. */
  evidence: v.optional(v.array(PlaceSchema)),
});
/** A summary as a strategy returns it. */
export type SummaryDraft = v.InferInput<typeof SummaryDraftSchema>;

/** A summary ready to be stored; one per prompt (`scope: "prompt"`) and one per session. A later one of the same session, scope and prompt replaces the earlier. */
export const NewSummarySchema = v.object({
  ...MarksSchema.entries,
  ...SummaryDraftSchema.entries,
  scope: v.picklist(["prompt", "session"]),
  session: v.string(),
  client: v.string(),
  project: v.string(),
  /** The prompt it covers; for a session, its last prompt. */
  promptNumber: v.number(),
  time: v.number(),
  observerTokens: v.nullable(v.number()),
  provenance: ProvenanceSchema,
});
/** A summary that is ready to be stored. */
export type NewSummary = v.InferOutput<typeof NewSummarySchema>;
/** A stored summary. */
export type Summary = NewSummary & Stored;

/** One thing the user asked, cleaned and redacted. */
export const NewPromptSchema = v.object({
  ...MarksSchema.entries,
  session: v.string(),
  client: v.string(),
  project: v.string(),
  promptNumber: v.number(),
  text: v.string(),
  time: v.number(),
});
/** A prompt that is ready to be stored. */
export type NewPrompt = v.InferOutput<typeof NewPromptSchema>;
/** A stored prompt. */
export type Prompt = NewPrompt & Stored;

/** One client session. Stored as an upsert by `id`: fields that are absent keep their stored value. */
export const SessionUpdateSchema = v.object({
  ...MarksSchema.entries,
  /** The client's own session id. */
  id: v.string(),
  client: v.string(),
  project: ProjectSchema,
  /** 3 to 8 words. */
  title: v.optional(v.string()),
  /** At most 20 words. */
  subtitle: v.optional(v.string()),
  /** Number of prompts so far. */
  prompts: v.optional(v.number()),
  status: v.picklist(["active", "ended"]),
  transcriptPath: v.optional(v.string()),
  startedAt: v.number(),
  lastActiveAt: v.number(),
  endedAt: v.optional(v.nullable(v.number())),
  /** Why it ended, in the client's own word: `clear`, `logout`, `prompt_input_exit`; absent where it went silent. */
  endReason: v.optional(v.string()),
});
/** What is known of a session; absent fields keep what is stored. */
export type SessionUpdate = v.InferOutput<typeof SessionUpdateSchema>;
/** A stored session; `id` is the client's own. */
export type Session = Omit<SessionUpdate, "project" | "id"> &
  Stored & {
    project: Project;
    title: string;
    subtitle: string;
    prompts: number;
    observations: number;
    endedAt: number | null;
  };

/** What a memory item may be: `workflows` are commands this project is worked with, `gotchas` failures and their repairs. */
export const memoryKinds = [
  "decisions",
  "preferences",
  "projects",
  "facts",
  "workflows",
  "gotchas",
] as const;

/** A standing fact about the user or project. */
export const MemoryItemSchema = v.object({
  ...MarksSchema.entries,
  kind: v.picklist(memoryKinds),
  /** YYYY-MM-DD. */
  date: v.string(),
  content: v.string(),
  context: v.string(),
  session: v.string(),
  project: v.string(),
  /** `standing` when a person laid it down or confirmed it; `candidate`: suggested, until they do. Absent: nobody judged. */
  state: v.optional(v.picklist(["standing", "candidate"])),
  /** What was said, word for word. */
  quote: v.optional(v.string()),
  /** The pieces of turns it was derived from. */
  evidence: v.optional(v.array(PlaceSchema)),
});
/** A standing decision, preference or fact that is ready to be stored. */
export type NewMemoryItem = v.InferOutput<typeof MemoryItemSchema>;
/** A stored memory item. */
export type MemoryItem = NewMemoryItem & Stored;

/** What one atomic `storage.put` writes. */
export const RecordsSchema = v.object({
  sessions: v.optional(v.array(SessionUpdateSchema)),
  prompts: v.optional(v.array(NewPromptSchema)),
  observations: v.optional(v.array(NewObservationSchema)),
  summaries: v.optional(v.array(NewSummarySchema)),
  memory: v.optional(v.array(MemoryItemSchema)),
  turns: v.optional(v.array(NewTurnSchema)),
});
/** What one atomic `storage.put` writes. */
export type Records = v.InferOutput<typeof RecordsSchema>;
