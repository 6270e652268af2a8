// The model provider's one small interface: messages in; text, usage and stop reason out.

export interface CompletionMessage {
  role: "user" | "assistant";
  content: string;
}

export interface CompletionRequest {
  system: string;
  messages: CompletionMessage[];
  maxTokens: number;
  /** JSON schema for providers with structured output; others ignore it. */
  schema?: Record<string, unknown>;
  /** What the call is for, for accounting. */
  purpose: string;
  session: string;
}

/** Tokens as the provider counted them. */
export interface Usage {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

export interface Completion {
  text: string;
  model: string;
  usage: Usage;
  stopReason: "end" | "max_tokens" | "refusal" | "other";
}
