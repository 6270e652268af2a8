// Makes the home: its folders, readable by their owner only, and its files in working order. What stands in their place gets another name.

import { constants, lstatSync, type Stats } from "node:fs";
import { access, chmod, copyFile, lstat, mkdir, readdir, stat, truncate } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import process from "node:process";
import { MemoirError } from "../sdk/errors.ts";
import { moveFile } from "../sdk/within.ts";
import { ledgerFile } from "./database/intact.ts";
import { errorMessage } from "./describe-error.ts";
import { addFinding, findingsFile, rebuildFile } from "./findings.ts";
import { type Environment, type Paths, userHome } from "./paths.ts";
import { readFileText } from "./read-file.ts";

/** What belongs in a place. */
type Kind = "file" | "folder" | "socket";

/**
 * Gives what is no such thing, is a link to nothing, or would be waited for by whoever opens it (a pipe) another name; a finding
 * in `home` says so. What is a file is left alone, readable or not.
 */
export async function setAsideOthers(
  path: string,
  kind: Kind,
  { home = dirname(path), now }: { home?: string; now: number },
): Promise<void> {
  const there = await lstat(path).catch(() => undefined);
  if (!there) return;
  const target = there.isSymbolicLink() ? await stat(path).catch(() => undefined) : there;
  if (target && isRight(target, kind)) return;
  const aside = `${path}.damaged-${now}`;
  // The slash refuses all but a folder: another process may have set it aside just now.
  await moveFile(there.isDirectory() ? `${path}/` : path, aside);
  const what = target ? standsFor(target) : "was a link to nothing";
  addFinding(home, { time: now, file: basename(path), what, aside });
}

/** Whoever binds a socket takes a file away that stands in its place. */
function isRight(there: Stats, kind: Kind): boolean {
  if (kind === "socket") return !there.isDirectory();
  return kind === "folder" ? there.isDirectory() : there.isFile();
}

/**
 * SQLite gives its log, and the index of that, the database's mode when it makes them. A database that was read-only for a while leaves
 * an index that nobody can write, which keeps it from being opened: that index gets its mode back, and a finding in `home` says so.
 * Rejects with `file_unusable` where the database itself, or a file that belongs to another user, cannot be written.
 */
export async function makeWritable(path: string, home: string, now: () => number): Promise<void> {
  if (path === ":memory:") return;
  await assertWritable(path);
  for (const place of [`${path}-wal`, `${path}-shm`]) {
    const mode = await readOnlyMode(place);
    if (mode === undefined) continue;
    await chmod(place, 0o600).catch(() => assertWritable(place));
    const what = `was read-only (mode ${mode}) while ${basename(path)} was not; it is writable again`;
    addFinding(home, { time: now(), file: basename(place), what });
  }
}

/** Rejects with `file_unusable` where there is a file that cannot be read and written. */
export async function assertWritable(path: string): Promise<void> {
  const mode = await readOnlyMode(path);
  if (mode === undefined) return;
  const message = `${path} cannot be read and written (mode ${mode}). Nothing was changed.`;
  const fix = `Run \`chmod 600 "${path}"\`, then \`memoir server stop\` and \`memoir server start\`.`;
  throw new MemoirError("file_unusable", message, { fix });
}

async function readOnlyMode(path: string): Promise<string | undefined> {
  const isDenied = (error: { code?: string }) => error.code === "EACCES" || error.code === "EPERM";
  const denied = await access(path, constants.R_OK | constants.W_OK).then(() => false, isDenied);
  return denied ? ((await stat(path)).mode & 0o777).toString(8).padStart(3, "0") : undefined;
}

/** What stands where something else belongs, as a sentence's middle. Whoever opens a pipe waits for its other end. */
function standsFor(there: Stats): string {
  if (there.isDirectory()) return "was a folder, where a file belongs";
  if (there.isFile()) return "was a file, where a folder belongs";
  return "was a pipe, a socket or a device, where memoir's own belongs";
}

// Files of the home that memoir writes for itself and that make no sense any more: set aside, said as a finding, and made anew by whoever needs them.

/**
 * Gives what is a folder where a file belongs, a file where a folder belongs, a link to nothing, or what whoever opens it
 * would wait for (a pipe) another name. What a user writes, `config.json` and keys among it, is left alone.
 */
