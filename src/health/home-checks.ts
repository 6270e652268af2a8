// Is memoir's home in order: who may read it, what waits in it, what its logs say, how full the disk is, is its config right?
import { readdir, readFile, stat, statfs } from "node:fs/promises";
import * as v from "valibot";
import { homeFault, homeFaults } from "../home/make-home.ts";
import type { Environment, Paths } from "../home/paths.ts";
import { readKeys } from "../provider/keys.ts";
import { problemText } from "../runtime/config/config.ts";
import { spooledFiles } from "../runtime/events/spool.ts";
import { readUnkept, unkeptText, whyUnwritable } from "../runtime/events/unkept.ts";
import { describePlugins } from "../runtime/plugins/describe.ts";
import { readTrust } from "../runtime/plugins/trust.ts";
import { MemoirError } from "../sdk/errors.ts";
import { ago, size } from "../text/amounts.ts";
import { plural } from "../text/text.ts";
import { type Check, fail, ok, warn } from "./check.ts";

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
  if (checks.length > 0) return checks;
  return [ok("home", `${home}, yours alone, ${size(free)} free on its disk`)];
}

/** The config file, options of plugins included. */
export async function checkConfig(paths: Paths, { env }: { env: Environment }): Promise<Check[]> {
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
export async function checkUnkept(paths: Paths): Promise<Check[]> {
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
    checks.push(warn("spool", about, "Run `memoir start`: the server takes them in."));
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
  const text = await readFile(hookLog, "utf8").catch(() => "");
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
