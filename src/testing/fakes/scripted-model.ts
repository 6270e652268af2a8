// A model that says what a test wrote down, and remembers what it was asked.
import type { Completion, CompletionRequest } from "../../sdk/provider.ts";

/** One answer: a text, a text with its stop reason, or a failure. */
export type Line = string | { text: string; stop: Completion["stopReason"] } | Error;

/** A model for `testHost`'s `complete`, and what it was asked. */
export interface ScriptedModel {
  requests: CompletionRequest[];
  complete(request: CompletionRequest): Promise<Completion>;
}

/** Answers in order; the last answer is repeated. Each call takes 100 tokens in and 10 out. */
export function scriptedModel(...lines: Line[]): ScriptedModel {
  const requests: CompletionRequest[] = [];
  return {
    requests,
    async complete(request) {
      const line = lines[Math.min(requests.length, lines.length - 1)] ?? "";
      requests.push(structuredClone(request));
      if (line instanceof Error) throw line;
      const { text, stop } = typeof line === "string" ? { text: line, stop: "end" as const } : line;
      const usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0 };
      return { text, model: "scripted-1", usage, stopReason: stop };
    },
  };
}
