// SQLite for plugins that keep data of their own; the same under Bun and Deno.
export {
  type Database,
  isBusy,
  isCorrupt,
  type OpenOptions,
  openDatabase,
  type Row,
  type RunResult,
  type SqlInput,
  type SqlParams,
  type SqlStatement,
  type SqlValue,
} from "../host/sqlite.ts";
