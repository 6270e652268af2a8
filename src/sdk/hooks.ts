// The typed hook map: every hook's kind, input and output. Handlers, runners and listings are all inferred from it.
import type { PluginContext } from "./context.ts";
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
} from "./storage.ts";
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
  "storage.stats": Hook<"first", Record<string, never>, StorageStats>;
  /** Records became durable. */
  stored: Hook<"parallel", StoredNotice>;
  /** A tool use ended in stored, skipped or parked. */
  settled: Hook<"parallel", Settled>;
}

export type HookName = keyof HookMap;
export type HookInput<Name extends HookName> = HookMap[Name]["input"];
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
  "storage.stats": "first",
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

/** Checked before a handler is called; every given field must match. Matches only inputs that carry the field. */
export interface HookFilter {
  /** Event names, for `capture`. */
  event?: readonly ClientEventName[];
  /** Tool names; a trailing `*` matches any ending (`mcp__*`). */
  tool?: readonly string[];
  client?: readonly string[];
  /** Project ids or names. */
  project?: readonly string[];
}

export type HookOrder = "pre" | "normal" | "post";

/** What a handler is given beside its input. `next` is there for hooks of kind `first` only. */
export type HandlerContext<
  Name extends HookName,
  Config = unknown,
  State = unknown,
> = PluginContext<Config> & {
  /** What the plugin's `start` returned. */
  state: State;
  /** Aborted when the call's deadline has passed. */
  signal: AbortSignal;
} & (HookMap[Name]["kind"] extends "first"
    ? {
        /**
         * Calls the handlers after this one (with `input`, or the same input) and gives their answer. Rejects when
         * they failed and nobody answered. Its time does not count against the caller's deadline.
         */
        next(input?: HookInput<Name>): Promise<HookOutput<Name> | undefined>;
      }
    : unknown);

type MaybePromise<Value> = Value | Promise<Value>;

/** What a plugin does. `input` is read-only: who wants it changed returns a changed copy. */
export type HookHandler<Name extends HookName, Config = unknown, State = unknown> = (
  input: HookInput<Name>,
  ctx: HandlerContext<Name, Config, State>,
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler may simply not return anything
) => MaybePromise<HookOutput<Name> | undefined | void>;

/** A handler with its declaration: data that is known without running anything. */
export interface HookSubscription<Name extends HookName, Config = unknown, State = unknown> {
  handler: HookHandler<Name, Config, State>;
  filter?: HookFilter;
  /** Default `normal`; stable inside each. */
  order?: HookOrder;
  /** Milliseconds one call may take; the default depends on the hook. */
  deadlineMs?: number;
}

/** A plugin's subscriptions: a handler alone, or with its declaration. */
export type HookSubscriptions<Config = unknown, State = unknown> = {
  [Name in HookName]?: HookHandler<Name, Config, State> | HookSubscription<Name, Config, State>;
};
