// Files of the home that memoir writes for itself and that make no sense any more: set aside, said as a finding, and made anew by whoever needs them.
import { lstatSync } from "node:fs";
import { copyFile, lstat, rename, stat, truncate } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { ledgerFile } from "./database/contents.ts";
import { addFinding, findingsFile } from "./findings.ts";
import { setAsideOthers } from "./not-a-file.ts";
import type { Paths } from "./paths.ts";
import { readFileText } from "./read-file.ts";
import { rebuildFile } from "./rebuild-wanted.ts";

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
    await rename(path, aside);
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
