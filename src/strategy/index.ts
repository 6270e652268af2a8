// For prompt strategies: what all of them share, so that a strategy of one's own is an answer format and a name.
export type { AnswerFormat } from "./answer-format.ts";
export { factLength, mostFacts } from "./draft-facts.ts";
export { observationLimits } from "./draft-observation.ts";
export { sessionTitleLimits } from "./draft-summary.ts";
export { createFence, type Fence } from "./fence.ts";
export { findJson } from "./find-json.ts";
export { sharedInstructions } from "./instructions.ts";
export { modelStrategy, type StrategyDefinition } from "./model-strategy.ts";
export { cleanForModel, escapeMarkup, forModel, unescapeMarkup } from "./model-text.ts";
export {
  emptyAnswer,
  type RawAnswer,
  type RawObservation,
  type RawSummary,
  saysNothing,
} from "./raw-answer.ts";
export {
  type StrategyConfig,
  StrategyConfigSchema,
  type StrategyState,
} from "./strategy-context.ts";
