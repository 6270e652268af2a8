// The installed binary and its server: proved before it replaces another, started, and named as a person would type it.
import { stat } from "node:fs/promises";
import process from "node:process";
import { type Environment, userHome } from "../../home/paths.ts";
import { loadHost } from "../../host/index.ts";
import { runProgram } from "../../host/programs.ts";
import { keepOwnStreams } from "../../host/windows-streams.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { Schemas } from "../../stored/schemas.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { absolute, type Setup } from "./setup.ts";

/** The program to install: `chosen`, else the one that runs. Throws `binary_missing` when there is no such file, or when run from source. */
export async function sourceBinary(chosen: string | undefined, cwd: string): Promise<string> {
  if (chosen !== undefined) {
    const path = absolute(chosen, cwd);
    if ((await stat(path).catch(() => undefined))?.isFile()) return path;
    throw new MemoirError("binary_missing", `There is no file ${path}.`, {
      fix: "Name a built binary, or leave `--binary` out to install the one you call.",
    });
  }
  if ((await loadHost()).isCompiled) return process.execPath;
  throw new MemoirError(
    "binary_missing",
    "memoir runs from source, and hooks need the compiled binary.",
  );
}

/** A server that has to finish its work first may take a while to hand over. */
const defaultTimeoutMs = 60_000;

/** Runs `binary` with `args`; gives its stdout. Rejects with its own last words when it fails, or when its time is up. */
export async function runInstalled(
  binary: string,
  args: readonly string[],
  env: Environment,
  timeoutMs: number = defaultTimeoutMs,
): Promise<string> {
  // What it starts would hold the pipe that `install` is read through.
  keepOwnStreams();
  const run = await runProgram([binary, ...args], { env, timeoutMs }).catch((cause: Error) => {
    throw new MemoirError("binary_missing", `${binary} cannot be run: ${cause.message}.`, {
      cause,
    });
  });
  if (run.code === 0) return run.out;
  const said = (run.err || run.out).trim().split("\n").slice(0, 2).join(" ");
  throw new MemoirError("server_unreachable", `${binary} ${args.join(" ")} failed: ${said}`, {
    fix: "Run that command to see more.",
  });
}

/** What a memoir says of itself. */
interface Said {
  version: string;
  /** The newest schema of each database that it reads. */
  schemas?: Schemas;
}

/** Rejects where it is none, or does not run here. */
export async function saysOf(binary: string, { env }: Pick<Terminal, "env">): Promise<Said> {
  const said = JSON.parse(await runInstalled(binary, ["version", "--json"], env, 10_000));
  if (typeof said?.version === "string") return said;
  throw new MemoirError("binary_missing", `${binary} is no memoir.`);
}

/** The version alone. */
export async function versionOf(binary: string, terminal: Pick<Terminal, "env">): Promise<string> {
  return (await saysOf(binary, terminal)).version;
}

/** Throws `binary_missing` unless `copy` runs here and is memoir: an unfinished or foreign download must not replace one that works. */
export async function checkBinary(copy: string, source: string, terminal: Terminal): Promise<void> {
  await versionOf(copy, terminal).catch((cause: unknown) => {
    throw new MemoirError("binary_missing", `${source} is no memoir program that runs here.`, {
      fix: "Build it or download it again for this system; what was installed before is untouched.",
      cause,
    });
  });
}

/** `start` waits while the server is coming up, a large memory with it. */
const startWithinMs = 30 * 60_000;

/** Starts the server with the installed binary, which also takes over from an older one. */
export async function startServer({ binary, paths }: Setup, { env }: Terminal): Promise<string> {
  const own = { ...env, MEMOIR_HOME: paths.home };
  const output = await runInstalled(binary, ["server", "start"], own, startWithinMs);
  return output
    .trim()
    .replace(/^memoir \S+ /, "")
    .replace(/\.$/, "");
}

/** The shortest command that a shell finds the installed binary by. */
export function nameToType({ binary, paths }: Setup, { env, platform }: Terminal): string {
  const separator = platform === "win32" ? ";" : ":";
  if ((env.PATH ?? "").split(separator).includes(paths.bin)) return "memoir";
  const home = `${userHome(env)}/`;
  const rest = binary.slice(home.length);
  const plain = platform !== "win32" && binary.startsWith(home) && /^[\w./-]+$/.test(rest);
  return plain ? `~/${rest}` : `"${binary}"`;
}
