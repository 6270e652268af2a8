// The evidence of turns: what happened in one, out of events and transcript, verbatim and bounded. Pure.
export { relativeTo } from "./files.ts";
export { momentsOfEvent } from "./from-events.ts";
export { createTurnReader, type TurnReader } from "./from-transcript.ts";
export { makeTurn, type TurnFrame } from "./make-turn.ts";
export type {
  Moment,
  PromptMark,
  SpokenMoment,
  ToolMoment,
  UsedTool,
  UseMoment,
} from "./moment.ts";
export { mergeMoments, scrubMoments } from "./moment.ts";
