// memoir/strategy: what strategies share. A prompt strategy of one's own is an answer format and a name; Endless Mode's agree on what may go.

export { observationTypes } from "../sdk/model.ts";
export { changingTools, readingTools, shellTools } from "../sdk/tool-names.ts";
export { touchedFiles } from "../text/paths.ts";
export {
  type Clearing,
  clearingOptions,
  createClearing,
  createLearnt,
  type Learnt,
  leastInput,
  tellCleared,
  tellObservations,
} from "./clearing.ts";
export { modelStrategy } from "./model-strategy.ts";
export { createFence, forModel, unescapeMarkup } from "./model-text.ts";
export { type OpenEnd, type OpenKind, openEnds } from "./open-ends.ts";
export {
  belowTitle,
  decides,
  messageBody,
  type Outcome,
  outcomeOf,
  toldBelow,
} from "./outcome.ts";
export {
  code,
  filesOf,
  isNearCommand,
  isTheirs,
  makerOf,
  projectCommands,
  purposeOf,
  ranIn,
  refusedCommands,
  removedIn,
  sessionsIn,
  testForms,
  workarounds,
} from "./project-commands.ts";
export type { AnswerFormat } from "./raw-answer.ts";
export {
  emptyAnswer,
  findJson,
  type RawAnswer,
  type RawObservation,
  rawObservation,
  saysNothing,
  withoutThoughts,
} from "./raw-answer.ts";
export { isNumbered } from "./results.ts";
export { outcomeOfSession } from "./session-outcome.ts";
export { endsTurn, turnEvidence } from "./tool-data.ts";
export { createSaid, type Said, type Uses, usesOf } from "./uses.ts";
