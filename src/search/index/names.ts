// Kinds, sessions and projects by number.
import type { Database } from "../../host/sqlite.ts";

/** What a name names. */
type Named = "kind" | "session" | "project";

/** The number of a name, made when it has none. */
export function numberOfName(db: Database, what: Named, name: string): number {
  const known = knownName(db, what, name);
  if (known !== undefined) return known;
  const added = db
    .prepare<{ number: number }>(
      `INSERT INTO search_names (what, number, name)
       SELECT $what, coalesce(max(number), 0) + 1, $name FROM search_names WHERE what = $what RETURNING number`,
    )
    .get({ what, name });
  return added?.number ?? 0;
}

/** The number of a name, if it has one. */
export function knownName(db: Database, what: Named, name: string): number | undefined {
  return db
    .prepare<{ number: number }>("SELECT number FROM search_names WHERE what = ? AND name = ?")
    .get([what, name])?.number;
}

/** The name behind a number. */
export function nameOf(db: Database, what: Named, number: number): string {
  return (
    db
      .prepare<{ name: string }>("SELECT name FROM search_names WHERE what = ? AND number = ?")
      .get([what, number])?.name ?? ""
  );
}
