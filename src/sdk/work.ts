// What observation and summarization strategies are given, and what they answer: plain cloneable values.
import type {
  Agent,
  Observation,
  ObservationDraft,
  Project,
  Prompt,
  Summary,
  SummaryDraft,
} from "./model.ts";

/** One finished tool use, main agent's or subagent's, as captured. */
export interface ToolUse {
  id: string;
  name: string;
  input: unknown;
  /** The tool's structured result in the client's shape; absent when it failed. */
  response?: unknown;
  /** The failure's own text; present exactly when the tool failed. */
  error?: string;
  /** The user stopped it. */
  interrupted?: boolean;
  /** Epoch ms. */
  time: number;
  durationMs?: number;
  cwd: string;
  agent?: Agent;
  /** Text was withheld because redaction failed; there is nothing to learn from it. */
  withheld?: boolean;
}

/** The session a piece of work belongs to. */
export interface WorkSession {
  id: string;
  client: string;
  project: Project;
  transcriptPath?: string;
}

/** The tool uses of one prompt (or the part of them that was not observed yet), in time order. */
export interface ObservationBatch {
  /** Idempotency key, derived from the inputs. */
  key: string;
  session: WorkSession;
  /** Absent when the session's prompt was not seen. */
  prompt?: { number: number; text: string };
  toolUses: ToolUse[];
  /** What the assistant said last, when the batch ends with the prompt. */
  lastAssistantMessage?: string;
  /** What subagents said last. */
  agentMessages?: Array<{ agent: Agent; text: string }>;
  /** True when someone waits on a single tool use: answer for it alone, without the rest of the episode. */
  waiting: boolean;
}

/** An observation strategy's answer. A tool use named by no observation counts as skipped. */
export interface ObservationResult {
  observations: ObservationDraft[];
  /** Why tool uses were skipped: tool-use id → a short reason. Those without one are "routine". */
  skipped?: Record<string, string>;
  /** Model used, or null. */
  model?: string | null;
}

/** What a summary is made from. */
export interface SummaryInput {
  key: string;
  /** `opening`: only a title is wanted, from the first prompt. `prompt`: after each Stop. `session`: at its end. */
  scope: "opening" | "prompt" | "session";
  session: WorkSession;
  /** All prompts of the session for `session`, else the one prompt (may be empty). */
  prompts: Array<Omit<Prompt, "id">>;
  /** The prompt's tool uses; empty for `session`. */
  toolUses: ToolUse[];
  /** Observations stored for this prompt, or for the whole session. */
  observations: Observation[];
  /** For `session`: the prompts' summaries, in order. */
  summaries: Summary[];
  lastAssistantMessage?: string;
}

/** A summarization strategy's answer; `summary` is absent where there is nothing worth saying. */
export interface SummaryResult {
  summary?: SummaryDraft;
  /** Session title, 3 to 6 words. */
  title?: string;
  /** Session subtitle, at most 20 words. */
  subtitle?: string;
  model?: string | null;
  observerTokens?: number | null;
}

/** How a tool use ended, told exactly once per tool use. */
export interface Settled {
  session: string;
  toolUseId: string;
  outcome: "stored" | "skipped" | "parked";
  /** For skipped and parked. */
  reason?: string;
  /** Ids of the observations it led to. */
  observations: string[];
}
