// What the books say of a session whose transcripts were given back: nothing was left out of them, and nothing put in.
import { isThere } from "../../home/read-file.ts";
import { openDatabase } from "../../host/sqlite.ts";
import { unbookSession } from "./books.ts";
import { forgetStrategy } from "./kept-rows.ts";

/** Another program may have it locked for so long. */
const patienceMs = 2_000;

/**
 * Takes out of the database what the strategy kept and booked of the session. A rewrite to come is booked anew. Nothing to
 * do where there is no database. Rejects where it cannot be written.
 */
export async function forgetRewrites(
  path: string,
  session: string,
  strategy: string,
): Promise<void> {
  if (!(await isThere(path))) return;
  const db = await openDatabase(path, { busyTimeoutMs: patienceMs, create: false });
  try {
    db.transaction(() => {
      forgetStrategy(db, session, strategy);
      unbookSession(db, session, strategy);
    });
  } finally {
    db.close();
  }
}
