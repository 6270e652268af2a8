// What a prompt strategy works with: its options, and what it keeps while it runs.
import * as v from "valibot";
import type { HandlerContext } from "../sdk/handlers.ts";
import { wholeOption } from "../sdk/options.ts";
import type { SessionMemory } from "./session-notes.ts";

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