export async function mendKinds(paths: Paths, now: number = Date.now()): Promise<void> {
  const { home, socket, serverLock, late, inFlight, lastConfig, unkept } = paths;
  const starting = `${home}/server.starting`;
  // First: what is found out about the others is noted there.
  await setAsideOthers(findingsFile(home), "file", { now });
  // A folder in its place still says that something is to be made again.
  if (!(await isFolder(rebuildFile(home))))
    await setAsideOthers(rebuildFile(home), "file", { now });
  const files = [
    ...Object.keys(written(paths)),
    ...[serverLock, late, inFlight, lastConfig, unkept, ledgerFile(home), paths.log, paths.hookLog],
    ...["checked.json", "forgotten", "forgetting.json", "redacted.json"].map(
      (name) => `${home}/${name}`,
    ),
    ...["gateway-sessions.json", "gateway-stand-in.json"].map((name) => `${home}/${name}`),
    // Plugins of memoir's own keep these.
    ...["moments.json", "endless/ended.json"].map((name) => `${home}/${name}`),
    ...[starting, `${starting}.lock`],
  ];
  const folders = [paths.logs, paths.spool, paths.plugins, paths.cache, paths.trusted];
  // A link of the user's may lead to a disk that is not there just now.
  const linked = [`${home}/memory`, `${home}/backups`].filter((path) => !isLink(path));
  await Promise.all([
    setAsideOthers(socket, "socket", { now }),
    ...files.map((path) => setAsideOthers(path, "file", { now })),
    ...[...folders, ...linked].map((path) => setAsideOthers(path, "folder", { now })),
  ]);
}

/** Sets aside those of a server's own files that cannot be read. Only for whoever holds the home's lock. */
export async function mendTexts(paths: Paths, now: number = Date.now()): Promise<void> {
  for (const [path, isRight] of Object.entries(written(paths))) {
    const text = await readFileText(path, "latin1").catch(() => "");
    // Nothing in it is what a power failure leaves; it says no less than no file.
    if (text.trim() === "" || isRight(text)) continue;
    const aside = asideOf(path, now);
    await moveFile(path, aside);
    say(path, now, { what: "held nothing that memoir writes", aside });
  }
}

/**
 * Empties a lock file that holds something else, of which a copy is kept. The file itself stays, so that a lock on it
 * which another process got meanwhile goes on to hold.
 */
export async function mendLock(path: string, now: number = Date.now()): Promise<void> {
  const aside = asideOf(path, now);
  if ((await stat(path)).size === 0) return;
  await copyFile(path, aside);
  await truncate(path, 0);
  say(path, now, { what: "held something else than memoir's lock", aside });
}

/** Made anew at each start, or with nothing lost; how to tell what memoir wrote. */
function written(paths: Paths): Record<string, (text: string) => boolean> {
  return {
    [paths.serverInfo]: isObject,
    [paths.hookDeadlines]: isObject,
    [paths.pauses]: isObject,
    [paths.token]: (text) => /^[0-9a-f]{64}\s*$/.test(text),
  };
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isDirectory() ?? false;
}

function asideOf(path: string, now: number): string {
  return `${path}.damaged-${now}`;
}

function say(path: string, time: number, about: { what: string; aside: string }): void {
  addFinding(dirname(path), { time, file: basename(path), ...about });
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

// Makes the home's folders, readable by their owner only.

/** Why a folder is not to be memoir's home as it stands. */
export const homeFaults = {
  shared: "it is a folder that everybody may write to",
  others: "it holds other things than memoir's, and other users can read it",
} as const;

/**
 * Makes home, logs, spool and plugins with mode 0700; a home that others could read is closed to them, unless it is
 * the user's whole home folder, which keeps its mode. Rejects with `home_unusable`, also for a shared folder such as
 * `/tmp`, where anybody could put a config, and for one of other things such as `/etc`, which others need open.
 */
export async function prepareHome(paths: Paths, env: Environment = process.env): Promise<void> {
  try {
    await mkdir(paths.home, { recursive: true, mode: 0o700 });
    const fault = await homeFault(paths);
    const isWholeHome = resolve(paths.home) === resolve(userHome(env));
    if (fault === "shared" || (fault && !isWholeHome)) throw new Error(homeFaults[fault]);
    if (!isWholeHome) await chmod(paths.home, 0o700);
    await mendKinds(paths);
    for (const folder of [paths.logs, paths.spool, paths.plugins])
      await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const message = `memoir's home ${paths.home} cannot be used: ${errorMessage(cause)}`;
    throw new MemoirError("home_unusable", message, { cause });
  }
}

/** What speaks against closing a folder that is there to all others; undefined where nothing does. */
export async function homeFault(paths: Paths): Promise<keyof typeof homeFaults | undefined> {
  const { mode } = await stat(paths.home);
  if ((mode & 0o1000) !== 0) return "shared";
  // On Windows modes say nothing about who may read.
  if ((mode & 0o077) === 0 || process.platform === "win32") return undefined;
  return (await isOurs(paths)) ? undefined : "others";
}

/** What an install leaves beside what `Paths` names, before a server ever runs. */
const ofInstall = [
  "backups",
  "gateway.json",
  "gateway-sessions.json",
  "install.json",
  "install-mcp.json",
  "install-clients.json",
  "install-skill.json",
];

/** Named as ours, begun as ours, or with nothing else in it. */
async function isOurs(paths: Paths): Promise<boolean> {
  if (basename(paths.home) === ".memoir") return true;
  const named = Object.values(paths).map((path: string) => basename(path));
  const known = new Set([...named, ...ofInstall]);
  const there = await readdir(paths.home);
  const databases = [paths.journal, paths.memory].map((path) => basename(path));
  return there.some((name) => databases.includes(name)) || there.every((name) => known.has(name));
}
