// What is asked of the database once for each state of it.
import type { Database } from "../host/sqlite.ts";

/** The same answer until something was written, through this connection or another. */
export function perState<Value>(ask: (db: Database) => Value): (db: Database) => Value {
  const known = new WeakMap<Database, { state: string; value: Value }>();
  return (db) => {
    const version = db.prepare<{ data_version: number }>("PRAGMA data_version").get();
    const changes = db.prepare<{ n: number }>("SELECT total_changes() AS n").get();
    const state = `${version?.data_version} ${changes?.n}`;
    const last = known.get(db);
    if (last?.state === state) return last.value;
    const value = ask(db);
    known.set(db, { state, value });
    return value;
  };
}
