// Once a day, while nobody asks anything, a process of its own makes a backup: the server only starts it.
import process from "node:process";
import { listBackups } from "../../home/backups.ts";
import type { Paths } from "../../home/paths.ts";
import { serverEnvironment } from "../../host/environment.ts";
import { loadHost } from "../../host/index.ts";

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
    if (count !== seen) quietSince = time;
    seen = count;
    if (time < lookAt) return;
    const isQuiet = time - quietSince >= quietMs;
    try {
      const newest = await options.newest();
      const age = newest === undefined ? 24 * hour : time - newest;
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

/** What of it has to do with a home's files and processes. */
export function dailyBackupOf(paths: Paths): Pick<DailyBackupOptions, "newest" | "start"> {
  return {
    async newest() {
      const backups = await listBackups(paths);
      const holding = ({ manifest }: (typeof backups)[number]) =>
        manifest?.files.some(({ name }) => name === "memory.db");
      return backups.find(holding)?.time;
    },
    async start() {
      const host = await loadHost();
      host.spawnDetached([...host.selfCommand(), "backup", "--daily"], {
        env: serverEnvironment(process.env, paths.home),
        cwd: paths.home,
      });
    },
  };
}
