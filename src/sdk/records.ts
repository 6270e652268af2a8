// The engine of a storage: keeps records and answers every question about them. For storages that keep them in a form of their own, and for tests.
import * as v from "valibot";
import type { StorageClient } from "./context.ts";
import { MemoirError } from "./errors.ts";
import type { HookSubscriptions } from "./handlers.ts";
import { RecordsSchema } from "./model.ts";
import type { PutRequest } from "./storage.ts";

/** Records with everything that storage promises of them: filters, order, pages, search, merging, superseding. */
export interface RecordStore extends StorageClient {
  /** Calls after it fail. Safe to call twice. */
  close(): void;
}

/**
 * Opens records in the SQLite file `path` (made when missing), or in memory with `:memory:`. It is what the built-in
 * `sqlite` storage runs on. Rejects with `storage_newer`, `storage_damaged` or `storage_foreign`.
 */
export async function openRecords(
  path: string,
  now: () => number = Date.now,
): Promise<RecordStore> {
  return (await import("./records/open-records.ts")).open(path, now);
}

/** The hooks of a storage plugin whose `start` returns `{ records }`: spread them, and replace those that do more. */
export const recordHooks = {
  "storage.put": (request, { state }) => state.records.put(request),
  "storage.search": (query, { state }) => state.records.search(query),
  "storage.get": (query, { state }) => state.records.get(query),
  "storage.observations": (query, { state }) => state.records.observations(query),
  "storage.summaries": (query, { state }) => state.records.summaries(query),
  "storage.prompts": (query, { state }) => state.records.prompts(query),
  "storage.sessions": (query, { state }) => state.records.sessions(query),
  "storage.memory": (query, { state }) => state.records.memory(query),
  "storage.stats": (query, { state }) => state.records.stats(query),
} satisfies HookSubscriptions<unknown, { records: RecordStore }>;

const PutSchema = v.object({
  key: v.pipe(v.string(), v.nonEmpty()),
  records: RecordsSchema,
});

/** The request, where it holds what a put may hold; else throws `record_invalid`, which names the field. */
export function parsePut(request: PutRequest): PutRequest {
  const result = v.safeParse(PutSchema, request);
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw new MemoirError("record_invalid", `${v.getDotPath(issue) ?? "put"}: ${issue.message}`);
}
