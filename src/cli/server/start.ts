// `memoir server start`: a server in the background; a newer binary, or another build, takes over from the server that runs, once.
import { version } from "../../home/version.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { ServerInfo } from "../../server/endpoint.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { ifRunning, server } from "./client.ts";
import { currentPaths, startAndWait } from "./reach.ts";
import { stopServer } from "./stop.ts";

/** What `start` found or did. */
type StartOutcome = "started" | "already running" | "took over";

/** Starts the server and waits until it answers; gives exit code 0. Throws `server_unreachable` when it does not. */
export async function start(options: { json?: boolean }, terminal: Terminal): Promise<number> {
  const { outcome, server } = await ensureServer();
  terminal.print(
    options.json
      ? JSON.stringify({ outcome, ...server })
      : `memoir ${server.version} ${outcome} (pid ${server.pid}).`,
  );
  return 0;
}

/** How often an older server that came up meanwhile is asked to go: the hooks of open sessions start what is installed. */
const mostTakeovers = 3;

/** Makes sure that a server of this build runs, or of a later release. Another is asked to stop first. */
export async function ensureServer(): Promise<{ outcome: StartOutcome; server: ServerInfo }> {
  const paths = currentPaths();
  let running = await runningServer();
  if (running && !takesOver(version, running.version))
    return { outcome: "already running", server: running };
  const outcome = running ? "took over" : "started";
  for (let takeovers = 0; takeovers <= mostTakeovers; takeovers++) {
    if (running) await stopServer(paths);
    await startAndWait(paths);
    running = infoOf(await server.get("/api/status", { start: false }));
    if (!takesOver(version, running.version)) return { outcome, server: running };
  }
  const other = running?.version ?? "another version";
  throw new MemoirError(
    "server_unreachable",
    `memoir ${other} is started again and again where ${version} should run.`,
    { fix: "Hooks start what is installed: run `memoir install` with the version that you want." },
  );
}

async function runningServer(): Promise<ServerInfo | undefined> {
  const found = await ifRunning(server.get("/api/status", { start: false, timeoutMs: 5_000 }));
  return found && infoOf(found);
}

function infoOf({ pid, port, socket, version: of, startedAt }: ServerInfo): ServerInfo {
  return { pid, port, socket, version: of, startedAt };
}

// Which of two versions a start leaves running.

/**
 * True where a start with `left` is to end a server of `right`: `left` is a later release by major, minor and patch, or another build
 * of the same. What is no version takes nothing over.
 */
export function takesOver(left: string, right: string): boolean {
  const [a, b] = [numbers(left), numbers(right)];
  if (!a || !b) return false;
  for (let at = 0; at < 3; at += 1) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return left !== right;
}

function numbers(version: string): number[] | undefined {
  const match = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version);
  return match?.slice(1).map(Number);
}
