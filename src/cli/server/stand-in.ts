// What `stop` and `uninstall` leave behind where sessions reach their model through the gateway: a process that passes their requests on.
import { existsSync } from "node:fs";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { createLog } from "../../home/log.ts";
import type { Paths } from "../../home/paths.ts";
import { serverEnvironment } from "../../host/environment.ts";
import { loadHost } from "../../host/index.ts";
import { redactDeep } from "../../privacy/redact.ts";
import { readConfig } from "../../runtime/config/config.ts";
import { standIn, standInFile, standInListens } from "../../server/gateway/stand-in.ts";
import { plural } from "../../text/text.ts";
import { server } from "./client.ts";
import { currentPaths } from "./reach.ts";

const thereWithinMs = 5_000;

/** Stands in until a server takes over, or nobody is left; gives exit code 0. */
export async function serveStandIn(): Promise<number> {
  const { home, log: path } = currentPaths();
  const { config } = await readConfig(home);
  const log = createLog({
    path,
    level: config.log.level,
    redact: <Value>(record: Value) => redactDeep(record).value as Value,
  });
  const end = () => process.exit(0);
  process.on("SIGTERM", end);
  await standIn({ home, host: await loadHost(), log: log.child("gateway"), now: Date.now });
  await log.flush();
  return 0;
}

/** How many sessions reach their model through the gateway right now; 0 where no server answers. */
export async function gatewaySessions(paths: Paths): Promise<number> {
  try {
    const about = { paths, start: false, timeoutMs: 3_000 };
    const { gateway } = await server.get("/api/status", about);
    return gateway?.sessions ?? 0;
  } catch {
    return 0;
  }
}

/** Starts it, before the server stops; it takes the port as soon as that is free. False when it did not come up. */
export async function startStandIn(paths: Paths): Promise<boolean> {
  const host = await loadHost();
  host.spawnDetached([...host.selfCommand(), "serve", "--stand-in"], {
    env: serverEnvironment(process.env, paths.home, []),
    // Not the home: an uninstall may take it away.
    cwd: "/",
  });
  return await soon(() => existsSync(standInFile(paths.home)));
}

/** Waits, once the server is gone, until what stands in has the port: a request in between would find nobody. */
export async function standInTookOver(paths: Paths): Promise<boolean> {
  return await soon(() => standInListens(paths.home));
}

async function soon(is: () => Promise<boolean> | boolean): Promise<boolean> {
  const end = Date.now() + thereWithinMs;
  while (Date.now() < end) {
    if (await is()) return true;
    await pause(25);
  }
  return false;
}

/** What a person is told of it. */
export function standInNote(sessions: number, came: boolean): string {
  const who = plural(sessions, "open session reaches", "open sessions reach");
  return came
    ? `${who} the model through memoir's gateway: a process of its own passes requests on, unchanged, until a server takes over or they were silent for 12 hours.`
    : `${who} the model through memoir's gateway, and nothing could be started to pass requests on: start these sessions anew.`;
}
