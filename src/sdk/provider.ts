// The model provider's one small interface: messages in; text, usage and stop reason out.

/** One message of a request to a model. */
export interface CompletionMessage {
  role: "user" | "assistant";
  content: string;
  /** Everything up to here comes again soon: a provider with prompt caching keeps it. The system prompt always counts as such. */
  cache?: boolean;
}

/** A provider aborts the call when `ctx.signal` does. */
export interface CompletionRequest {
  system: string;
  messages: CompletionMessage[];
  maxTokens: number;
  /** JSON schema for providers with structured output; others ignore it. */
  schema?: Record<string, unknown>;
  /** What the call is for, for accounting: one lower-case word (`observe`, `summarize`). */
  purpose: string;
  session: string;
  /** `Project.id`, for accounting; looked up by the session where it is absent. */
  project?: string;
}

/** Tokens as the provider counted them. */
export interface Usage {
  /** Neither read from nor written to the cache. */
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

/** What a model answered, whole, with what it took. */
export interface Completion {
  text: string;
  model: string;
  usage: Usage;
  stopReason: "end" | "max_tokens" | "refusal" | "other";
}

/** All tokens of a call: what budgets count. */
export function totalTokens({ input, output, cacheRead, cacheWrite }: Usage): number {
  return input + output + cacheRead + cacheWrite;
}
