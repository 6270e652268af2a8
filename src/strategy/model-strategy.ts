// A prompt strategy as a plugin: everything but the form of the answer is shared, so that a strategy is that form and little more.
import { definePlugin } from "../sdk/plugin.ts";
import type { ObservationBatch, SummaryInput } from "../sdk/work.ts";
import type { AnswerFormat } from "./answer-format.ts";
import { observeBatch } from "./observe-batch.ts";
import { createSessionMemory } from "./session-notes.ts";
import {
  type StrategyConfig,
  StrategyConfigSchema,
  type StrategyState,
} from "./strategy-context.ts";
import { summarizeWith } from "./summarize-with.ts";

/** What tells one strategy from another. */
export interface StrategyDefinition {
  name: string;
  description: string;
  format: AnswerFormat;
  /** Default: the system's random numbers. */
  random?: () => number;
}

const minute = 60_000;

/**
 * A plugin for the slots `observation` and `summarization` that asks the provider in force and reads `format`.
 *
 * @example
 * ```ts
 * import { emptyAnswer, modelStrategy, saysNothing } from "memoir/strategy";
 *
 * export default modelStrategy({
 *   name: "one-fact",
 *   description: "Asks for one note, a line for its title and one for its fact.",
 *   format: {
 *     instructions: "Write a title of 3 to 8 words, below it a fact of 50 to 150 characters.",
 *     reminders: { observe: "A title, then a fact.", summarize: "Answer NOTHING." },
 *     read(text) {
 *       const [title = "", fact = ""] = text.trim().split("\n");
 *       const answer = { ...emptyAnswer(), nothing: saysNothing(text) };
 *       if (answer.nothing) return answer;
 *       const rest = { subtitle: "", concepts: [], files: [], uses: [] };
 *       return {
 *         ...answer,
 *         observations: [{ type: "discovery", title, facts: [fact], narrative: fact, ...rest }],
 *       };
 *     },
 *   },
 * });
 * ```
 */
export function modelStrategy({
  name,
  description,
  format,
  random = randomBits,
}: StrategyDefinition) {
  return definePlugin<StrategyConfig, StrategyState>({
    name,
    description,
    sdk: 1,
    slot: ["observation", "summarization"],
    events: [
      "UserPromptSubmit",
      "PostToolUse",
      "PostToolUseFailure",
      "Stop",
      "SubagentStop",
      "SessionEnd",
    ],
    config: StrategyConfigSchema,
    start: (ctx) => ({ memory: createSessionMemory(ctx.storage), random }),
    hooks: {
      observe: {
        // A large batch takes several requests, one after the other.
        deadlineMs: 10 * minute,
        handler: (batch: ObservationBatch, ctx) => observeBatch(batch, format, ctx),
      },
      summarize: {
        deadlineMs: 4 * minute,
        handler: (input: SummaryInput, ctx) => summarizeWith(input, format, ctx),
      },
    },
  });
}

function randomBits(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
}
