// A journal in a folder of its own, with a clock that only the test moves.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "../../../src/host/sqlite.ts";
import { createJournal, type Journal } from "../../../src/runtime/journal/journal.ts";
import { keptLog } from "../../support/kept-log.ts";

export let folder: string;
export let path: string;
export const clock = { now: 1_000 };
const opened: Journal[] = [];

/** Opens the file at `path`; it is closed with the room. */
export async function open(
  options: { open?: typeof openDatabase; log?: ReturnType<typeof keptLog> } = {},
) {
  const journal = await createJournal(path, { now: () => clock.now, log: keptLog(), ...options });
  opened.push(journal);
  return journal;
}

/** Before each test. */
export async function openFolder(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), "memoir-journal-"));
  path = join(folder, "journal.db");
  clock.now = 1_000;
}

/** After each. */
export async function closeFolder(): Promise<void> {
  for (const journal of opened.splice(0)) await journal.close();
  await rm(folder, { recursive: true });
}

/** Opens files whose connections count commits; the next commits fail with what is in `failures`. */
export function watchedDisk() {
  const disk = { commits: 0, failures: [] as Error[], db: undefined as Database | undefined };
  const open: typeof openDatabase = async (file, options) => {
    const db = await openDatabase(file, options);
    disk.db = db;
    const watched: Database = {
      ...db,
      transaction: (work) =>
        db.transaction(() => {
          const result = work();
          const failure = disk.failures.shift();
          if (failure) throw failure;
          disk.commits++;
          return result;
        }),
    };
    return watched;
  };
  return { disk, open };
}
