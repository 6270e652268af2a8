// A home of their own for commands that a test calls in its own process: they find it by the environment, as when typed.
import { existsSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { memoirPaths } from "../../src/home/paths.ts";
import { runMemoir } from "./run-memoir.ts";

/** A throw-away home that this process' environment names until `end`, which stops a server that was started there. */
export async function ownHome(): Promise<{ root: string; home: string; end(): Promise<void> }> {
  const { HOME, MEMOIR_HOME } = process.env;
  const root = await realpath(await mkdtemp(join(tmpdir(), "memoir-own-home-")));
  const home = join(root, "home");
  Object.assign(process.env, { HOME: root, MEMOIR_HOME: home });
  return {
    root,
    home,
    async end() {
      if (existsSync(memoirPaths(home).serverInfo))
        await runMemoir(["server", "stop"], { HOME: root, MEMOIR_HOME: home }, root);
      for (const [name, value] of Object.entries({ HOME, MEMOIR_HOME }))
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      await rm(root, { recursive: true, force: true });
    },
  };
}
