// Counters of `status`: gathered in memory, written along with the next transaction, so that counting costs no write of its own.
import type { Database } from "../../host/sqlite.ts";

export interface Counters {
  add(name: string, by?: number): void;
  /** Stored and gathered together. */
  read(db: Database): Record<string, number>;
  /** Runs `work` and writes the counters in one transaction; a throw leaves both as they were. */
  transaction<Result>(db: Database, work: () => Result): Result;
}

/** Starts with nothing gathered. */
export function createCounters(): Counters {
  let gathered = new Map<string, number>();

  const add = (name: string, by = 1) => {
    gathered.set(name, (gathered.get(name) ?? 0) + by);
  };

  return {
    add,
    read(db) {
      const rows = db
        .prepare<{ name: string; n: number }>("SELECT name, n FROM counters ORDER BY name")
        .all();
      const counts = Object.fromEntries(rows.map(({ name, n }) => [name, n]));
      for (const [name, n] of gathered) counts[name] = (counts[name] ?? 0) + n;
      return counts;
    },
    transaction(db, work) {
      const before = new Map(gathered);
      try {
        const result = db.transaction(() => {
          const worked = work();
          const upsert = db.prepare(
            "INSERT INTO counters (name, n) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET n = n + excluded.n",
          );
          for (const counter of gathered) upsert.run(counter);
          return worked;
        });
        gathered = new Map();
        return result;
      } catch (error) {
        gathered = before;
        throw error;
      }
    },
  };
}
