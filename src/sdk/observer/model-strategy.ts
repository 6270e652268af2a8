// A prompt strategy as a plugin: everything but the form of the answer is shared, so that a strategy is that form and little more.
import * as v from "valibot";
import type { HandlerContext } from "../handlers.ts";
import { wholeOption } from "../options.ts";
import { definePlugin } from "../plugin.ts";
import type { ObservationBatch, SummaryInput } from "../work.ts";
import type { AnswerFormat } from "./answer-format.ts";
import { observeBatch } from "./observe-batch.ts";
import { createSessionMemory, type SessionMemory } from "./session-notes.ts";
import { summarizeWith } from "./summarize-with.ts";

/** Options that every strategy has. */
export const StrategyConfigSchema = v.strictObject({
  maxToolUses: wholeOption("Tool uses in one request", 1, 200, 40),
  maxCharacters: wholeOption("Characters of tool uses in one request", 2_000, 400_000, 48_000),
  leastCharacters: wholeOption(
    "A batch with less text than this is left to the next strategy of the slot",
    0,
    10_000,
    300,
  ),
  inputCharacters: wholeOption("Characters shown of a tool's input", 100, 50_000, 1_500),
  resultCharacters: wholeOption("Characters shown of a tool's result", 100, 50_000, 2_000),
  reasoningCharacters: wholeOption("Characters shown of the agent's reasoning", 0, 10_000, 500),
  maxTokens: wholeOption("Tokens that one answer may take", 500, 32_000, 4_096),
});
/** The options of a strategy, with their defaults filled in. */
export type StrategyConfig = v.InferOutput<typeof StrategyConfigSchema>;

/** What a strategy keeps while it runs. */
export interface StrategyState {
  memory: SessionMemory;
  /** 32 random bits. */
  random(): number;
}

/** The context of a strategy's handlers. */
export type StrategyContext = HandlerContext<
  "observe" | "summarize",
  StrategyConfig,
  StrategyState
>;

/** What tells one strategy from another. */
export interface StrategyDefinition {
  name: string;
  description: string;
  format: AnswerFormat;
  /** Default: the system's random numbers. */
  random?: () => number;
}

const minute = 60_000;

/** A plugin for the slots `observation` and `summarization` that asks the provider in force and reads `format`. */
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
