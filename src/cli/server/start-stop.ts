// `memoir open`, `memoir server start`, `stop` and `retry`: a newer binary, or another build, takes over from the server that runs, once;
// a server that hangs is ended; sessions that reach their model through it keep their way there.

import { existsSync } from "node:fs";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import type { Paths } from "../../home/paths.ts";
import { version } from "../../home/version.ts";
import { loadHost } from "../../host/index.ts";
import { browserCommand, startProgram } from "../../host/programs.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { ServerInfo } from "../../server/endpoint.ts";
import { standInFile, standInListens } from "../../server/gateway/open-sessions.ts";
import { acquireLock } from "../../server/life/lock.ts";
import { readServerInfo } from "../../server/life/server-info.ts";
import { serverEnvironment } from "../../server/life/start-server.ts";
import { plural } from "../../text/text.ts";
import { answer, inJson } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { currentPaths, ifRunning, server, startAndWait } from "./client.ts";

/** Starts the server and waits until it answers; gives exit code 0. Throws `server_unreachable` when it does not. */
export async function start(options: { json?: boolean }, terminal: Terminal): Promise<number> {
  const { outcome, server } = await ensureServer();
  return answer(terminal, options, { outcome, ...server }, () => [
    `memoir ${server.version} ${outcome} (pid ${server.pid}).`,
  ]);
}

/** How often an older server that came up meanwhile is asked to go: the hooks of open sessions start what is installed. */
const mostTakeovers = 3;

/** Makes sure that a server of this build runs, or of a later release. Another is asked to stop first. */
export async function ensureServer() {
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
    `memoir ${other} keeps starting where ${version} should run.`,
    { fix: "Hooks start the installed memoir: run `memoir install` with the version you want." },
  );
}

async function runningServer(): Promise<ServerInfo | undefined> {
  const found = await ifRunning(server.get("/api/status", { start: false, timeoutMs: 5_000 }));
  return found && infoOf(found);
}

function infoOf({ pid, port, socket, version: of, startedAt }: ServerInfo): ServerInfo {
  return { pid, port, socket, version: of, startedAt };
}

/**
 * True where a start with `left` is to end a server of `right`: `left` is a later release by major, minor and patch, or another build
 * of the same. What is no version takes nothing over.
 */
export function takesOver(left: string, right: string): boolean {
  const [a, b] = [left, right].map((one) => /^v?(\d+\.\d+\.\d+)/.exec(one)?.[1]);
  if (!a || !b) return false;
  const order = a.localeCompare(b, "en", { numeric: true });
  return order > 0 || (order === 0 && left !== right);
}

/** Stops the server; gives exit code 0, also when none runs. Throws `server_unreachable` when the server does not go. */
export async function stop(options: { json?: boolean }, terminal: Terminal): Promise<number> {
  const stopped = await stopForSessions(currentPaths());
  return answer(terminal, options, stopped, () => [
    stopped.stopped ? "The memoir server is stopped." : "No memoir server was running.",
    ...(stopped.hung ? ["  It did not respond and was ended. What it had received is kept."] : []),
    ...(stopped.gatewaySessions > 0 ? [`  ${standInNote(stopped)}`] : []),
  ]);
}

/**
 * Stops a home's server as `stopServer` does. Sessions that reach their model through its gateway continue through a process
 * of their own, which is started before `beforeStop` and takes the port as soon as that is free.
 */
export async function stopForSessions(paths: Paths, beforeStop?: () => Promise<unknown>) {
  const sessions = await gatewaySessions(paths);
  const came = sessions > 0 && (await startStandIn(paths));
  await beforeStop?.();
  let hung = false;
  const stopped = await stopServer(paths, () => {
    hung = true;
  });
  // A request between the server's end and its successor would find nobody.
  const standsIn = came && (await soon(() => standInListens(paths.home)));
  return { stopped, hung, gatewaySessions: sessions, standsIn };
}

/** How many sessions reach their model through the gateway right now; 0 where no server answers. */
export async function gatewaySessions(paths: Paths): Promise<number> {
  const asked = server.get("/api/status", { paths, start: false, timeoutMs: 3_000 });
  return asked.then(
    ({ gateway }) => gateway?.sessions ?? 0,
    () => 0,
  );
}

/** False when it did not come up. */
async function startStandIn(paths: Paths): Promise<boolean> {
  const host = await loadHost();
  host.spawnDetached([...host.selfCommand(), "serve", "--stand-in"], {
    env: serverEnvironment(process.env, paths.home, []),
    // Not the home: an uninstall may take it away.
    cwd: "/",
  });
  return await soon(() => existsSync(standInFile(paths.home)));
}

const thereWithinMs = 5_000;

async function soon(is: () => Promise<boolean> | boolean): Promise<boolean> {
  const end = Date.now() + thereWithinMs;
  while (Date.now() < end) {
    if (await is()) return true;
    await pause(lookMs);
  }
  return false;
}

/** What becomes of open sessions, for people. */
export function standInNote({
  gatewaySessions: sessions,
  standsIn,
}: {
  gatewaySessions: number;
  standsIn: boolean;
}): string {
  const who = plural(sessions, "open session reaches", "open sessions reach");
  return standsIn
    ? `${who} the model through memoir's gateway: a separate process passes requests on unchanged until a server takes over or they are silent for 12 hours.`
    : `${who} the model through memoir's gateway, and nothing could be started to pass requests on: restart these sessions.`;
}

