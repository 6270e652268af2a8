// Is there a backup to go back to, and does the day's come about?
import { lstat, stat } from "node:fs/promises";
import { backupFolder, listBackups, readFailure } from "../home/backups.ts";
import type { Paths } from "../home/paths.ts";
import { backupPlaces } from "../runtime/config/backup-places.ts";
import { ago, size } from "../text/amounts.ts";
import { plural } from "../text/text.ts";
import { type Check, ok, warn } from "./check.ts";

/** A machine that is switched off at weekends has none for a while. */
const lateMs = 4 * 86_400_000;

/** At first sight only: `memoir backup --verify` reads every byte. */
export async function checkBackups(paths: Paths, now: number): Promise<Check[]> {
  const { memory, isDaily } = await backupPlaces(paths);
  const place = backupFolder(paths);
  if (await isLinkToNothing(place)) {
    const message = `${place} is a link to nothing: no backup can be made`;
    return [warn("backups", message, "Bring back what it leads to, or have it lead elsewhere.")];
  }
  const failure = await readFailure(paths);
  if (failure)
    return [
      warn(
        "backups",
        `no backup could be made ${ago(failure.time, now)}: ${failure.message}`,
        "Run `memoir backup`, which tries it again.",
      ),
    ];
  const backups = await listBackups(paths);
  const whole = backups.filter(({ fault }) => fault === undefined);
  const [newest] = whole.filter(({ manifest }) =>
    manifest?.files.some(({ name }) => name === "memory.db"),
  );
  const faulty = backups.find(({ fault }) => fault !== undefined);
  if (faulty)
    return [
      warn(
        "backups",
        `${faulty.name} cannot be gone back to: ${faulty.fault}`,
        "Run `memoir backup`, so that there is another.",
      ),
    ];
  if (!newest) {
    const isThere = await stat(memory).then(
      () => true,
      () => false,
    );
    return [ok("backups", isThere ? "none yet" : "nothing to be backed up yet")];
  }
  const bytes = backups.reduce((sum, one) => sum + one.bytes, 0);
  const message = `the newest was made ${ago(newest.time, now)}; ${plural(backups.length, "backup")}, ${size(bytes)}`;
  if (isDaily && now - newest.time > lateMs)
    return [
      warn("backups", message, "Run `memoir backup`; the server makes one every day that it runs."),
    ];
  return [ok("backups", message)];
}

async function isLinkToNothing(path: string): Promise<boolean> {
  const there = await lstat(path).catch(() => undefined);
  if (!there?.isSymbolicLink()) return false;
  return stat(path).then(
    () => false,
    () => true,
  );
}
