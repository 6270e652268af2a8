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
