// Which backups are kept: a rule over their reasons, ages and sizes. One made by hand is never taken away by it.
import { rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Paths } from "../paths.ts";
import { type Backup, listBackups, verifyBackup } from "./read-backups.ts";

/** How many backups are kept. */
export interface KeepRule {
  /** Newest of so many days. */
  days: number;
  /** Beyond these, newest of so many weeks. */
  weeks: number;
  /** So many of those made before a change of a database's form, of each database, and before another was put back. */
  changes: number;
  /** Bytes of all together; those by hand count, and stay. */
  maxBytes: number;
}

/** The rule unless config says otherwise. */
export const keepDefaults: KeepRule = { days: 7, weeks: 4, changes: 3, maxBytes: 10_000_000_000 };

/**
 * Those of `backups` that the rule does not keep, oldest first. `good` names the newest backup that is whole, which stays
 * whatever the rule says; so does every one made by hand.
 */
export function unkeptBackups(backups: readonly Backup[], rule: KeepRule, good?: string): Backup[] {
  const newestFirst = [...backups].sort((a, b) => b.time - a.time);
  const kept = new Set<Backup>(
    newestFirst.filter(({ name, reason }) => name === good || reason === "manual"),
  );
  const daily = newestFirst.filter(({ reason }) => reason === "daily");
  const days = newestOf(daily, dayOf).slice(0, rule.days);
  const keptDays = new Set(days.map(dayOf));
  const older = daily.filter((backup) => !keptDays.has(dayOf(backup)));
  const weeks = newestOf(older, weekOf).slice(0, rule.weeks);
  for (const backup of [...days, ...weeks]) kept.add(backup);
  // Before a change of form only the database that is changed is copied: three of each.
  const changes = newestFirst.filter(
    ({ reason }) => reason === "migration" || reason === "restore",
  );
  for (const backup of changes) {
    const alike = changes.filter((other) => contentOf(other) === contentOf(backup));
    if (alike.indexOf(backup) < rule.changes) kept.add(backup);
  }
  let bytes = [...kept].reduce((sum, backup) => sum + backup.bytes, 0);
  for (const backup of [...newestFirst].reverse()) {
    if (bytes <= rule.maxBytes) break;
    if (!kept.has(backup) || backup.reason === "manual" || backup.name === good) continue;
    kept.delete(backup);
    bytes -= backup.bytes;
  }
  return newestFirst.filter((backup) => !kept.has(backup)).reverse();
}

/** Takes away what the rule does not keep; answers what went. Nothing goes while no backup is known to be whole. */
export async function pruneBackups(paths: Paths, rule: KeepRule = keepDefaults): Promise<Backup[]> {
  const backups = await listBackups(paths);
  const good = await newestGood(backups);
  if (!good) return [];
  const unkept = unkeptBackups(backups, rule, good.name);
  for (const { folder, name } of unkept) {
    // Out of the list at once: a crash in the midst leaves no half of it there.
    const draft = join(dirname(folder), `.making-${name}`);
    await rename(folder, draft);
    await rm(draft, { recursive: true, force: true });
  }
  return unkept;
}

/** One without the memory that others hold is not good, however whole it is. */
async function newestGood(newestFirst: readonly Backup[]): Promise<Backup | undefined> {
  const holdsMemory = ({ manifest }: Backup) =>
    manifest?.files.some(({ name }) => name === "memory.db") ?? false;
  const isMemoryHeld = newestFirst.some(holdsMemory);
  for (const backup of newestFirst) {
    if (!backup.manifest || backup.manifest.missing.length > 0) continue;
    if (isMemoryHeld && !holdsMemory(backup)) continue;
    if ((await verifyBackup(backup)).length === 0) return backup;
  }
  return undefined;
}

/** The first of each group, in order. */
function newestOf(newestFirst: readonly Backup[], group: (backup: Backup) => number): Backup[] {
  const seen = new Set<number>();
  return newestFirst.filter((backup) => {
    const key = group(backup);
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst;
  });
}

/** Why, and of which databases. */
function contentOf({ reason, manifest }: Backup): string {
  const names = manifest?.files.map(({ name }) => name).filter((name) => name.endsWith(".db"));
  return [reason, ...(names ?? [])].join(" ");
}

/** Number of the day, UTC. */
function dayOf({ time }: Backup): number {
  return Math.floor(time / 86_400_000);
}

/** Number of the week, which begins on a Monday: 1 January 1970 was a Thursday. */
function weekOf(backup: Backup): number {
  return Math.floor((dayOf(backup) + 3) / 7);
}
