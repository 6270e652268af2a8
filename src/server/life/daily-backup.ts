// Once a day each, while nobody asks anything, a process of its own makes a backup and one reads the databases whole: the server only starts them.
import process from "node:process";
import { listBackups } from "../../home/backups.ts";
import { checkedAt } from "../../home/check-databases.ts";
import type { Paths } from "../../home/paths.ts";
import { serverEnvironment } from "../../host/environment.ts";
import { loadHost } from "../../host/index.ts";

/** Said of the backup; the check is the same. */
export interface DailyBackupOptions {
  now(): number;
  /** Requests taken so far. */
  served(): number;
  /** Epoch ms of the newest backup that holds memory; undefined where there is none. */
  newest(): Promise<number | undefined>;
  /** Starts the process that makes one. */
  start(): Promise<void>;
  /** As config says now. */
  isWanted(): Promise<boolean>;
}

const minute = 60_000;
const hour = 60 * minute;
/** A server that has just come up has other things to do, and many live no longer. */
const settledMs = 10 * minute;
const quietMs = minute;
/** Where there is never a quiet minute it is made all the same. */
const overdueMs = 28 * hour;

/** Called at each look of the server's. Never rejects. */
export function createDailyBackup(options: DailyBackupOptions): () => Promise<void> {
  const { now, served } = options;
  const startedAt = now();
  let seen = served();
  let quietSince = startedAt;
  let lookAt = startedAt + settledMs;
  return async () => {
    const time = now();
    const count = served();
    // A clock that was set back says nothing of how long it was quiet, nor of when to look.
    if (count !== seen || time < quietSince) quietSince = time;
    seen = count;
    lookAt = Math.min(lookAt, time + hour);
    if (time < lookAt) return;
    const isQuiet = time - quietSince >= quietMs;
    try {
      const newest = await options.newest();
      const isKnown = newest !== undefined && !isToCome(newest, time);
      const age = isKnown ? time - newest : 24 * hour;
      if (age < 24 * hour) lookAt = time + 10 * minute;
      else if (isQuiet || age > overdueMs) {
        // One that fails is tried again in an hour.
        lookAt = time + hour;
        if (await options.isWanted()) await options.start();
      }
    } catch {
      lookAt = time + hour;
    }
  };
}

/** What bears a time to come was done while the clock was wrong, and says nothing of today. */
function isToCome(done: number, now: number): boolean {
  return done > now + hour;
}

interface DailyWork extends Pick<DailyBackupOptions, "now" | "served"> {
  paths: Paths;
  /** Absent: no backup is made. */
  wantsDailyBackup?(): Promise<boolean>;
  /** Whether the databases are read whole. */
  checksDaily?: boolean;
}

/** All that is done once a day; called at each look of the server's. Never rejects. */
export function createDailyWork(work: DailyWork): () => Promise<void> {
  const { paths, now, served, wantsDailyBackup, checksDaily } = work;
  const all: Array<() => Promise<void>> = [];
  if (wantsDailyBackup)
    all.push(
      createDailyBackup({ now, served, isWanted: wantsDailyBackup, ...dailyBackupOf(paths, now) }),
    );
  if (checksDaily)
    all.push(
      createDailyBackup({ now, served, isWanted: async () => true, ...dailyCheckOf(paths) }),
    );
  return async () => {
    for (const look of all) await look();
  };
}

/** What of it has to do with a home's files and processes. */
function dailyBackupOf(
  paths: Paths,
  now: () => number,
): Pick<DailyBackupOptions, "newest" | "start"> {
  return {
    async newest() {
      const backups = await listBackups(paths);
      const holding = ({ manifest, time }: (typeof backups)[number]) =>
        !isToCome(time, now()) && manifest?.files.some(({ name }) => name === "memory.db");
      return backups.find(holding)?.time;
    },
    start: () => startDaily(paths, ["memory", "backup"]),
  };
}

/** The same of the check for damage. */
function dailyCheckOf(paths: Paths): Pick<DailyBackupOptions, "newest" | "start"> {
  return {
    newest: async () => checkedAt(paths.home),
    start: () => startDaily(paths, ["doctor"]),
  };
}

async function startDaily(paths: Paths, command: readonly string[]): Promise<void> {
  const host = await loadHost();
  host.spawnDetached([...host.selfCommand(), ...command, "--daily"], {
    env: serverEnvironment(process.env, paths.home),
    cwd: paths.home,
  });
}
