// What a home and its server say of themselves: for `memoir doctor`, which looks at clients as well, and for whoever asks the server.

import { lstat, readdir, stat, statfs } from "node:fs/promises";
import * as v from "valibot";
import { backupFolder, listBackups, readFailure } from "../home/backups.ts";
import { findingText, markSeen, recentFindings } from "../home/findings.ts";
import { homeFault, homeFaults } from "../home/make-home.ts";
import { assertWritable } from "../home/not-a-file.ts";
import type { Environment, Paths } from "../home/paths.ts";
import { readFileText } from "../home/read-file.ts";
import { readKeys } from "../provider/keys.ts";
import { backupPlaces } from "../runtime/config/backup-places.ts";
import { problemText } from "../runtime/config/config.ts";
import { spooledFiles } from "../runtime/events/spool.ts";
import { readUnkept, unkeptText, whyUnwritable } from "../runtime/events/unkept.ts";
import { describePlugins } from "../runtime/plugins/describe.ts";
import { readTrust } from "../runtime/plugins/trust.ts";
import { MemoirError } from "../sdk/errors.ts";
import type { ServerStatus } from "../server/schemas/status.ts";
import { ago, size } from "../text/amounts.ts";
import { plural } from "../text/text.ts";
import { attempt, type Check, fail, ok, warn } from "./check.ts";
import { checkRedaction } from "./redaction.ts";
import { checkStatus } from "./server-checks.ts";

interface HomeAsked {
  paths: Paths;
  platform: string;
  env: Environment;
  /** Epoch ms. */
  now: number;
}

/** The folder, and what was found out about its files; `seen` notes that this was read. */
export async function checkFolder(asked: HomeAsked, seen = false): Promise<Check[]> {
  const { paths, now } = asked;
  return [
    ...(await attempt("home", () => checkHome(paths, asked))),
    ...(await attempt("damage", () => checkFindings(paths, now, seen))),
  ];
}

/** What the user gave: the config, keys, trust. */
export async function checkSettings(asked: HomeAsked): Promise<Check[]> {
  return [
    ...(await attempt("config", () => checkConfig(asked.paths, asked))),
    ...(await attempt("keys", () => checkGiven(asked.paths))),
  ];
}

/** A server that answers, in one or several checks. */
export const checkServed = (status: ServerStatus, now: number) =>
  attempt("server", () => checkStatus(status, now));

/** What is kept and what waits. `served`: a server runs; `toGo`: what memory is about to let go, in words. */
export async function checkKept(
  { paths, now }: HomeAsked,
  { served, toGo }: { served: boolean; toGo(): Promise<string | undefined> },
): Promise<Check[]> {
  return [
    ...(await attempt("to go", async () => {
      const said = await toGo();
      return said === undefined ? [] : [ok("to go", said)];
    })),
    ...(await attempt("kept", () => checkUnkept(paths))),
    ...(await attempt("redaction", () => checkRedaction(paths))),
    ...(await attempt("backups", () => checkBackups(paths, now))),
    ...(await attempt("spool", () => checkSpool(paths, served, now))),
    ...(await attempt("hook log", () => checkHookLog(paths, now))),
  ];
}

// What memoir found out about its own files: damage, what was saved of it, and where the damaged file is.

/** Each finding that nobody marked as seen; with `seen` they are marked now, and told a last time. */
export function checkFindings({ home }: Paths, now: number, seen: boolean): Check[] {
  const found = recentFindings(home, now);
  const isNoted =
    seen &&
    markSeen(
      home,
      found.map(({ id }) => id),
    );
  return found.map((finding) =>
    warn(
      "damage",
      `${ago(finding.time, now)}: ${findingText(finding)}`,
      isNoted
        ? "Noted as seen."
        : "Check that disk. `memoir doctor --seen` notes that you have read this.",
    ),
  );
}

// Is there a backup to go back to, and does the day's come about?

/** A machine that is switched off at weekends has none for a while. */
const lateMs = 4 * 86_400_000;

/** At first sight only: `memoir memory backup --verify` reads every byte. */
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
        "Run `memoir memory backup`, which tries it again.",
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
        "Run `memoir memory backup`, so that there is another.",
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
      warn(
        "backups",
        message,
        "Run `memoir memory backup`; the server makes one every day that it runs.",
      ),
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

// Is memoir's home in order: who may read it, what waits in it, what its logs say, how full the disk is, is its config right?

