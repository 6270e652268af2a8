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
import { turnWriter } from "./put-turn.ts";

/** The handler of `storage.put` for an open database. Throws `record_invalid` for what breaks the schema. */
export function putter(db: Database, now: () => number): (request: PutRequest) => PutResult {
  const entries = entryWriter(db);
  const sessions = sessionWriter(db, entries);
  const prompts = promptWriter(db, entries, sessions);
  const observations = observationWriter(db, entries, sessions);
  const summaries = summaryWriter(db, entries, sessions);
  const memory = memoryWriter(db, entries, sessions, now);
  // A turn is made findable here, in the transaction that writes it.
  const turns = turnWriter(db, sessions, () => {});
  const known = db.prepare<{ result: string }>("SELECT result FROM puts WHERE key = ?");
  const remember = db.prepare("INSERT INTO puts (key, result, created_at) VALUES (?, ?, ?)");

  return (request) => {
    const { key, records } = clean(parsePut(request));
    try {
      return db.transaction(() => {
        const before = known.get([key]);
        if (before) return { ...told(before.result), written: false };
        for (const session of records.sessions ?? []) sessions.update(session);
        for (const prompt of records.prompts ?? []) prompts.write(prompt);
        const ids: Ids = {
          observations: (records.observations ?? []).map(observations.write),
          summaries: (records.summaries ?? []).map(summaries.write),
          turns: (records.turns ?? []).map(turns.write),
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

/** What a put of the first schema was told had no turns. */
function told(result: string): Ids {
  const ids = JSON.parse(result) as Omit<Ids, "turns"> & Partial<Ids>;
  return { ...ids, turns: ids.turns ?? [] };
}
