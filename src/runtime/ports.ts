// Types that several of the runtime's rooms share: what hooks, journal and worker give each other.
import type { ClientEvent, Reply } from "../sdk/events.ts";
import type { HookInput, HookName, HookOutput } from "../sdk/hooks.ts";
import type { Project } from "../sdk/model.ts";
import type { SubscriptionInfo } from "./status-schema.ts";

export type {
  JournalStatus,
  LocalState,
  PauseInfo,
  PluginInfo,
  SilentKind,
  StrayInfo,
  SubscriptionInfo,
  WorkKind,
} from "./status-schema.ts";

/** A result and who gave it. */
export interface Answer<Result> {
  plugin: string;
  result: Result;
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
  /** What is wrong with a part of an answer that is taken all the same; it counts as a failure too. */
  flaw?(result: object): string | undefined;
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

/**
 * What changed. `captured`: an event was taken or left out; `worked`: a piece of work was planned, ended or was put back; `records`:
 * something was stored, amended or forgotten; `plugins`: others are in force.
 */
export const changeKinds = ["captured", "worked", "records", "plugins"] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** Says that something changed, of a client's session where it is of one. Called while a hook waits: returns at once, and never throws. */
export type NoteChange = (what: ChangeKind, session?: string) => void;
