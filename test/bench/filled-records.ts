// Fills a database with records in few large transactions, past the index, which is then made in one go.

import { putter } from "../../src/records/put.ts";
import { openRecords } from "../../src/records/record-store.ts";
import type { Records } from "../../src/sdk/model.ts";
import { openStorage } from "../support/open-storage.ts";

/** Puts each batch in a transaction of its own; the file is made where there is none. */
export async function fillRecords(path: string, batches: Iterable<Records>): Promise<void> {
  const db = await openStorage(path);
  db.exec("PRAGMA synchronous = OFF");
  const put = putter(db, { put: () => {} }, Date.now);
  let number = 0;
  for (const records of batches) put({ key: `filled-${number++}`, records });
  db.close();
  // A large index is made in the background; before it is whole, nothing is searched that could be measured.
  const records = await openRecords(path);
  while ((await records.stats({})).index?.isWhole === false) await Bun.sleep(500);
  records.close();
}
