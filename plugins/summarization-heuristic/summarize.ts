// The three scopes of a summary: a title from the first prompt, one prompt's summary, the session's summary.
import type { SummaryInput, SummaryResult } from "../../src/sdk/index.ts";
import { openSession } from "./opening.ts";
import { summarizePrompt } from "./prompt-summary.ts";
import { summarizeSession } from "./session-summary.ts";

/** Answers a summarization request. Pure: the same input always gives the same answer. */
export function summarize(input: SummaryInput): SummaryResult {
  switch (input.scope) {
    case "opening":
      return openSession(input);
    case "prompt":
      return summarizePrompt(input);
    case "session":
      return summarizeSession(input);
  }
}
