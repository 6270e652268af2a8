// What the server needs of the runtime.
import type { ProviderTest } from "../../runtime/budget/open-models.ts";
import type { UsageQuery, UsageReport } from "../../runtime/budget/usage-report.ts";
import type { Endless } from "../../runtime/endless/endless.ts";
import type { ForgetHow } from "../../runtime/events/forget-records.ts";
import type { TranscriptRuntime } from "../../runtime/events/recovery.ts";
import type { TimeOfSession, ToldText } from "../../runtime/journal/told.ts";
import type { Lately } from "../../runtime/lately.ts";
import type { HandleResult, Hooks } from "../../runtime/ports.ts";
import type { RuntimeStatus } from "../../runtime/status.ts";
import type { ToolOriginal } from "../../sdk/endless.ts";
import type { ClientEvent, Reply } from "../../sdk/events.ts";
import type { Project, Records } from "../../sdk/model.ts";
import type { DeleteResult } from "../../sdk/storage.ts";

export interface ServerRuntime {
  /** Absolute. */
  readonly home: string;
  /** The hooks in force; another object after a reload. */
  readonly hooks: Hooks;
  /** `gone` aborts when the client waits no more. */
  handle(event: ClientEvent, original?: ToolOriginal, gone?: AbortSignal): Promise<HandleResult>;
  /** What `handle` would answer, without keeping the event. */
  reply(event: ClientEvent): Promise<Reply>;
  drain(scope: { session?: string; project?: string; timeoutMs: number }): Promise<boolean>;
  /** For those who read transcripts afterwards. */
  readonly transcripts: TranscriptRuntime;
  /** Puts work that was given up back to work; how many pieces. */
  retryParked(ids?: readonly number[]): number;
  /** What was taken out of sessions, and the books. */
  readonly endless: Pick<Endless, "recall" | "recallValue" | "takenOut" | "metrics" | "figures">;
  /** The project that capture plugins give a folder. */
  projectOf(cwd: string): Promise<Project | undefined>;
  /** Forgets records for good, by the user's word or rule; the ids of all that went. Unknown ids are left out. */
  forget(ids: readonly string[], how?: ForgetHow): Promise<DeleteResult>;
  /** Removes the bytes that gentle deletions left in the files; nothing where there were none. Never rejects. */
  purge(): Promise<void>;
  /** What of the records the user did not have forgotten: for an import, which knows nothing of that. */
  withoutForgotten(records: Records): Records;
  status(): Promise<RuntimeStatus>;
  /** What goes on now. */
  lately(): Lately;
  /** What a session was told, the oldest first. */
  toldTo(asked: TimeOfSession): ToldText[];
  usage(query: UsageQuery): UsageReport;
  testProviders(name?: string): Promise<ProviderTest[]>;
  reload(): Promise<unknown>;
  /** Puts changed plugin files in force by itself; absent where nobody watches. */
  watchPlugins?(heard: () => Promise<void>): Promise<{ stop(): Promise<void> }>;
  stop(): Promise<void>;
}
