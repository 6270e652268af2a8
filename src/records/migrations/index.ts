// The migrations in order: each runs once, forward only. A released one is never changed; add the next number instead.
import { sql as records } from "./001-records.ts";
import { sql as turns } from "./002-turns.ts";
import { sql as search } from "./003-search.ts";
import { sql as evidence } from "./004-evidence.ts";
import { sql as sessionEnd } from "./005-session-end.ts";
import { sql as observationsByType } from "./006-observations-by-type.ts";

/** Statements by schema version; the first entry makes version 1. */
export const migrations: readonly string[] = [
  records,
  turns,
  search,
  evidence,
  sessionEnd,
  observationsByType,
];
