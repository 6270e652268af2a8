// memoir/strategy: what strategies share. A prompt strategy of one's own is an answer format and a name; Endless Mode's agree on what may go.

export { changingTools, readingTools, shellTools } from "../sdk/tool-kinds.ts";
export type { AnswerFormat } from "./answer-format.ts";
export { clearingOptions, wantsTool } from "./clearing.ts";
export { createFence } from "./fence.ts";
export { findJson } from "./find-json.ts";
export { createLearnt, type Learnt } from "./learnt.ts";
export { modelStrategy } from "./model-strategy.ts";
export { forModel, unescapeMarkup } from "./model-text.ts";
export { emptyAnswer, type RawAnswer, type RawObservation, saysNothing } from "./raw-answer.ts";
export { createSaid, type Said } from "./said.ts";
export { roomToTell, tellObservations } from "./tell-observations.ts";
export { touchedFiles } from "./touched-files.ts";
export { turnEvidence } from "./turn-evidence.ts";
