// Makes the home's folders, readable by their owner only.
import { chmod, mkdir, readdir, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import process from "node:process";
import { MemoirError } from "../sdk/errors.ts";
import { errorMessage } from "./describe-error.ts";
import { mendKinds } from "./mend-home.ts";
import { type Environment, type Paths, userHome } from "./paths.ts";

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
