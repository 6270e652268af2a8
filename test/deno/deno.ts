// Deno as tests run it: the program, and what it is kept in.
import { join, resolve } from "node:path";
import process from "node:process";

const root = resolve(import.meta.dirname, "../..");

/** Path of the program. */
export const deno = join(root, "node_modules/.bin/deno");

/** What it compiled is kept for all tests: from an empty cache each takes seconds for the same sources. */
export const denoCache = { DENO_DIR: join(root, "node_modules/.cache/deno") };

/** memoir's command from source. */
export const denoMemoir = [deno, "run", "-A", "--no-prompt", join(root, "src/cli/main.ts")];

/** An environment with nothing of this machine's user. */
export const denoEnv = (home: string, more: Readonly<Record<string, string>> = {}) => ({
  PATH: process.env.PATH ?? "",
  HOME: home,
  DENO_NO_UPDATE_CHECK: "1",
  NO_COLOR: "1",
  ...denoCache,
  ...more,
});
