// What a server looks after between requests, all in one look after another: events that could not be kept, whether it can still be
// reached, files and memory past their time, the daily backup and check (for which it only starts a process), and its own garbage.
import { existsSync, type Stats } from "node:fs";
import { stat } from "node:fs/promises";
import process from "node:process";
import { listBackups } from "../../home/backups/read-backups.ts";
import { checkedAt } from "../../home/database/check-databases.ts";
import { rebuildFile } from "../../home/findings.ts";
import type { Log } from "../../home/log.ts";
import { type HomeRule, pruneHome } from "../../home/old-copies.ts";
import type { Paths } from "../../home/paths.ts";
import { seenReleases } from "../../home/seen-releases.ts";
import { loadHost } from "../../host/index.ts";
import { lowerPriority } from "../../host/programs.ts";
import { settleUnkept, unkeptNotice } from "../../runtime/events/spool.ts";
import type { PlannedSession, Retention, RetentionDeps } from "../memory/retention.ts";
import { serverEnvironment } from "./start-server.ts";

/** What of a server the look reads and changes. */
export interface LookedAt {
  /** The `server.json` that the server wrote, and its socket; absent before it did. */
  announced?: Announced;
  /** What the person has to read while nothing can be kept. */
  unkept?: string | undefined;
}

interface Announced {
  file: Stats;
  socket: string | null;
}

interface LookOptions extends DailyWork, KeepMemoryOptions {
  standing: LookedAt;
  gateway: { look?: (() => Promise<void>) | undefined } | undefined;
  rebuild: { look(): Promise<unknown> };
  /** How long files that nothing else bounds are kept; absent: nobody looks. */
  files?(): Promise<HomeRule>;
  /** Collects all garbage; the process stands still meanwhile. */
  collect(): void;
  /** Ends this server. */
  stop(): Promise<void>;
}

/** Called every few seconds. Never rejects. */
export function createLook(options: LookOptions): () => Promise<void> {
  const { paths, now, standing, gateway, rebuild, stop } = options;
  const tidy = createTidy(options);
  const prune = createPruneFiles(options);
  const daily = createDailyWork(options);
  const keep = createKeepMemory(options);
  const wanted = rebuildFile(paths.home);
  return async () => {
    const lost = await settleUnkept(paths, now());
    standing.unkept = lost && (await unkeptNotice(paths, lost.reason));
    // A home that was removed or moved: nobody reaches this server any more, and the next hook starts another.
    if (standing.announced && !(await isAnnounced(paths, standing.announced))) return void stop();
    await gateway?.look?.();
    tidy();
    await prune();
    if (existsSync(wanted)) void rebuild.look();
    await daily();
    await keep();
  };
}

/** True while the file that this server wrote is there, and its socket is in place: everyone who looks can reach it. */
async function isAnnounced({ serverInfo }: Paths, { file, socket }: Announced): Promise<boolean> {
  const there = socket === null || (await stat(socket).catch(() => undefined)) !== undefined;
  const now = await stat(serverInfo).catch(() => undefined);
  return there && now?.ino === file.ino && now.mtimeMs === file.mtimeMs;
}

const pruneEveryMs = 24 * 60 * 60_000;

function createPruneFiles({ paths, files, now, log }: LookOptions): () => Promise<void> {
  let prunedAt = 0;
  return async () => {
    if (!files || now() - prunedAt < pruneEveryMs) return;
    prunedAt = now();
    try {
      const gone = await pruneHome(paths, await files(), now());
      if (gone.length > 0) log.info("old files were deleted", { gone });
    } catch (error) {
      log.warn("old files could not be deleted", { error });
    }
  };
}

/** Said of the backup; the check is the same. */
interface DailyBackupOptions extends Requests {
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
  /** Absent: nobody looks which release is the latest. */
  wantsReleases?(): Promise<boolean>;
}

/** All that is done once a day; called at each look of the server's. Never rejects. */
export function createDailyWork(work: DailyWork): () => Promise<void> {
  const { paths, now, served, wantsDailyBackup, checksDaily, wantsReleases } = work;
  const all: Array<() => Promise<void>> = [];
  if (wantsDailyBackup)
    all.push(
      createDailyBackup({ now, served, isWanted: wantsDailyBackup, ...dailyBackupOf(paths, now) }),
    );
  if (checksDaily)
    all.push(
      createDailyBackup({ now, served, isWanted: async () => true, ...dailyCheckOf(paths) }),
    );
  if (wantsReleases)
    all.push(createDailyBackup({ now, served, isWanted: wantsReleases, ...releaseLookOf(paths) }));
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

/** The same of the look for a release. */
function releaseLookOf(paths: Paths): Pick<DailyBackupOptions, "newest" | "start"> {
  return {
    newest: async () => (await seenReleases(paths.home)).lookedAt,
    start: () => startDaily(paths, ["upgrade", "--check"]),
  };
}

async function startDaily(paths: Paths, command: readonly string[]): Promise<void> {
  const host = await loadHost();
  const pid = host.spawnDetached([...host.selfCommand(), ...command, "--daily"], {
    env: serverEnvironment(process.env, paths.home),
    cwd: paths.home,
  });
  lowerPriority(pid);
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

/** Called at each look of the server's: once a day what memory's rules do not keep is deleted, a session at each look. Never rejects. */
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
      if (gone.sessions > 0) log.info("old sessions were deleted by the rules of retention", gone);
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
