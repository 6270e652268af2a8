// Makes the home's folders, readable by their owner only.
import { chmod, mkdir, stat } from "node:fs/promises";
import { resolve } from "node:path";
import process from "node:process";
import { MemoirError } from "../sdk/errors.ts";
import { errorMessage } from "./describe-error.ts";
import { type Environment, type Paths, userHome } from "./paths.ts";

/**
 * Makes home, logs, spool and plugins with mode 0700; a home that others could read is closed to them, unless it is
 * the user's whole home folder, which keeps its mode. Rejects with `home_unusable`, also for a shared folder such as
 * `/tmp`: anybody could put a config there.
 */
export async function prepareHome(paths: Paths, env: Environment = process.env): Promise<void> {
  try {
    await mkdir(paths.home, { recursive: true, mode: 0o700 });
    const isShared = ((await stat(paths.home)).mode & 0o1000) !== 0;
    if (isShared) throw new Error("it is a folder that everybody may write to");
    if (resolve(paths.home) !== resolve(userHome(env))) await chmod(paths.home, 0o700);
    for (const folder of [paths.logs, paths.spool, paths.plugins])
      await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const message = `memoir's home ${paths.home} cannot be used: ${errorMessage(cause)}`;
    throw new MemoirError("home_unusable", message, { cause });
  }
}
