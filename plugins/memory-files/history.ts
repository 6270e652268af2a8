// `history.json`: which sessions were looked at, where their transcripts lie and what they were about.
import * as v from "valibot";
import type { MemoryFolder } from "./memory-folder.ts";

const EntrySchema = v.looseObject({
  session: v.string(),
  project: v.string(),
  title: v.string(),
  date: v.string(),
  prompts: v.number(),
  /** True once its items were kept, false for a session that was left out. */
  summarized: v.boolean(),
  /** Why it was left out. */
  reason: v.optional(v.string()),
  transcriptPath: v.optional(v.string()),
  topics: v.array(v.string()),
});
export type HistoryEntry = v.InferOutput<typeof EntrySchema>;

const HistorySchema = v.looseObject({
  since: v.number(),
  sessions: v.array(EntrySchema),
});

export interface History {
  /** Epoch ms; sessions that ended before are none of this plugin's. */
  since: number;
  has(session: string): boolean;
  /** What was noted of a session when it was looked at last. */
  find(session: string): HistoryEntry | undefined;
  /** Notes a session, replacing what was noted before. Does nothing when the file cannot be understood. */
  note(entry: HistoryEntry): Promise<void>;
  /** Takes sessions out of the index, their titles with them. */
  leaveOut(sessions: ReadonlySet<string>): Promise<void>;
  /** Takes their titles and topics out, and leaves them in. */
  leaveUntitled(sessions: ReadonlySet<string>): Promise<void>;
}

const fileName = "history.json";

/** Reads the index; `now` becomes its beginning where there is none yet. */
export async function openHistory(folder: MemoryFolder, now: number): Promise<History> {
  const file = await folder.read(fileName);
  const parsed = file.state === "read" ? v.safeParse(HistorySchema, file.value) : undefined;
  const isOurs = file.state === "missing" || parsed?.success === true;
  const known = parsed?.success ? parsed.output : { since: now, sessions: [] };
  return {
    since: known.since,
    has: (session) => known.sessions.some((entry) => entry.session === session),
    find: (session) => known.sessions.find((entry) => entry.session === session),
    async note(entry) {
      known.sessions = [
        ...known.sessions.filter(({ session }) => session !== entry.session),
        entry,
      ];
      if (isOurs) await folder.write(fileName, known);
    },
    async leaveOut(sessions) {
      const kept = known.sessions.filter(({ session }) => !sessions.has(session));
      if (!isOurs || kept.length === known.sessions.length) return;
      known.sessions = kept;
      await folder.write(fileName, known);
    },
    async leaveUntitled(sessions) {
      if (!isOurs || !known.sessions.some(({ session }) => sessions.has(session))) return;
      known.sessions = known.sessions.map((entry) =>
        sessions.has(entry.session) ? { ...entry, title: "", topics: [] } : entry,
      );
      await folder.write(fileName, known);
    },
  };
}
