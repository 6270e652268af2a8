// What the host offers a plugin. All calls are asynchronous and take and give cloneable values.
import type { EndlessClient } from "./endless.ts";
import type { HookInput, HookName, HookOutput } from "./hooks.ts";
import type { DataClient } from "./own-data.ts";
import type { Completion, CompletionRequest } from "./provider.ts";

/** Writes to memoir's log file under the plugin's name. Never log payload text. */
export interface Logger {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

type StorageHook = Extract<HookName, `storage.${string}`>;

/** The storage in force, whoever fills the slot: `storage.search(query)` runs the hook `storage.search`. */
export type StorageClient = {
  [Name in StorageHook as Name extends `storage.${infer Verb}` ? Verb : never]: (
    input: HookInput<Name>,
  ) => Promise<HookOutput<Name>>;
};

/** What a plugin is given in `start`, in its handlers and in `stop`. */
export interface PluginContext<Config = unknown> {
  /** The plugin's own name. */
  plugin: string;
  /** Validated by the plugin's config schema, defaults filled in. */
  config: Config;
  log: Logger;
  /** memoir's home, absolute. */
  home: string;
  /** Epoch ms. */
  now(): number;
  storage: StorageClient;
  /**
   * Asks the provider slot, within the budget. Rejects with a MemoirError (`provider_…`, `budget_…`). A strategy lets
   * it pass: work that is worth another try is put off as a whole, else the next strategy in the slot takes over.
   */
  complete(request: CompletionRequest): Promise<Completion>;
  /** The plugin's own database; throws where the plugin declares no `data`. */
  data: DataClient;
  /** For strategies of Endless Mode. */
  endless: EndlessClient;
}
