// A timeline asked of storage: of a place and a time, or around a record.
import { askStorage } from "../../runtime/hooks/ask-storage.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { StoredRecord } from "../../sdk/storage.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";
import {
  type TimelineItem,
  type TimelineQuery,
  type TimelineSource,
  timeline,
  timelineAround,
} from "./timeline.ts";

/** Whose hooks answer. */
export type Asked = Pick<ServerRuntime, "hooks">;

/** The lists of the storage in force; it may be another after a reload. */
export function timelineSource(runtime: Asked): TimelineSource {
  return {
    observations: (query) => askStorage(runtime.hooks, "storage.observations", query),
    prompts: (query) => askStorage(runtime.hooks, "storage.prompts", query),
    summaries: (query) => askStorage(runtime.hooks, "storage.summaries", query),
    turns: (query) => askStorage(runtime.hooks, "storage.turns", query),
  };
}

/** Entries, oldest first, and the record that was asked around. Throws `record_not_found`. */
export async function askTimeline(
  runtime: Asked,
  { around, ...asked }: TimelineQuery & { around?: string },
): Promise<{ items: TimelineItem[]; around?: StoredRecord }> {
  const source = timelineSource(runtime);
  if (around === undefined) return { items: await timeline(source, asked) };
  const centre = await recordOf(runtime, around);
  const { scope, time } = neighbourhood(centre);
  return { around: centre, items: await timelineAround(source, { ...scope, ...asked }, time) };
}

/** One record. Throws `record_not_found`. */
export async function recordOf(runtime: Asked, id: string): Promise<StoredRecord> {
  const [found] = await askStorage(runtime.hooks, "storage.get", { ids: [id] });
  if (!found) throw new MemoirError("record_not_found", "There is no record of that id.");
  return found;
}

/** The project a record belongs to, and its moment in epoch ms. */
function neighbourhood({ kind, record }: StoredRecord): {
  scope: { project?: string };
  time: number;
} {
  if (kind === "session") return { scope: { project: record.project.id }, time: record.startedAt };
  if (kind === "memory") {
    return { scope: { project: record.project }, time: Date.parse(record.date) };
  }
  if (kind === "turn") return { scope: { project: record.project }, time: record.startedAt };
  return { scope: { project: record.project }, time: record.time };
}
