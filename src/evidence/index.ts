// The evidence of turns: what happened in one, out of events and transcript, verbatim and bounded. Pure.
export { relativeTo } from "./files.ts";
export { momentsOfEvent } from "./from-events.ts";
export { createTurnReader, type TurnReader } from "./from-transcript.ts";
export { makeTurn, type TurnFrame } from "./make-turn.ts";
export { mergeMoments } from "./merge-moments.ts";
export type { Moment, SpokenMoment, ToolMoment, UsedTool, UseMoment } from "./moment.ts";
export type { PromptMark } from "./prompt-mark.ts";
export { scrubMoments } from "./scrub-moments.ts";
