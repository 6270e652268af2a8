// `memoir doctor --daily`: what the server starts once a day, to find damage that nobody has met yet.
import { checkDatabases } from "../../../home/database/check-databases.ts";
import { backupPlaces } from "../../../runtime/config/backup-places.ts";
import { currentPaths } from "../../server/client.ts";
import { lowerPriority } from "../../server/low-priority.ts";
import type { Terminal } from "../../terminal/terminal.ts";

/** Gives 1 where a database is damaged; that is noted as a finding. */
export async function dailyCheck(terminal: Terminal): Promise<number> {
  lowerPriority();
  const paths = currentPaths();
  const { memory } = await backupPlaces(paths);
  const all = [memory, paths.journal, paths.endless, paths.usage];
  const damaged = await checkDatabases(paths.home, all, { now: terminal.now, memory });
  return damaged.length > 0 ? 1 : 0;
}
