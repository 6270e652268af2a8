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
import type { NewTurn } from "./turn.ts";

/** Tokens of one request to the agent's model, as the API reported them. */
export interface TokenUsage {
  /** Neither read from nor written to the cache. */
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

/** One turn of the conversation: what was said, without thinking and tool traffic, possibly shortened. */
export interface ContextTurn {
  role: "user" | "assistant";
  text: string;
}

/**
 * What the client's transcript tells about a tool use: cleaned of secrets and private content, each text within the
 * limits of `worker.context`. Every field is absent where the transcript has nothing.
 */
export interface ToolUseContext {
  /** What the person asked last before the tool use; in a subagent, the task it was given. */
  userIntent?: string;
  /** The beginning of the assistant's thinking that led to it. */
  reasoning?: string;
  /** What the assistant said just before it, in the same turn. */
  assistantText?: string;
  /** The beginning of the result as the model saw it. */
  result?: string;
  /** The last turns before the tool use, oldest first; empty where there are none. */
  turns: ContextTurn[];
  model?: string;
  /** Of the whole assistant message that made the tool use, which may have made others too. */
  usage?: TokenUsage;
  cwd?: string;
  branch?: string;
  /** The client's version. */
  version?: string;
  /** Epoch ms of the assistant message. */
  time?: number;
  /** The transcript was behind, too long or cut: something above may be missing. */
  partial?: boolean;
}

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
  /** The conversation around it; absent where the client's transcript could not be read. */
  context?: ToolUseContext;
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
  /** The evidence of the prompt as far as it is known: stored, or made of the batch's own events where nothing is yet. */
  turn?: NewTurn;
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
  /** Tokens that all calls for this batch took; the runtime shares them out over the observations, to the token. */
  observerTokens?: number | null;
}

/** What a summary is made from. */
export interface SummaryInput {
  key: string;
  /** `opening`: only a title is wanted, from the first prompt. `prompt`: after each Stop. `session`: at its end. */
  scope: "opening" | "prompt" | "session";
  session: WorkSession;
  /** All prompts of the session for `session`, else the one prompt (may be empty). */
  prompts: Array<Omit<Prompt, "id">>;
  /** The evidence: of the prompt, or of the whole session, oldest first; absent where storage keeps no turns. */
  turns?: NewTurn[];
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
  /** Session title, 3 to 8 words. */
  title?: string;
  /** Session subtitle, at most 20 words. */
  subtitle?: string;
  model?: string | null;
  observerTokens?: number | null;
}

/** How a tool use ended; each has exactly one end. */
export interface Settled {
  session: string;
  toolUseId: string;
  outcome: "stored" | "skipped" | "parked";
  /** For skipped and parked. */
  reason?: string;
  /** Ids of the observations it led to. */
  observations: string[];
}
