// What the host offers a plugin. All calls are asynchronous and take and give cloneable values.
import type { EndlessClient } from "./endless.ts";
import type { HookInput, HookName, HookOutput } from "./hooks.ts";
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

// A database of a plugin's own: a file in memoir's home that is opened and migrated for it, backed up, exported, and forgotten in.

/** What a plugin keeps, as data. */
export interface OwnData {
  /**
   * SQL texts, each run once, in order: what was released is never changed, a new one goes to the end. Those that are new run in
   * one transaction; where one fails everything stays as it was, and the plugin does not start.
   */
  migrations: readonly string[];
  /** Columns that hold ids of records, by table. A row goes when the record does, also while the plugin is off. */
  forget?: Readonly<Record<string, string>>;
}

/** What can be bound to a statement; `undefined` is stored as NULL. */
export type DataValue = string | number | bigint | boolean | Uint8Array | null | undefined;
/** In their order, or by name without the sign. */
export type DataParams = readonly DataValue[] | Readonly<Record<string, DataValue>>;

/** The plugin's database, SQLite: synchronous, for it is the plugin's own and in its own thread. */
export interface DataClient {
  all<Row = Record<string, unknown>>(sql: string, params?: DataParams): Row[];
  /** The first row. */
  get<Row = Record<string, unknown>>(sql: string, params?: DataParams): Row | undefined;
  run(sql: string, params?: DataParams): { changes: number; lastInsertRowid: number };
  /** All of `work` or nothing; `work` must be synchronous. */
  transaction<Result>(work: () => Result): Result;
}
