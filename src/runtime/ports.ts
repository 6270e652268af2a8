// The walls between the runtime's rooms: what hooks, journal, worker and log promise each other.
import type { ClientEvent, Reply } from "../sdk/events.ts";
import type { HookFilter, HookOrder } from "../sdk/handlers.ts";
import type { HookInput, HookKind, HookName, HookOutput } from "../sdk/hooks.ts";
import type { Project } from "../sdk/model.ts";
import type { Slot } from "../sdk/plugin.ts";

/** A result and who gave it. */
export interface Answer<Result> {
  plugin: string;
  result: Result;
}

/** One subscription as `plugin list` shows it. */
export interface SubscriptionInfo {
  plugin: string;
  hook: HookName;
  kind: HookKind;
  order: HookOrder;
  filter?: HookFilter;
  deadlineMs: number;
  calls: number;
  failures: number;
  /** Milliseconds over the last calls; null before the first. */
  p50: number | null;
  p99: number | null;
  lastError?: string;
}

/** How a hook of kind `first` is asked, beyond its input. */
export interface FirstOptions {
  /** Plugins that are passed over. */
  skip?(plugin: string): boolean;
  /** Called with each handler that failed, and by whom. */
  failed?(plugin: string, error: unknown): void;
  /** True for an error after which nobody else is asked. */
  stopAt?(error: unknown): boolean;
  /** Aborts the call that is under way; it then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** What is wrong with an answer, in words; it then counts as a failure of who gave it. */
  check?(result: object): string | undefined;
}

/** The four runners over everything that is subscribed. Errors and deadlines of one handler never reach another. */
export interface Hooks {
  /** Never rejects. */
  parallel<Name extends HookName>(name: Name, input: HookInput<Name>): Promise<void>;
  /** Never rejects; a failed handler gives no answer. */
  sequence<Name extends HookName>(
    name: Name,
    input: HookInput<Name>,
  ): Promise<Array<Answer<HookOutput<Name>>>>;
  /** `failed` names the plugins that threw or were late; the value passed them unchanged. Stops at `{drop}`. */
  reduce<Name extends HookName>(
    name: Name,
    input: HookInput<Name>,
  ): Promise<{ value: HookOutput<Name>; failed: string[]; by?: string }>;
  /** Undefined when nobody answered; rejects with the last handler's error when nobody answered and someone failed. */
  first<Name extends HookName>(
    name: Name,
    input: HookInput<Name>,
    options?: FirstOptions,
  ): Promise<Answer<HookOutput<Name>> | undefined>;
  /** All, or those of one hook. */
  subscriptions(hook?: HookName): SubscriptionInfo[];
}

/** One plugin as `plugin list` shows it. */
export interface PluginInfo {
  name: string;
  description: string;
  slots: Slot[];
  /** Slots it fills now. */
  fills: Slot[];
  origin: "built-in" | "file" | "package";
  source?: string;
  /** `enabled`: it will run once a server does. `waiting`: it was dropped in, and its slot has to be given to it. */
  state: "running" | "enabled" | "waiting" | "disabled" | "failed";
  /** Why it failed; of a running one, why its changed file is not in force. */
  error?: string;
  /** It runs for these projects only. */
  projects?: readonly string[];
  /** Errors of it that nobody caught, outside of any call: from a timer, or a promise it left alone. */
  stray?: StrayInfo;
  /** Parts of it that are passed over for a while, because they kept failing. */
  paused?: PauseInfo[];
  /** Slots whose work it does while those who fill them are paused. */
  standby?: Slot[];
}

/** What lists show of a plugin's stray errors. */
export interface StrayInfo {
  /** Since the plugin started. */
  count: number;
  /** The last one that was reported in full, with its file and line where they are known. */
  error: string;
  /** Epoch ms of that. */
  at: number;
}

/** A pause as lists show it. */
export interface PauseInfo {
  /** A slot, a hook, or `everything`. */
  part: string;
  /** The hook that failed last. */
  hook: string;
  /** What went wrong last, with its file and line where they are known. */
  error: string;
  /** Epoch ms of that. */
  at: number;
  /** Epoch ms at which it is tried again. */
  until: number;
}

/** A folder of a project that brings plugins. */
export interface LocalState {
  /** `<project>/.memoir/plugins`, its real path. */
  folder: string;
  /** `Project.id` for whose events they were allowed; absent before that. */
  project?: string;
  /** Only `trusted` ones run; `changed` ones were, until a file became another. */
  state: "trusted" | "changed" | "untrusted" | "unreadable";
  /** Of what it holds now. */
  hash?: string;
  error?: string;
  /** What to do; empty for a trusted one. */
  fix: string;
}

export type WorkKind = "prompt" | "turn" | "observe" | "summarize-prompt" | "summarize-session";
export type Outcome = "stored" | "skipped" | "parked";

/** A session as the journal keeps it: enough to number prompts and to plan work without storage. */
export interface JournalSession {
  session: string;
  client: string;
  project: Project;
  prompts: number;
  transcriptPath?: string;
  startedAt: number;
  lastEventAt: number;
  endedAt: number | null;
}

/** A committed event. */
export interface JournalEvent {
  seq: number;
  promptNumber: number;
  /** Epoch ms at which the journal took it; `event.time` is when the hook ran. */
  receivedAt: number;
  event: ClientEvent;
}

/** A leased piece of work; its events were fixed when it was planned, so a retry has the same inputs and key. */
export interface Work {
  id: number;
  key: string;
  kind: WorkKind;
  session: string;
  client: string;
  promptNumber: number;
  events: JournalEvent[];
  /** True when someone waits for its tool uses. */
  waiting: boolean;
  /** 1 on the first try. */
  attempt: number;
}

/** A kind of hint that fell silent in a project. */
export interface SilentKind {
  project: string;
  kind: string;
  /** Hints kept back. */
  keptBack: number;
}

/** What `status` and `doctor` say about the journal. */
export interface JournalStatus {
  /** Events committed and not yet in any finished work. */
  pendingEvents: number;
  pendingWork: number;
  leasedWork: number;
  parkedWork: number;
  /** Newest first, at most 20. */
  parked: Array<{ id: number; kind: WorkKind; session: string; reason: string; at: number }>;
  /** Kinds of hints that a plugin kept back in the last week, since nobody used them. */
  silent: SilentKind[];
  /** Since the journal was made: events by name, tool uses by outcome, drops and skips by reason. */
  counters: Record<string, number>;
  oldestPendingAt: number | null;
  /** The file and its write-ahead log. */
  bytes: number;
  /** Files of earlier journals that were found damaged and put aside; nothing deletes them. */
  damaged: string[];
}

/** What capture made of an event. */
export type Captured =
  | { event: ClientEvent; failed: readonly string[] }
  /** `by` names the plugin that took it out. */
  | { drop: string; by: string };

/** What became of an event that was handed to the runtime. */
export interface HandleResult {
  reply: Reply;
  /** `committed`, `duplicate` (its key was known) or `dropped` by a capture plugin. */
  accepted: "committed" | "duplicate" | "dropped";
  /** Why it was dropped. */
  reason?: string;
}
