// What of memoir a backup holds where config names other places, and how long it is kept.
import { isAbsolute, join } from "node:path";
import { type KeepRule, keepDefaults } from "../../home/backups/make-backup.ts";
import type { Paths } from "../../home/paths.ts";
import { readConfig } from "./config.ts";

/** Config as backups need it. */
export interface BackupPlaces {
  /** The built-in storage's file. */
  memory: string;
  /** The folder of memory files. */
  memoryFiles: string;
  rule: KeepRule;
  isDaily: boolean;
}

/** Reads config; where that is broken its defaults count. */
export async function backupPlaces(paths: Paths): Promise<BackupPlaces> {
  const { config } = await readConfig(paths.home);
  const below = (plugin: string, otherwise: string) => {
    const path = config.plugins[plugin]?.path;
    if (typeof path !== "string" || path === "") return otherwise;
    return isAbsolute(path) ? path : join(paths.home, path);
  };
  const { daily, keepDays, keepWeeks, maxBytes } = config.backup;
  return {
    memory: below("sqlite", paths.memory),
    memoryFiles: below("memory-files", join(paths.home, "memory")),
    rule: { ...keepDefaults, days: keepDays, weeks: keepWeeks, maxBytes },
    isDaily: daily,
  };
}
