// What keeps the gateway's port while no server does: a process that passes the requests of open sessions on, unchanged, until a server takes it back.
import { rm } from "node:fs/promises";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "../../home/log.ts";
import { atomicWrite, isThere, readFileText } from "../../home/read-file.ts";
import type { Host, Listener } from "../../host/host.ts";
import { handleRequest, noCounts } from "./handle-request.ts";
import { openSessions, openSessionsFile } from "./open-sessions.ts";
import { fetchInit, readNetwork } from "./proxy.ts";

/** Says that a stand-in is there. */
export function standInFile(home: string): string {
  return `${home}/gateway-stand-in.json`;
}

/** True once it has the ports that it was to keep. */
export async function standInListens(home: string): Promise<boolean> {
  const text = await readFileText(standInFile(home)).catch(() => "");
  return text.includes('"listening":true');
}

/** Asks it to leave. A home that is gone asks nobody: an uninstall may have taken it along. */
function leaveFile(home: string): string {
  return `${home}/gateway-stand-in.leave`;
}

const lookMs = 50;
/** Between two looks of a stand-in that listens. */
const quietLookMs = 250;
/** How long a port may take to become free. */
const freeWithinMs = 20_000;
/** How long answers that are under way may go on once a server has taken over. */
const answersMs = 10 * 60_000;

/** Listens; where a stand-in holds the port, it is asked to leave first. Rejects when the port stays taken. */
export async function relieved(home: string, listen: () => Promise<Listener>): Promise<Listener> {
  try {
    return await listen();
  } catch (taken) {
    if (!(await isThere(standInFile(home)))) throw taken;
    await atomicWrite(leaveFile(home), "");
    try {
      for (let waited = 0; waited < 2_000; waited += lookMs) {
        await pause(lookMs);
        const listener = await listen().catch(() => undefined);
        if (listener) return listener;
      }
      throw taken;
    } finally {
      await rm(leaveFile(home), { force: true });
      await rm(standInFile(home), { force: true });
    }
  }
}

interface StandInOptions {
  home: string;
  host: Host;
  log: Log;
  now(): number;
}

/**
 * Passes on until a server wants the ports, or every session was silent for long. Ends at once where no session is open,
 * and where a port does not become free.
 */
export async function standIn({ home, host, log, now }: StandInOptions): Promise<void> {
  // A home that an uninstall took along does not come back.
  const sessions = await openSessions(home, now, () => isThere(openSessionsFile(home)));
  const counts = { ...noCounts };
  const ports = sessions.ports();
  if (ports.size === 0) return;
  const network = await readNetwork(home);
  await rm(leaveFile(home), { force: true });
  const say = (listening: boolean) =>
    atomicWrite(standInFile(home), `${JSON.stringify({ pid: process.pid, listening })}\n`);
  await say(false);
  const listeners: Listener[] = [];
  for (const port of ports) {
    const serve = () =>
      host.listen({ hostname: "127.0.0.1", port }, (request) =>
        handleRequest(request, {
          ...{ host: host.name, log, now, counts },
          upstreamOf: (session) => sessions.wayOf(session, port, undefined)?.upstream,
          by: (upstream) => fetchInit(host, upstream, network),
        }),
      );
    const listener = await freed(serve, () => isThere(leaveFile(home)));
    if (listener) listeners.push(listener);
  }
  if (listeners.length > 0 && (await isThere(standInFile(home)))) await say(true);
  while (listeners.length > 0 && sessions.ports().size > 0 && !(await isThere(leaveFile(home))))
    await pause(quietLookMs);
  // The port is free at once; what is being answered goes on.
  await Promise.all(listeners.map((listener) => listener.stop(answersMs)));
  await sessions.written();
  const own = await readFileText(standInFile(home)).catch(() => "");
  if (own.includes(`"pid":${process.pid},`)) await rm(standInFile(home), { force: true });
}

/** Listens as soon as the port is free; undefined where it does not become so, or somebody else is to have it. */
async function freed(
  listen: () => Promise<Listener>,
  isUnwanted: () => Promise<boolean>,
): Promise<Listener | undefined> {
  for (let waited = 0; waited < freeWithinMs; waited += lookMs) {
    const listener = await listen().catch(() => undefined);
    if (listener) return listener;
    if (await isUnwanted()) return undefined;
    await pause(lookMs);
  }
  return undefined;
}
