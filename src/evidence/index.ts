// The evidence of turns: what happened in one, out of events and transcript, verbatim and bounded. Pure.

export { createTurnReader, type TurnReader } from "./from-transcript.ts";
export { makeTurn, type TurnFrame } from "./make-turn.ts";
export type { Moment, PromptMark, SpokenMoment, ToolMoment, UseMoment } from "./moment.ts";
export { mergeMoments, momentsOfEvent, scrubMoments } from "./moment.ts";
export type { UsedTool } from "./tools.ts";
export { relativeTo } from "./tools.ts";
