// The binary as its own toolchain: it holds a package manager, a type checker and a test runner.
import { spawn } from "node:child_process";
import process from "node:process";
import { memoirHome } from "../../home/paths.ts";
import { loadHost } from "../../host/index.ts";
import { MemoirError } from "../../sdk/errors.ts";

/** What a tool said and how it ended. */
interface ToolRun {
  code: number;
  out: string;
  err: string;
}

export interface ToolOptions {
  cwd: string;
  /** Default 120 s. */
  timeoutMs?: number;
  env?: Readonly<Record<string, string | undefined>>;
  /** Called with each piece of output as it comes. */
  heard?(text: string): void;
}

const defaultTimeoutMs = 120_000;
/** A tool that says more than this is not read by anybody. */
const maxOutput = 4_000_000;

/** Runs `add`, `check`, `test` or a file with the engine inside this program. Rejects with `plugin_test` when its time is up. */
export async function runTool(args: readonly string[], options: ToolOptions): Promise<ToolRun> {
  const config = `${memoirHome(process.env)}/deno.json`;
  const [program, ...words] = (await loadHost()).toolCommand(args, config) ?? [];
  if (program === undefined)
    throw new MemoirError("usage", "This command needs the memoir binary, or Bun.", {
      fix: "Under Deno use `deno check` in the plugin's folder, and name packages in `deno.json`.",
    });
  const { timeoutMs = defaultTimeoutMs, cwd, heard } = options;
  const env = { ...process.env, ...options.env, BUN_BE_BUN: "1", NO_COLOR: "1" };
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    const run: ToolRun = { code: 0, out: "", err: "" };
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      child.kill("SIGKILL");
    }, timeoutMs);
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      if (run.out.length < maxOutput) run.out += text;
      heard?.(text);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (run.err.length < maxOutput) run.err += text;
      heard?.(text);
    });
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      if (isLate)
        reject(
          new MemoirError("plugin_test", `It was not done within ${timeoutMs / 1_000} seconds.`, {
            fix: "Look for an endless loop, or a top-level `await` that never ends.",
          }),
        );
      else resolve({ ...run, code: code ?? 1 });
    });
  });
}
