// The installed binary and its server: proved before it replaces another, started, and named as a person would type it.
import { userHome } from "../../home/paths.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { runInstalled } from "./run-installed.ts";
import type { Setup } from "./setup.ts";

/** Throws `binary_missing` unless `copy` runs here and is memoir: an unfinished or foreign download must not replace one that works. */
export async function checkBinary(copy: string, source: string, { env }: Terminal): Promise<void> {
  const said = await runInstalled(copy, ["version", "--json"], env, 10_000).catch(() => "");
  if (/^\s*\{"version":/.test(said)) return;
  throw new MemoirError("binary_missing", `${source} is no memoir program that runs here.`, {
    fix: "Build it or download it again for this system; what was installed before is untouched.",
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
