// Runs memoir's command line as a process of its own, in whatever environment a test gives it.
import { resolve } from "node:path";
import { memoirCommand } from "./compiled.ts";
import { type Outcome, outcomeOf, withoutWaiting } from "./outcome-of.ts";

/** The command line's entry. */
export const entry = resolve(import.meta.dir, "../../src/cli/main.ts");

/** Runs `memoir <args>`; nothing but `env` is inherited, and stdin is what is given. That a server is slow to start is left out. */
export async function runMemoir(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string,
  stdin?: string,
): Promise<Outcome> {
  const child = Bun.spawn([...(await memoirCommand()), ...args], {
    env: { PATH: process.env.PATH ?? "", TZ: "UTC", ...env },
    cwd,
    stdin: stdin === undefined ? "ignore" : new Blob([stdin]),
    stdout: "pipe",
    stderr: "pipe",
  });
  return withoutWaiting(await outcomeOf(child));
}
