// Deletes what memoir keeps, by name: a home that holds somebody else's files keeps them.
import { readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import type { Paths } from "../runtime/paths.ts";
import { ledgerPath } from "./ledger.ts";

/** Removes memoir's own files and folders, and the home when nothing else is in it. */
export async function removeMemory(paths: Paths): Promise<void> {
  const { home } = paths;
  const own = [
    ...[paths.config, paths.hookDeadlines, paths.token, paths.serverInfo, paths.serverLock],
    ...[paths.socket, paths.spool, paths.logs, paths.bin, ledgerPath(home), `${home}/backups`],
    join(paths.nodeModules, "memoir"),
  ];
  for (const path of own) await rm(path, { recursive: true, force: true });
  // Databases have companions: a write-ahead log, shared memory, and files that were put aside as damaged.
  const names = await readdir(home).catch(() => []);
  for (const name of names)
    if (/^(?:journal|memory)\.db/.test(name) || name.startsWith("server."))
      await rm(join(home, name), { force: true });
  for (const folder of [paths.nodeModules, paths.plugins, home])
    await rmdir(folder).catch(() => undefined);
}
