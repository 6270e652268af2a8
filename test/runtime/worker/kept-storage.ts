// A storage in a file, for tests that kill the process: what was stored, and what listeners were told.
import { type Database, openDatabase } from "../../../src/host/sqlite.ts";
import type { PutRequest, PutResult } from "../../../src/sdk/storage.ts";
import { fakeHooks } from "../../support/fake-hooks.ts";

export interface KeptStorage {
  db: Database;
  hooks: ReturnType<typeof fakeHooks>;
}

/** Observes each tool use by itself; `stored` has a row for each observation, `settled` for each telling. */
export async function openKeptStorage(path: string): Promise<KeptStorage> {
  const db = await openDatabase(path);
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS puts (key TEXT PRIMARY KEY, ids TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS stored (id INTEGER PRIMARY KEY, tool_use TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS settled (tool_use TEXT NOT NULL, outcome TEXT NOT NULL)`);

  function put({ key, records }: PutRequest): PutResult {
    return db.transaction(() => {
      const known = db.prepare<{ ids: string }>("SELECT ids FROM puts WHERE key = ?").get([key]);
      if (known)
        return {
          written: false,
          observations: JSON.parse(known.ids) as string[],
          summaries: [],
          turns: [],
        };
      const ids = (records.observations ?? []).map(({ toolUseIds }) => {
        const insert = db.prepare("INSERT INTO stored (tool_use) VALUES (?)");
        return `o${insert.run([toolUseIds[0]]).lastInsertRowid}`;
      });
      db.prepare("INSERT INTO puts (key, ids) VALUES (?, ?)").run([key, JSON.stringify(ids)]);
      return { written: true, observations: ids, summaries: [], turns: [] };
    });
  }

  const hooks = fakeHooks({
    observe: ({ toolUses }) => ({
      observations: toolUses.map(({ id }) => ({
        type: "discovery",
        title: `Tool use ${id}`,
        subtitle: "",
        facts: [],
        narrative: "",
        concepts: [],
        filesRead: [],
        filesModified: [],
        toolUseIds: [id],
      })),
    }),
    "storage.put": put,
    settled: ({ toolUseId, outcome }) => {
      db.prepare("INSERT INTO settled (tool_use, outcome) VALUES (?, ?)").run([toolUseId, outcome]);
      return undefined;
    },
  });
  return { db, hooks };
}
