// The typed hook map: every hook's kind, input and output. Handlers, runners and listings are all inferred from it.
import type { ModelRequest, ModelResponse } from "./endless.ts";
import type { ClientEvent, ClientEventName, ClientEvents, Reply } from "./events.ts";
import type { MemoryItem, Observation, Prompt, Session, Summary } from "./model.ts";
import type { Completion, CompletionRequest } from "./provider.ts";
import type {
  ListQuery,
  MemoryListQuery,
  PutRequest,
  PutResult,
  SearchQuery,
  SearchResult,
  StorageStats,
  StoredRecord,
  SummaryListQuery,
  TurnListQuery,
} from "./storage.ts";
import type { Turn } from "./turn.ts";
import type {
  ObservationBatch,
  ObservationResult,
  Settled,
  SummaryInput,
  SummaryResult,
} from "./work.ts";

/**
 * How the handlers of one hook are run.
 * - `parallel`: all at once, results ignored (observe).
 * - `sequence`: one after the other, every result collected in order.
 * - `reduce`: each handler transforms the value for the next; no result leaves it as it is.
 * - `first`: the first result wins; a handler may wrap those after it with `ctx.next()`; an error passes on to the next.
 */
export type HookKind = "parallel" | "sequence" | "reduce" | "first";

interface Hook<Kind extends HookKind, Input, Output = undefined> {
  kind: Kind;
  input: Input;
  output: Output;
}

/** A capture plugin's answer that takes the event out, with the reason that `status` shows. */
export interface Drop {
  drop: string;
}

/** What extractors refine: the batch and what was made of it so far. */
export interface Extraction {
  batch: ObservationBatch;
  result: ObservationResult;
}

/** Told after records became durable. */
export interface StoredNotice {
  session: string;
  project: string;
  observations: Observation[];
  summaries: Summary[];
}

type ClientHooks = {
  [Name in ClientEventName]: Hook<"sequence", ClientEvents[Name], Reply>;
};

/** Every hook there is. A plugin subscribes by name; inputs and outputs are structured-cloneable. */
export interface HookMap extends ClientHooks {
  /** Slot `capture`: filter, redact, enrich an event before anything is written. */
  capture: Hook<"reduce", ClientEvent, ClientEvent | Drop>;
  /** Slot `observation`: tool uses become observations. */
  observe: Hook<"first", ObservationBatch, ObservationResult>;
  /** Slot `observation`, stacked on `observe`: add to, change or remove what was observed. */
  extract: Hook<"reduce", Extraction, Extraction>;
  /** Slot `summarization`. */
  summarize: Hook<"first", SummaryInput, SummaryResult>;
  /** Slot `provider`. */
  complete: Hook<"first", CompletionRequest, Completion>;
  /** Slot `storage`, the hooks below. */
  "storage.put": Hook<"first", PutRequest, PutResult>;
  "storage.search": Hook<"first", SearchQuery, SearchResult[]>;
  /** Answers in the order asked; unknown ids are left out. A session is asked by the client's session id. */
  "storage.get": Hook<"first", { ids: string[] }, StoredRecord[]>;
  "storage.observations": Hook<"first", ListQuery, Observation[]>;
  "storage.summaries": Hook<"first", SummaryListQuery, Summary[]>;
  "storage.prompts": Hook<"first", ListQuery, Prompt[]>;
  "storage.sessions": Hook<"first", ListQuery, Session[]>;
  /** Standing decisions, preferences and facts. A memory item has no type, concepts or files. */
  "storage.memory": Hook<"first", MemoryListQuery, MemoryItem[]>;
  /** What was said and done between two prompts, word for word. */
  "storage.turns": Hook<"first", TurnListQuery, Turn[]>;
  "storage.stats": Hook<"first", Record<string, never>, StorageStats>;
  /** Slot `endless-mode`: change what a client is about to send to its model. Without an answer in time it goes as it came. */
  request: Hook<"reduce", ModelRequest, ModelRequest>;
  /** A model answered through the gateway. */
  responded: Hook<"parallel", ModelResponse>;
  /** Records became durable. */
  stored: Hook<"parallel", StoredNotice>;
  /** A tool use ended in stored, skipped or parked. */
  settled: Hook<"parallel", Settled>;
}

/** The name of a hook. */
export type HookName = keyof HookMap;
/** What the handlers of a hook are given. */
export type HookInput<Name extends HookName> = HookMap[Name]["input"];
/** What a handler of a hook may answer. */
export type HookOutput<Name extends HookName> = HookMap[Name]["output"];

/** The kind of each hook at run time; a hook that is missing here does not compile. */
export const hookKinds: { readonly [Name in HookName]: HookMap[Name]["kind"] } = {
  SessionStart: "sequence",
  UserPromptSubmit: "sequence",
  PreToolUse: "sequence",
  PostToolUse: "sequence",
  PostToolUseFailure: "sequence",
  PostToolBatch: "sequence",
  Stop: "sequence",
  SubagentStart: "sequence",
  SubagentStop: "sequence",
  SessionEnd: "sequence",
  PreCompact: "sequence",
  PostCompact: "sequence",
  Other: "sequence",
  capture: "reduce",
  observe: "first",
  extract: "reduce",
  summarize: "first",
  complete: "first",
  "storage.put": "first",
  "storage.search": "first",
  "storage.get": "first",
  "storage.observations": "first",
  "storage.summaries": "first",
  "storage.prompts": "first",
  "storage.sessions": "first",
  "storage.memory": "first",
  "storage.turns": "first",
  "storage.stats": "first",
  request: "reduce",
  responded: "parallel",
  stored: "parallel",
  settled: "parallel",
};

/** Names of hooks that are client events, in the order a session meets them. */
export const clientEventNames = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PostToolBatch",
  "Stop",
  "SubagentStart",
  "SubagentStop",
  "SessionEnd",
  "PreCompact",
  "PostCompact",
  "Other",
] as const satisfies readonly ClientEventName[];
