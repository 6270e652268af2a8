// Many plugins' replies → the one that the client gets.
import type { Reply } from "../../sdk/events.ts";
import type { Answer } from "../ports.ts";

/** The client cuts anything longer to a preview, so nothing longer is ever given. */
export const maxContext = 10_000;

/** Names that may be counted, so that counters stay few and hold no text. */
const isCount = /^[a-z][a-z-]{0,30}:[a-z][a-z-]{0,30}$/;
const mostNoted = 20;

const between = "\n\n";

/**
 * Contexts and messages are joined in order; of tool outputs the last counts. A context that does not fit
 * whole is left out, so that none is cut in the middle; `leftOut` names its plugin. `noted` is for the counters, not for the client.
 */
export function mergeReplies(answers: ReadonlyArray<Answer<Reply>>): {
  reply: Reply;
  leftOut: string[];
  noted: string[];
} {
  const reply: Reply = {};
  const contexts: string[] = [];
  const messages: string[] = [];
  const records: string[] = [];
  const traces: string[][] = [];
  const leftOut: string[] = [];
  const noted: string[] = [];
  const isTraced = answers.some(({ result }) => result.traces !== undefined);
  let used = 0;
  for (const { plugin, result } of answers) {
    if (typeof result.context === "string" && result.context.trim() !== "") {
      const wanted = result.context.length + (contexts.length > 0 ? between.length : 0);
      if (used + wanted > maxContext) leftOut.push(plugin);
      else {
        contexts.push(result.context);
        records.push(...(result.records ?? []));
        if (isTraced) traces.push(...tracesOf(result.context, result.traces));
        used += wanted;
      }
    }
    noted.push(...(result.noted ?? []).filter((name) => isCount.test(name)).slice(0, mostNoted));
    if (typeof result.systemMessage === "string" && result.systemMessage !== "")
      messages.push(result.systemMessage);
    if (result.updatedToolOutput !== undefined) reply.updatedToolOutput = result.updatedToolOutput;
  }
  if (contexts.length > 0) reply.context = contexts.join(between);
  if (records.length > 0) reply.records = [...new Set(records)];
  if (isTraced && contexts.length > 0) reply.traces = traces;
  if (messages.length > 0) reply.systemMessage = messages.join("\n");
  return { reply, leftOut, noted };
}

/** One for each of its lines, so that the traces of what is joined behind it stand where they belong; none where they do not fit the lines. */
function tracesOf(context: string, traces: string[][] = []): string[][] {
  const lines = context.match(/^- /gm)?.length ?? 0;
  return traces.length === lines ? traces : Array.from({ length: lines }, () => []);
}
