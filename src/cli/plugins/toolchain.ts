// The binary as its own toolchain: it holds a package manager, a type checker and a test runner.
import process from "node:process";
import { memoirHome } from "../../home/paths.ts";
import { loadHost } from "../../host/index.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { type ProgramRun, runProgram } from "../run-program.ts";

interface ToolOptions {
  cwd: string;
  /** Default 120 s. */
  timeoutMs?: number;
}

/** Runs `add`, `check`, `test` or a file with the engine inside this program. Rejects with `plugin_test` when its time is up. */
export async function runTool(
  args: readonly string[],
  { cwd, timeoutMs = 120_000 }: ToolOptions,
): Promise<ProgramRun> {
  const config = `${memoirHome(process.env)}/deno.json`;
  const command = (await loadHost()).toolCommand(args, config);
  if (command === undefined)
    throw new MemoirError("usage", "This command needs the memoir binary, or Bun.", {
      fix: "Under Deno use `deno check` in the plugin's folder, and name packages in `deno.json`.",
    });
  const env = { ...process.env, BUN_BE_BUN: "1", NO_COLOR: "1" };
  const run = await runProgram(command, { cwd, env, timeoutMs });
  if (run.isLate)
    throw new MemoirError("plugin_test", `It was not done within ${timeoutMs / 1_000} seconds.`, {
      fix: "Look for an endless loop, or a top-level `await` that never ends.",
    });
  return run;
}