/** The folder itself. No mode of a folder that others need is ever to be changed. */
export async function checkHome(
  paths: Paths,
  { platform }: { platform: string },
): Promise<Check[]> {
  const { home } = paths;
  const info = await stat(home).catch(() => undefined);
  if (!info) return [fail("home", `${home} does not exist`, "Run `memoir install`.")];
  const elsewhere = "Set `MEMOIR_HOME` to a folder of its own.";
  if (!info.isDirectory()) return [fail("home", `${home} is no folder`, elsewhere)];
  const { bavail, bsize } = await statfs(home);
  const free = Number(bavail) * Number(bsize);
  const checks: Check[] = [];
  const fault = await homeFault(paths);
  if (fault) checks.push(fail("home", `${home}: ${homeFaults[fault]}`, elsewhere));
  else if (platform !== "win32" && (info.mode & 0o077) !== 0)
    checks.push(warn("home", `${home} can be read by other users`, `Run \`chmod 700 "${home}"\`.`));
  const closed = await whyUnwritable(paths);
  if (closed !== undefined)
    checks.push(
      fail(
        "disk",
        `nothing can be written to ${home}: ${closed}`,
        "Give memoir write permission there; until then nothing is remembered.",
      ),
    );
  else if (free < 1_000_000)
    checks.push(
      fail(
        "disk",
        `only ${size(free)} free in ${home}: events cannot be kept`,
        "Make room on that disk; memoir goes on by itself.",
      ),
    );
  else if (free < 200_000_000)
    checks.push(warn("disk", `only ${size(free)} free in ${home}`, "Make room on that disk."));
  for (const path of [paths.journal, paths.memory])
    checks.push(...(await attempt("files", () => assertWritable(path).then(() => []))));
  if (checks.length > 0) return checks;
  const whose = platform === "win32" ? "who may read it is not checked on Windows" : "yours alone";
  return [ok("home", `${home}, ${whose}, ${size(free)} free on its disk`)];
}

/** The config file, options of plugins included. */
async function checkConfig(paths: Paths, { env }: { env: Environment }): Promise<Check[]> {
  const { problems } = await describePlugins(paths.home, env);
  if (problems.length > 0)
    return problems.map((problem) =>
      fail(
        "config",
        problemText(problem),
        problem.fix ??
          `Correct it in ${paths.config}${problem.path ? ", or with `memoir config`" : ""}.`,
      ),
    );
  const there = await stat(paths.config).catch(() => undefined);
  return [ok("config", there ? `${paths.config} is valid` : "all defaults")];
}

/** Events that were kept nowhere and are not told as a finding yet. */
async function checkUnkept(paths: Paths): Promise<Check[]> {
  const found = await readUnkept(paths);
  if (!found) return [];
  return [
    fail(
      "kept",
      `not kept: ${unkeptText(found)}`,
      "Make room on that disk, or give memoir write permission there; it goes on by itself, and `memoir backfill` reads what the client's transcripts still have.",
    ),
  ];
}

/** Files that hold what a user gave: where one makes no sense it stays as it is, and nothing of it is in force. */
export async function checkGiven({ home }: Paths): Promise<Check[]> {
  const reads: Array<[name: string, read: () => Promise<unknown>]> = [
    ["keys", () => readKeys(home)],
    ["trust", () => readTrust(home)],
  ];
  const found: Check[] = [];
  for (const [name, read] of reads)
    try {
      await read();
    } catch (error) {
      if (!(error instanceof MemoirError)) throw error;
      found.push(fail(name, error.message, error.fix));
    }
  return found;
}

/** The server takes in what waits every few seconds. */
const soonMs = 60_000;

/** Events that wait on disk, and files that were no events. */
export async function checkSpool(
  { spool, log }: Paths,
  served: boolean,
  now: number,
): Promise<Check[]> {
  const files = await spooledFiles(spool);
  const waiting = files.length;
  const since = Number.parseInt(files[0] ?? "", 10);
  const rejected = (await readdir(`${spool}/rejected`).catch(() => [])).length;
  const checks: Check[] = [];
  const about = `${plural(waiting, "event waits", "events wait")} in ${spool}`;
  if (waiting > 0 && !served)
    checks.push(warn("spool", about, "Run `memoir server start`: the server takes them in."));
  else if (waiting > 0 && now - since > soonMs)
    checks.push(
      fail(
        "spool",
        `${about}, the oldest since ${ago(since, now)}: the server cannot take them in`,
        `The last lines of ${log} say why; nothing is lost meanwhile.`,
      ),
    );
  else if (waiting > 0)
    checks.push(warn("spool", about, "The server takes them in within seconds."));
  if (rejected > 0)
    checks.push(
      warn(
        "spool",
        `${plural(rejected, "file")} could not be read as events`,
        `They are kept in ${spool}/rejected.`,
      ),
    );
  return checks.length > 0 ? checks : [ok("spool", "no event waits")];
}

const HookLine = v.object({ time: v.string(), event: v.string(), reason: v.string() });
const dayMs = 86_400_000;

/** Why the hook command could not hand events over lately. */
export async function checkHookLog({ hookLog }: Paths, now: number): Promise<Check[]> {
  const text = await readFileText(hookLog).catch(() => "");
  const recent = text
    .split("\n")
    .flatMap(parseLine)
    .filter(({ time }) => now - Date.parse(time) < dayMs);
  const last = recent.at(-1);
  if (!last) return [ok("hook log", "no trouble in the last 24 hours")];
  const when = ago(Date.parse(last.time), now);
  return [
    warn(
      "hook log",
      `${recent.length} in 24 hours; the last ${when}: ${last.event || "event"}: ${last.reason}`,
      `See ${hookLog}.`,
    ),
  ];
}

function parseLine(line: string): Array<v.InferOutput<typeof HookLine>> {
  try {
    const parsed = v.safeParse(HookLine, JSON.parse(line));
    return parsed.success ? [parsed.output] : [];
  } catch {
    return [];
  }
}
