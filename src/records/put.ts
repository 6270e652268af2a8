// `storage.put`: one transaction a key. What it writes is validated before and found again by key after.
import type { Database } from "../host/sqlite.ts";
import type { PutRequest, PutResult } from "../sdk/storage.ts";
import { clean } from "./clean.ts";
import { entryWriter } from "./entries.ts";
import { parsePut } from "./parse-put.ts";
import { memoryWriter } from "./put-memory.ts";
import { observationWriter } from "./put-observation.ts";
import { promptWriter } from "./put-prompt.ts";
import { sessionWriter } from "./put-session.ts";
import { summaryWriter } from "./put-summary.ts";

/** The handler of `storage.put` for an open database. Throws `record_invalid` for what breaks the schema. */
export function putter(db: Database, now: () => number): (request: PutRequest) => PutResult {
  const entries = entryWriter(db);
  const sessions = sessionWriter(db, entries);
  const prompts = promptWriter(db, entries, sessions);
  const observations = observationWriter(db, entries, sessions);
  const summaries = summaryWriter(db, entries, sessions);
  const memory = memoryWriter(db, entries, sessions, now);
  const known = db.prepare<{ result: string }>("SELECT result FROM puts WHERE key = ?");
  const remember = db.prepare("INSERT INTO puts (key, result, created_at) VALUES (?, ?, ?)");

  return (request) => {
    const { key, records } = clean(parsePut(request));
    try {
      return db.transaction(() => {
        const before = known.get([key]);
        if (before) return { ...(JSON.parse(before.result) as Ids), written: false };
        for (const session of records.sessions ?? []) sessions.update(session);
        for (const prompt of records.prompts ?? []) prompts.write(prompt);
        const ids: Ids = {
          observations: (records.observations ?? []).map(observations.write),
          summaries: (records.summaries ?? []).map(summaries.write),
        };
        for (const item of records.memory ?? []) memory.write(item);
        remember.run([key, JSON.stringify(ids), now()]);
        return { ...ids, written: true };
      });
    } catch (error) {
      entries.rolledBack();
      throw error;
    }
  };
}

type Ids = Omit<PutResult, "written">;
