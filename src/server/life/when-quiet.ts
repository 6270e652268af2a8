// What is done while nobody asks anything: once a day each, a backup and a look through the databases, for which the server only
// starts a process; memory lets go of what the user's rules say; and garbage is collected.
import process from "node:process";
import { listBackups } from "../../home/backups/read-backups.ts";
import { checkedAt } from "../../home/database/check-databases.ts";
import type { Log } from "../../home/log.ts";
import type { Paths } from "../../home/paths.ts";
import { serverEnvironment } from "../../host/environment.ts";
import { loadHost } from "../../host/index.ts";
import type { PlannedSession, Retention, RetentionDeps } from "../memory/retention.ts";

/** Said of the backup; the check is the same. */
export interface DailyBackupOptions extends Requests {
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

interface Requests {
  now(): number;
  /** Requests taken so far. */
  served(): number;
}

/** Asked at each look: whether nobody has asked anything for a while. */
function createRest({ now, served }: Requests): () => boolean {
  let seen = served();
  let quietSince = now();
  return () => {
    const time = now();
    const count = served();
    // A clock that was set back says nothing of how long it was quiet.
    if (count !== seen || time < quietSince) quietSince = time;
    seen = count;
    return time - quietSince >= quietMs;
  };
}

/** Called at each look of the server's. Never rejects. */
export function createDailyBackup(options: DailyBackupOptions): () => Promise<void> {
  const { now } = options;
  const isResting = createRest(options);
  let lookAt = now() + settledMs;
  return async () => {
    const time = now();
    const isQuiet = isResting();
    // Nor does a clock that was set back say when to look.
    lookAt = Math.min(lookAt, time + hour);
    if (time < lookAt) return;
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

interface DailyWork extends Requests {
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

interface KeepMemoryOptions extends Requests {
  retention: Retention;
  log: Log;
}

/** The same as `createRetention`, loaded when it is first asked: a server that keeps all for ever needs none of it. */
export function lateRetention(deps: RetentionDeps): Retention {
  let made: Promise<Retention> | undefined;
  const retention = () => {
    made ??= import("../memory/retention.ts").then(({ createRetention }) => createRetention(deps));
    return made;
  };
  return {
    plan: async () => (await retention()).plan(),
    deleteSession: async (session) => (await retention()).deleteSession(session),
    purge: () => deps.runtime.purge(),
  };
}

/** Called at each look of the server's: once a day memory lets go of what its rules say, a session at each look. Never rejects. */
export function createKeepMemory(options: KeepMemoryOptions): () => Promise<void> {
  const { now, retention, log } = options;
  const isResting = createRest(options);
  let lookAt = now() + settledMs;
  let going: PlannedSession[] | undefined;
  let gone = { sessions: 0, records: 0 };
  return async () => {
    const time = now();
    if (!isResting() || time < lookAt) return;
    try {
      going ??= (await retention.plan()).sessions;
      const next = going.shift();
      if (next) {
        gone = {
          sessions: gone.sessions + 1,
          records: gone.records + (await retention.deleteSession(next)),
        };
        return;
      }
      await retention.purge();
      if (gone.sessions > 0) log.info("memory let go of what its rules say", gone);
      gone = { sessions: 0, records: 0 };
      going = undefined;
      lookAt = time + 24 * hour;
    } catch (error) {
      log.warn("memory could not be pruned", { error });
      going = undefined;
      lookAt = time + hour;
    }
  };
}

// Gives memory back once nothing goes on: after the start, which leaves modules' texts behind, and after many requests.

interface TidyOptions extends Pick<Requests, "served"> {
  /** Collects all garbage; the process stands still meanwhile. */
  collect(): void;
}

/** So many requests leave tens of megabytes behind; a collection takes some milliseconds. */
const manyRequests = 1_000;

/** Called now and then: collects at the first call after which no request came, and again after each thousand. */
export function createTidy({ served, collect }: TidyOptions): () => void {
  let seen = served();
  let tidiedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const count = served();
    const isQuiet = count === seen;
    seen = count;
    if (!isQuiet || count - tidiedAt < manyRequests) return;
    tidiedAt = count;
    collect();
  };
}
