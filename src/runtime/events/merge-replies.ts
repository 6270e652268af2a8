// Many plugins' replies → the one that the client gets.
import type { Reply } from "../../sdk/events.ts";
import type { Answer } from "../ports.ts";

/** The client cuts anything longer to a preview, so nothing longer is ever given. */
export const maxContext = 10_000;

const between = "\n\n";

/**
 * Contexts and messages are joined in order; of tool outputs the last counts. A context that does not fit
 * whole is left out, so that none is cut in the middle; `leftOut` names its plugin.
 */
export function mergeReplies(answers: ReadonlyArray<Answer<Reply>>): {
  reply: Reply;
  leftOut: string[];
} {
  const reply: Reply = {};
  const contexts: string[] = [];
  const messages: string[] = [];
  const records: string[] = [];
  const leftOut: string[] = [];
  let used = 0;
  for (const { plugin, result } of answers) {
    if (typeof result.context === "string" && result.context.trim() !== "") {
      const wanted = result.context.length + (contexts.length > 0 ? between.length : 0);
      if (used + wanted > maxContext) leftOut.push(plugin);
      else {
        contexts.push(result.context);
        records.push(...(result.records ?? []));
        used += wanted;
      }
    }
    if (typeof result.systemMessage === "string" && result.systemMessage !== "")
      messages.push(result.systemMessage);
    if (result.updatedToolOutput !== undefined) reply.updatedToolOutput = result.updatedToolOutput;
  }
  if (contexts.length > 0) reply.context = contexts.join(between);
  if (records.length > 0) reply.records = [...new Set(records)];
  if (messages.length > 0) reply.systemMessage = messages.join("\n");
  return { reply, leftOut };
}
