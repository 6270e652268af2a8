// How each script of this folder runs: the comment that it begins with is its help, and what goes wrong is one line.

import { readFile } from "node:fs/promises";
import process from "node:process";

/** Runs `main` with the arguments; what it gives is the exit code. */
export async function runScript(
  file: string,
  main: (args: string[]) => Promise<number | undefined>,
): Promise<void> {
  const args = process.argv.slice(2);
  if (args.some((arg) => arg === "--help" || arg === "-h")) {
    const [comment = ""] = /^(?:\/\/.*\n)+/.exec(await readFile(file, "utf8")) ?? [];
    console.log(comment.replace(/^\/\/ ?/gm, "").trimEnd());
    return;
  }
  process.exitCode = await main(args).catch((error: unknown) => {
    // The bundler throws all its errors in one.
    const [first] = error instanceof AggregateError ? error.errors : [error];
    console.error(`error: ${first instanceof Error ? first.message : String(first)}`);
    return 1;
  });
}
