// The engine of a storage: keeps records and answers every question about them. For storages that keep them in a form of their own, and for tests.
import type { HookSubscriptions } from "../sdk/handlers.ts";
import type { RecordStore } from "./record-store.ts";

/**
 * Opens records in the SQLite file `path` (made when missing), or in memory with `:memory:`. It is what the built-in
 * `sqlite` storage runs on. Rejects with `storage_newer` or `storage_foreign`. Of a damaged file, which is set aside, what can
 * be read is carried over; while that takes its time, questions reject with `storage_recovering`. `home` is where such a
 * finding is noted: the file's folder by default.
 *
 * @example
 * ```ts
 * import { openRecords } from "memoir/records";
 *
 * const records = await openRecords(":memory:");
 * const found = await records.search({ text: "login", kinds: ["observation"], limit: 5 });
 * for (const { id, title } of found) console.log(`${id} ${title}`);
 * records.close();
 * ```
 */
export async function openRecords(
  path: string,
  now: () => number = Date.now,
  home?: string,
): Promise<RecordStore> {
  return (await import("./record-store.ts")).openStore(path, now, home);
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
  "storage.turns": (query, { state }) => state.records.turns(query),
  "storage.stats": (query, { state }) => state.records.stats(query),
  "storage.delete": (query, { state }) => state.records.delete(query),
  "storage.amend": (request, { state }) => state.records.amend(request),
  "storage.reindex": (query, { state }) => state.records.reindex(query),
} satisfies HookSubscriptions<unknown, { records: RecordStore }>;