const goneWithinMs = 15_000;
const askedWithinMs = 3_000;
/** A server that answered nobody and is still there so long after its signal hangs. What it had accepted is on disk. */
const hangsAfterMs = 10_000;
const lookMs = 25;
const askAgainMs = 200;

/**
 * Stops a home's server and waits until it is gone: the lock is free, or another's already. One that is just starting is
 * asked once it listens. One that hangs is ended, and `ended` called. False when none ran.
 */
export async function stopServer(paths: Paths, ended?: () => void): Promise<boolean> {
  if (!(await isServed(paths))) return false;
  const end = Date.now() + goneWithinMs;
  let info: ServerInfo | undefined;
  let isAsked: "asked" | "silent" | undefined;
  let hangsAt = Number.POSITIVE_INFINITY;
  while (Date.now() < end) {
    if (!isAsked) {
      const before = info;
      info = await readServerInfo(paths.serverInfo);
      isAsked = await ask(paths, info, before);
      if (isAsked === "silent") hangsAt = Date.now() + hangsAfterMs;
    }
    if (info && Date.now() > hangsAt) {
      hangsAt = Number.POSITIVE_INFINITY;
      signal(info.pid, "SIGKILL");
      ended?.();
    }
    if (!(await isServed(paths))) return true;
    // A hook of an open session may start one between two looks.
    const now = await readServerInfo(paths.serverInfo);
    if (isAsked && info && now && now.startedAt !== info.startedAt) return true;
    await pause(isAsked ? lookMs : askAgainMs);
  }
  const who = info ? ` (pid ${info.pid})` : "";
  const what = isAsked ? "was asked to stop but is still running" : "isn't listening yet";
  throw new MemoirError("server_unreachable", `The server${who} ${what}.`, {
    fix: `Look at the process; its last messages are in ${paths.log}.`,
  });
}

/** `silent`: asked by a signal, since it listens and answers nobody. Undefined while it does not listen: it is coming, or going already. */
async function ask(
  paths: Paths,
  info: ServerInfo | undefined,
  before: ServerInfo | undefined,
): Promise<"asked" | "silent" | undefined> {
  try {
    await server.post("/api/stop", { start: false, timeoutMs: askedWithinMs, paths });
    return "asked";
  } catch (error) {
    const { code } = error as { code?: string };
    // A server that starts takes away what a killed one left; what stays there for a while is said by who holds the lock.
    const isListening = code !== "server_unreachable";
    if (!info || !(isListening || before?.startedAt === info.startedAt)) return undefined;
    signal(info.pid, "SIGTERM");
    return code === "server_silent" ? "silent" : "asked";
  }
}

async function isServed(paths: Paths): Promise<boolean> {
  try {
    const lock = await acquireLock(paths.serverLock, { create: false });
    lock?.release();
    return lock === undefined;
  } catch (error) {
    // Without the file nobody ever served this home.
    if ((error as { code?: string }).code === "ENOENT") return false;
    throw error;
  }
}

function signal(pid: number, name: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone by itself.
  }
}

/** Gives exit code 0, also when nothing had failed. Throws `usage` for an id that is no whole number, `record_not_found` where none is known. */
export async function retry(
  ids: readonly string[],
  options: { json?: boolean },
  terminal: Terminal,
): Promise<number> {
  const wrong = ids.find((id) => !/^\d{1,15}$/.test(id));
  if (wrong !== undefined)
    throw new MemoirError("usage", `“${wrong.slice(0, 40)}” is not the id of failed work.`, {
      fix: "Use the ids under `parked` in `memoir status --json`, or none to retry everything.",
    });
  const { retried } = await server.post("/api/retry", {
    body: ids.length > 0 ? { ids: ids.map(Number) } : {},
  });
  if (retried === 0 && ids.length > 0)
    throw new MemoirError("record_not_found", `No failed work has the id ${ids.join(", ")}.`, {
      fix: "`memoir status --json` lists failed work under `parked`.",
    });
  return answer(terminal, options, { retried }, () => [
    retried > 0
      ? `Retrying ${plural(retried, "piece")} of work; see \`memoir status\`.`
      : "Nothing to retry.",
  ]);
}

// `memoir open`: memory in a browser.

interface OpenOptions {
  print?: boolean;
  json?: boolean;
}

/** Starts the server where needed and opens the page; gives exit code 0. The address is printed where no browser could be started. */
export async function open(options: OpenOptions, terminal: Terminal): Promise<number> {
  await ensureServer();
  const { address } = await server.post("/api/page/code");
  if (inJson({ address }, options, terminal)) return 0;
  if (!options.print && (await startBrowser(process.platform, address))) {
    terminal.print(
      "Opening memoir in your browser. If nothing opens, run `memoir open --print` for a link.",
    );
    return 0;
  }
  terminal.print(address);
  terminal.print(terminal.colors.dim("The link works once and expires in a minute."));
  return 0;
}

/** An opener that could not open anything says so within this time. */
const openerMs = 2_000;

/** Whether the system's opener took the address. It is not waited for longer: some stay as long as the browser. */
function startBrowser(platform: string, address: string): Promise<boolean> {
  const [command, args] = browserCommand(platform, address);
  return new Promise((resolve) => {
    const child = startProgram(command, args, { stdio: "ignore", detached: true });
    const late = setTimeout(() => resolve(true), openerMs);
    const end = (isOpen: boolean) => {
      clearTimeout(late);
      resolve(isOpen);
    };
    child.once("error", () => end(false));
    child.once("exit", (code) => end(code === 0));
    child.unref();
  });
}
