// A journal's file, its rows read and written as the journal does.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "../../../src/host/sqlite.ts";
import { appendEvent } from "../../../src/runtime/journal/append.ts";
import { openJournalFile } from "../../../src/runtime/journal/open-journal.ts";
import { sessionById } from "../../../src/runtime/journal/planning.ts";
import type { ClientEvent } from "../../../src/sdk/events.ts";
import { keptLog } from "../../support/kept-log.ts";

let folder: string;
export let db: Database;

/** Before each test: a file of its own. */
export async function openRows(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), "memoir-rows-"));
  ({ db } = await openJournalFile(join(folder, "journal.db"), {
    ...{ now: () => 0, log: keptLog(), open: openDatabase },
  }));
}

/** After each. */
export async function closeRows(): Promise<void> {
  db.close();
  await rm(folder, { recursive: true });
}

/** As the journal appends it, without its transaction. */
export const append = (event: ClientEvent, now = 1_000) =>
  appendEvent(db, event, JSON.stringify(event), now);
/** Of a transcript. */
export const recovered = { modelFree: false };
/** The only column of a query. */
export const column = (sql: string, ...values: Array<string | number>) =>
  db
    .prepare<{ value: string | number | null }>(sql)
    .all(values)
    .map(({ value }) => value);
/** A session as the journal knows it. */
export const session = (id = "s1") => sessionById(db, id);
