// Makes the home's folders, readable by their owner only.
import { chmod, mkdir } from "node:fs/promises";
import { MemoirError } from "../sdk/errors.ts";
import { errorMessage } from "./describe-error.ts";
import type { Paths } from "./paths.ts";

/**
 * Makes home, logs, spool and plugins with mode 0700. A home that others could read is closed to them. Rejects
 * with `home_unusable`.
 */
export async function prepareHome(paths: Paths): Promise<void> {
  try {
    for (const folder of [paths.home, paths.logs, paths.spool, paths.plugins])
      await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(paths.home, 0o700);
  } catch (cause) {
    const message = `memoir's home ${paths.home} cannot be used: ${errorMessage(cause)}`;
    throw new MemoirError("home_unusable", message, { cause });
  }
}
