// memoir/sdk: the contract of a plugin, and nothing else. Each name is used by a built-in plugin, an example or a template; what
// has no name here is reached through one that has: `HookInput<"Stop">`, `PluginContext["log"]`.
export { memoirCommand } from "./command.ts";
export type { PluginContext, StorageClient } from "./context.ts";
export type { ModelRequest } from "./endless.ts";
export { MemoirError } from "./errors.ts";
export type { ClientEvent, ClientEvents, Reply } from "./events.ts";
export type { HandlerContext } from "./handlers.ts";
export type { Drop, HookInput, HookOutput } from "./hooks.ts";
export type {
  Agent,
  MemoryItem,
  NewMemoryItem,
  Observation,
  ObservationDraft,
  Project,
  Prompt,
  Session,
  Summary,
  SummaryDraft,
} from "./model.ts";
export { memoryKinds, ofSummaryTexts, summaryTextNames, summaryTexts } from "./model.ts";
export { operation } from "./operation.ts";
export { flagOption, toolNamesOption, wholeOption } from "./options.ts";
export { definePlugin, type Plugin } from "./plugin.ts";
export type { Completion, CompletionMessage, CompletionRequest, Usage } from "./provider.ts";
export type { SearchResult } from "./storage.ts";
export { isOwnTool, namesTool } from "./tool-names.ts";
export type { Evidence, EvidenceKind, NewTurn, Place, Turn } from "./turn.ts";
export { moveFile, within } from "./within.ts";
export type {
  ObservationBatch,
  ObservationResult,
  Settled,
  SummaryInput,
  SummaryResult,
  ToolUse,
} from "./work.ts";
