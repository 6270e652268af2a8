// What a home says of itself: for `memoir doctor`, which looks at clients as well, and for whoever asks the server.
import { lstat, readdir, stat, statfs } from "node:fs/promises";
import * as v from "valibot";
import { backupFolder, listBackups, readFailure } from "../home/backups/read-backups.ts";
import { findingText, markSeen, recentFindings } from "../home/findings.ts";
import { assertWritable, homeFault, homeFaults } from "../home/make-home.ts";
import type { Environment, Paths } from "../home/paths.ts";
import { readFileText } from "../home/read-file.ts";
import { readKeys } from "../provider/keys.ts";
import { backupPlaces } from "../runtime/config/backup-places.ts";
import { problemText } from "../runtime/config/config.ts";
import { readUnkept, spooledFiles, unkeptText, whyUnwritable } from "../runtime/events/spool.ts";
import { describePlugins } from "../runtime/plugins/describe.ts";
import { readTrust } from "../runtime/plugins/project-plugins.ts";
import { ago, size } from "../text/amounts.ts";
import { plural } from "../text/text.ts";
import { type Checks, type Finding, fail, ok, warn } from "./check.ts";
import { checkRedaction } from "./redaction.ts";

/** What is asked about. */
export interface HomeAsked {
  paths: Paths;
  platform: string;
  env: Environment;
  /** Epoch ms. */
  now: number;
  /** Notes that findings about damage were read. */
  seen?: boolean;
  /** Whether a server runs. */
  served(): Promise<boolean>;
  /** What memory is about to let go, in words. */
  toGo(): Promise<string | undefined>;
}

/** The folder, and what was found out about its files. */
export const folderChecks: Checks<HomeAsked> = {
  home: checkHome,
  disk: checkDisk,
  files: async ({ paths }) => {
    for (const path of [paths.journal, paths.memory]) await assertWritable(path);
    return undefined;
  },
  damage: checkFindings,
};

/** What the user gave. Where a file makes no sense it stays as it is, and nothing of it is in force. */
export const settingsChecks: Checks<HomeAsked> = {
  config: checkConfig,
  keys: async ({ paths }) => void (await readKeys(paths.home)),
  trust: async ({ paths }) => void (await readTrust(paths.home)),
};

/** What is kept and what waits. */
export const keptChecks: Checks<HomeAsked> = {
  "to go": async ({ toGo }) => {
    const said = await toGo();
    return said === undefined ? undefined : ok(said);
  },
  kept: checkUnkept,
  redaction: ({ paths }) => checkRedaction(paths),
  backups: checkBackups,
  spool: checkSpool,
  "hook log": checkHookLog,
};

/** Is there a folder, whose is it, and who may read it? No mode of a folder that others need is ever to be changed. */
async function checkHome({ paths, platform }: HomeAsked): Promise<Finding> {
  const { home } = paths;
  const info = await stat(home).catch(() => undefined);
  if (!info) return fail(`${home} does not exist`, "Run `memoir install`.");
  const elsewhere = "Set `MEMOIR_HOME` to a folder of its own.";
  if (!info.isDirectory()) return fail(`${home} is no folder`, elsewhere);
  const fault = await homeFault(paths);
  if (fault) return fail(`${home}: ${homeFaults[fault]}`, elsewhere);
  if (platform !== "win32" && (info.mode & 0o077) !== 0)
    return warn(`${home} can be read by other users`, `Run \`chmod 700 "${home}"\`.`);
  const { bavail, bsize } = await statfs(home);
  const whose = platform === "win32" ? "who may read it is not checked on Windows" : "yours alone";
  return ok(`${home}, ${whose}, ${size(Number(bavail) * Number(bsize))} free on its disk`);
}

/** Says nothing where there is room, and no folder to write to. */
async function checkDisk({ paths }: HomeAsked): Promise<Finding | undefined> {
  const { home } = paths;
  if (!(await stat(home).catch(() => undefined))?.isDirectory()) return undefined;
  const closed = await whyUnwritable(paths);
  if (closed !== undefined)
    return fail(
      `nothing can be written to ${home}: ${closed}`,
      "Give memoir write permission there; until then nothing is captured.",
    );
  const { bavail, bsize } = await statfs(home);
  const free = Number(bavail) * Number(bsize);
  if (free < 1_000_000)
    return fail(
      `only ${size(free)} free in ${home}: events cannot be kept`,
      "Make room on that disk; memoir continues by itself.",
    );
  if (free < 200_000_000)
    return warn(`only ${size(free)} free in ${home}`, "Make room on that disk.");
  return undefined;
}

/** Each finding that nobody marked as seen; with `seen` they are marked now, and shown a last time. */
export function checkFindings({
  paths: { home },
  now,
  seen,
}: Pick<HomeAsked, "paths" | "now" | "seen">): Finding[] {
  const found = recentFindings(home, now);
  const ids = found.map(({ id }) => id);
  const fix =
    seen && markSeen(home, ids)
      ? "Noted as seen."
      : "Check that disk. `memoir doctor --seen` notes that you have read this.";
  return found.map((one) => warn(`${ago(one.time, now)}: ${findingText(one)}`, fix));
}

