// memoir/records: the engine behind a storage, and SQLite for a plugin that keeps data of its own; the same under Bun and Deno.
export type { DatabaseForm } from "../home/database/open-file.ts";
export { openOrBeginAnew } from "../home/database/replace.ts";
export type { Database } from "../host/sqlite.ts";
export { parsePut } from "./put.ts";
export type { RecordStore } from "./record-store.ts";
export { openRecords, recordHooks } from "./record-store.ts";
