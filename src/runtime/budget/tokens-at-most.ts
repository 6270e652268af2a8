// How many tokens a call may take, estimated from above, so that a reservation holds what the call then uses.
import type { CompletionRequest } from "../../sdk/provider.ts";

/** What a provider adds to a prompt of its own. */
const overhead = 500;

/** Half the prompt's bytes (no tokenizer in use makes more tokens of text or code), and all that may be answered. */
export function tokensAtMost({ system, messages, schema, maxTokens }: CompletionRequest): number {
  const texts = [system, ...messages.map(({ content }) => content)];
  if (schema) texts.push(JSON.stringify(schema));
  const bytes = texts.reduce((sum, text) => sum + new TextEncoder().encode(text).length, 0);
  return Math.ceil(bytes / 2) + overhead + maxTokens;
}
