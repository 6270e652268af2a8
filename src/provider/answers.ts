// What APIs have alike in an answer: its text, and what it took where the server does not say.
import type { CompletionRequest, Usage } from "../sdk/provider.ts";
import { estimateTokens } from "../text/text.ts";

/** The text of a message's content: a string, or a list of parts of which those of type `text` are said. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (isText(part) ? part.text : "")).join("");
}

function isText(part: unknown): part is { text: string } {
  if (typeof part !== "object" || part === null) return false;
  return Reflect.get(part, "type") === "text" && typeof Reflect.get(part, "text") === "string";
}

/** Some servers count nothing; a budget that counts nothing either would be none. */
export function estimatedUsage({ system, messages }: CompletionRequest, text: string): Usage {
  const prompt = [system, ...messages.map(({ content }) => content)].join("\n");
  const sent = { input: estimateTokens(prompt), output: estimateTokens(text) };
  return { ...sent, cacheRead: 0, cacheWrite: 0 };
}
