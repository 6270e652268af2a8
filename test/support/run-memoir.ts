// Runs memoir's command line from source as a process of its own, in whatever environment a test gives it.
import { resolve } from "node:path";

/** The command line's entry. */
export const entry = resolve(import.meta.dir, "../../src/cli/main.ts");

export interface MemoirRun {
  code: number;
  out: string;
  err: string;
}

/** Runs `memoir <args>`; nothing but `env` is inherited, and stdin is what is given. */
export async function runMemoir(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string,
  stdin?: string,
): Promise<MemoirRun> {
  const child = Bun.spawn([process.execPath, entry, ...args], {
    env: { PATH: process.env.PATH ?? "", ...env },
    cwd,
    stdin: stdin === undefined ? "ignore" : new Blob([stdin]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, out, err };
}
