// What the runtime is given and what it offers.
import type { Log } from "../home/log.ts";
import type { Environment } from "../home/paths.ts";
import type { ToolOriginal } from "../sdk/endless.ts";
import type { ClientEvent, Reply } from "../sdk/events.ts";
import type { Project, Records } from "../sdk/model.ts";
import type { DeleteResult } from "../sdk/storage.ts";
import type { TranscriptFormOf } from "../transcript/form.ts";
import type { UsageQuery, UsageReport } from "./budget/ledger.ts";
import type { ProviderTest } from "./budget/open-models.ts";
import type { LoadPlugin } from "./builtins.ts";
import type { TellChange } from "./changes.ts";
import type { Config } from "./config/config.ts";
import type { Endless } from "./endless/endless.ts";
import type { ForgetHow } from "./events/forget-records.ts";
import type { TranscriptRuntime } from "./events/transcripts.ts";
import type { GivenText, TimeOfSession } from "./journal/counts.ts";
import type { Journal, JournalDeps } from "./journal/journal.ts";
import type { Lately } from "./lately.ts";
import type { PluginWatch, WatchTimes } from "./plugins/generations.ts";
import type { HandleResult, Hooks } from "./ports.ts";
import type { RuntimeStatus } from "./status.ts";
import type { DrainRequest, Worker, WorkerDeps } from "./worker/worker-types.ts";

export interface RuntimeOptions {
  /** Absolute. */
  home: string;
  log: Log;
  /** Where clients keep transcripts. Files elsewhere are read only when they bear their session's id. */
  transcriptFolders?: readonly string[];
  /** How a client writes its transcripts, and where; absent: all write as Claude Code does. */
  transcriptForm?: TranscriptFormOf;
  /** Called with each config that comes into force. */
  configured?: (config: Config) => void;
  /** Called with everything that is committed; absent where nobody looks on. */
  changed?: TellChange;
  /** For `~` in config; default the process's. */
  env?: Environment;
  /** Epoch ms. */
  now?: () => number;
  builtins?: Readonly<Record<string, LoadPlugin>>;
  createJournal?: (path: string, deps: JournalDeps) => Promise<Journal>;
  createWorker?: (deps: WorkerDeps) => Worker;
  /** How long a new session waits for the work of earlier ones in its project, in ms. */
  sessionWaitMs?: number;
}

/** memoir without a wire: what the server, tests and tools drive. */
export interface Runtime {
  /** Absolute. */
  readonly home: string;
  /** The hooks in force, also after a reload. */
  readonly hooks: Hooks;
  readonly worker: Worker;
  /**
   * Takes an event in. Resolves once it is committed; rejects only when it could not be. `original` is the tool use as
   * the client sent it, unshortened.
   */
  handle(event: ClientEvent, original?: ToolOriginal, gone?: AbortSignal): Promise<HandleResult>;
  /** What `handle` would answer, without keeping the event. */
  reply(event: ClientEvent): Promise<Reply>;
  /** True when the asked work is done, false after `timeoutMs`. */
  drain(request: DrainRequest): Promise<boolean>;
  /** Puts work that was given up back to work (all of it, or these pieces); how many pieces. */
  retryParked(ids?: readonly number[]): number;
  /** Forgets records for good, by the user's word or rule; the ids of all that went. Unknown ids are left out. */
  forget(ids: readonly string[], how?: ForgetHow): Promise<DeleteResult>;
  /** Removes the bytes that gentle deletions left in the files; nothing where there were none. Never rejects. */
  purge(): Promise<void>;
  /** What of the records the user did not have forgotten: for an import, which knows nothing of that. */
  withoutForgotten(records: Records): Records;
  status(): Promise<RuntimeStatus>;
  /** What goes on now. */
  lately(): Lately;
  /** What a session was given to read, the oldest first. */
  toldTo(asked: TimeOfSession): GivenText[];
  /** For those who read transcripts afterwards. */
  readonly transcripts: TranscriptRuntime;
  /** What was taken out of sessions, and the books. */
  readonly endless: Endless;
  /** The project that capture plugins give a folder (absolute); undefined where none does. */
  projectOf(cwd: string): Promise<Project | undefined>;
  /** What model calls took. Throws `budget_unknown` when calls cannot be counted. */
  usage(query: UsageQuery): UsageReport;
  /** Tries a provider, or every one that config names, with one tiny call each. */
  testProviders(name?: string): Promise<ProviderTest[]>;
  /**
   * Reads config again and puts it in force: new plugins start, events under way finish on the old ones, then
   * those stop. A file that is no JSON leaves everything as it is. Keys of server, journal, worker and log take
   * effect with the next start.
   */
  reload(): Promise<void>;
  /** From now on puts plugin files that appear, change or go in force by itself, and calls `heard` after that. */
  watchPlugins(heard: () => Promise<void>, options?: WatchTimes): Promise<PluginWatch>;
  /** Finishes what is under way, stops plugins in reverse order, closes the journal. */
  stop(): Promise<void>;
}