/** The config file, options of plugins included. */
async function checkConfig({ paths, env }: HomeAsked): Promise<Finding | Finding[]> {
  const { problems } = await describePlugins(paths.home, env);
  if (problems.length > 0)
    return problems.map((problem) => {
      const how = `Correct it in ${paths.config}${problem.path ? ", or with `memoir config`" : ""}.`;
      return fail(problemText(problem), problem.fix ?? how);
    });
  const there = await stat(paths.config).catch(() => undefined);
  return ok(there ? `${paths.config} is valid` : "all defaults");
}

/** Events that were kept nowhere and are not a finding yet. */
async function checkUnkept({ paths }: HomeAsked): Promise<Finding | undefined> {
  const found = await readUnkept(paths);
  if (!found) return undefined;
  return fail(
    `not kept: ${unkeptText(found)}`,
    "Make room on that disk, or give memoir write permission there; it continues by itself, and `memoir backfill` reads what the client's transcripts still have.",
  );
}

/** A machine that is switched off at weekends has no backup for a while. */
const lateMs = 4 * 86_400_000;

/** Is there a backup to go back to, and is one made every day? At first sight only: `memoir memory backup --verify` reads every byte. */
async function checkBackups({ paths, now }: HomeAsked): Promise<Finding> {
  const { memory, isDaily } = await backupPlaces(paths);
  const place = backupFolder(paths);
  if (await isLinkToNothing(place))
    return warn(
      `${place} is a link to nothing: no backup can be made`,
      "Bring back what it leads to, or have it lead elsewhere.",
    );
  const failure = await readFailure(paths);
  if (failure)
    return warn(
      `no backup could be made ${ago(failure.time, now)}: ${failure.message}`,
      "Run `memoir memory backup`, which tries it again.",
    );
  const backups = await listBackups(paths);
  const faulty = backups.find(({ fault }) => fault !== undefined);
  if (faulty)
    return warn(
      `${faulty.name} cannot be gone back to: ${faulty.fault}`,
      "Run `memoir memory backup` to have another.",
    );
  const newest = backups.find(({ manifest }) =>
    manifest?.files.some(({ name }) => name === "memory.db"),
  );
  if (!newest) {
    const there = await stat(memory).catch(() => undefined);
    return ok(there ? "none yet" : "nothing to be backed up yet");
  }
  const bytes = backups.reduce((sum, one) => sum + one.bytes, 0);
  const message = `the newest was made ${ago(newest.time, now)}; ${plural(backups.length, "backup")}, ${size(bytes)}`;
  if (isDaily && now - newest.time > lateMs)
    return warn(
      message,
      "Run `memoir memory backup`; the server makes one every day that it runs.",
    );
  return ok(message);
}

async function isLinkToNothing(path: string): Promise<boolean> {
  const there = await lstat(path).catch(() => undefined);
  return there?.isSymbolicLink() === true && !(await stat(path).catch(() => undefined));
}

/** The server takes in what waits every few seconds. */
const soonMs = 60_000;

/** Events that wait on disk, and files that were no events. */
async function checkSpool({ paths, served, now }: HomeAsked): Promise<Finding[]> {
  const { spool, log } = paths;
  const files = await spooledFiles(spool);
  const since = Number.parseInt(files[0] ?? "", 10);
  const about = `${plural(files.length, "event waits", "events wait")} in ${spool}`;
  const found: Finding[] = [];
  if (files.length > 0 && !(await served()))
    found.push(warn(about, "Run `memoir server start`: the server takes them in."));
  else if (files.length > 0 && now - since > soonMs)
    found.push(
      fail(
        `${about}, the oldest since ${ago(since, now)}: the server cannot take them in`,
        `The last lines of ${log} say why; nothing is lost meanwhile.`,
      ),
    );
  else if (files.length > 0) found.push(warn(about, "The server takes them in within seconds."));
  const rejected = (await readdir(`${spool}/rejected`).catch(() => [])).length;
  if (rejected > 0)
    found.push(
      warn(
        `${plural(rejected, "file")} could not be read as events`,
        `They are kept in ${spool}/rejected.`,
      ),
    );
  return found.length > 0 ? found : [ok("no event waits")];
}

const HookLine = v.object({ time: v.string(), event: v.string(), reason: v.string() });

/** Why the hook command could not hand events over lately. */
async function checkHookLog({ paths: { hookLog }, now }: HomeAsked): Promise<Finding> {
  const text = await readFileText(hookLog).catch(() => "");
  const recent = text
    .split("\n")
    .flatMap(parseLine)
    .filter(({ time }) => now - Date.parse(time) < 86_400_000);
  const last = recent.at(-1);
  if (!last) return ok("no trouble in the last 24 hours");
  const when = ago(Date.parse(last.time), now);
  return warn(
    `${recent.length} in 24 hours; the last ${when}: ${last.event || "event"}: ${last.reason}`,
    `See ${hookLog}.`,
  );
}

function parseLine(line: string): Array<v.InferOutput<typeof HookLine>> {
  try {
    const parsed = v.safeParse(HookLine, JSON.parse(line));
    return parsed.success ? [parsed.output] : [];
  } catch {
    return [];
  }
}
