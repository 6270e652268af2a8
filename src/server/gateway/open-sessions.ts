// Which sessions reach their model through the gateway, and where each was led when it began: that stays, whatever is configured
// later, and another process keeps it while no server does.

import { rm } from "node:fs/promises";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import * as v from "valibot";
import type { Log } from "../../home/log.ts";
import { atomicWrite, isThere, readFileText } from "../../home/read-file.ts";
import type { Host, Listener } from "../../host/host.ts";
import { handleRequest, noCounts } from "./handle-request.ts";
import { fetchInit, readNetwork } from "./proxy.ts";

/** Where a session's requests go: it knows the port, and the gateway the address. */
export interface Way {
  port: number;
  /** Without a slash at its end. */
  upstream: string;
}

const WaySchema = v.object({ port: v.number(), upstream: v.string() });
const FileSchema = v.object({
  last: v.nullable(WaySchema),
  sessions: v.record(
    v.string(),
    // Whether it sent a request yet; it may have begun only, and may go past the gateway.
    v.object({ ...WaySchema.entries, at: v.number(), asked: v.boolean() }),
  ),
  /** Sessions of which the API refused a shortened request, each with when (epoch ms); one that ended may be resumed. */
  refused: v.optional(v.record(v.string(), v.number()), () => ({})),
});

type OpenFile = v.InferOutput<typeof FileSchema>;

/** A session that was silent for this long, and did not say that it ends, is taken for closed. */
export const silentMs = 12 * 60 * 60_000;
const mostKept = 1_000;
/** How long it is remembered that the API refused. */
const refusedMs = 30 * 24 * 60 * 60_000;
/** A time this old is written anew. */
const freshMs = 10 * 60_000;

/** Below the home: which sessions are open, for whoever listens next. */
export function openSessionsFile(home: string): string {
  return `${home}/gateway-sessions.json`;
}

/** What the file says; empty where there is none, or none that is understood. */
async function readFile(path: string): Promise<OpenFile> {
  try {
    const parsed = v.safeParse(FileSchema, JSON.parse(await readFileText(path)));
    if (parsed.success) return parsed.output;
  } catch {
    // Nobody was ever led through.
  }
  return { last: null, sessions: {}, refused: {} };
}

export type OpenSessions = Awaited<ReturnType<typeof openSessions>>;

/**
 * Goes on from what the home's file says, and keeps it up to date while `mayWrite`; a failure to write costs only what the
 * next server knows. Long because its short steps share which sessions are open.
 */
export async function openSessions(
  home: string,
  now: () => number,
  mayWrite: () => Promise<boolean> = async () => true,
) {
  const path = openSessionsFile(home);
  const known = await readFile(path);
  const sessions = new Map(Object.entries(known.sessions));
  const refused = new Map(Object.entries(known.refused).filter(([, at]) => at > now() - refusedMs));
  let last = known.last ?? undefined;
  let writing: Promise<void> = Promise.resolve();
  let waits = false;

  function save(): void {
    if (waits) return;
    waits = true;
    writing = writing.then(async () => {
      waits = false;
      const file: OpenFile = {
        last: last ?? null,
        sessions: Object.fromEntries(sessions),
        refused: Object.fromEntries(refused),
      };
      if (await mayWrite())
        await atomicWrite(path, `${JSON.stringify(file)}\n`).catch(() => undefined);
    });
  }

  function prune(): void {
    const since = now() - silentMs;
    for (const [session, { at }] of sessions) if (at < since) sessions.delete(session);
  }

  /** Notes that a session is there; what it was led to first stays. */
  function note(session: string, way: Way, asked: boolean): void {
    const known = sessions.get(session);
    const one = { ...way, at: now(), asked: asked || (known?.asked ?? false) };
    sessions.delete(session);
    sessions.set(session, one);
    const [oldest] = sessions.keys();
    if (sessions.size > mostKept && oldest !== undefined) sessions.delete(oldest);
    const isKnown = known?.port === way.port && known.asked === one.asked;
    if (!isKnown || one.at - known.at > freshMs) save();
  }

  return {
    /** A request came on a port; gives where it goes. `current`: where new sessions are led; undefined while the gateway is off. */
    wayOf(session: string, port: number, current: Way | undefined): Way | undefined {
      if (current && (last?.port !== current.port || last.upstream !== current.upstream)) {
        last = current;
        save();
      }
      const way = sessions.get(session) ?? (current?.port === port ? current : last);
      if (!way) return undefined;
      const { upstream } = way;
      // Whoever names no session is none that could end.
      if (session !== "") note(session, { port, upstream }, true);
      return { port, upstream };
    },
    /** It begins while the gateway is on: its first request may come later. */
    began(session: string, current: Way): void {
      last = current;
      note(session, sessions.get(session) ?? current, false);
    },
    /** It said that it ends. */
    ended(session: string): void {
      if (sessions.delete(session)) save();
    },
    /** The API refused a request of it that had been shortened. */
    refuse(session: string): void {
      refused.set(session, now());
      const [oldest] = refused.keys();
      if (refused.size > mostKept && oldest !== undefined) refused.delete(oldest);
      save();
    },
    /** Whether its requests go out whole for that. */
    isRefused: (session: string): boolean => refused.has(session),
    /** Whether there is any such session. */
    anyRefused: (): boolean => refused.size > 0,
    /** Ports that are still asked by somebody. */
    ports(): Set<number> {
      prune();
      return new Set([...sessions.values()].map(({ port }) => port));
    },
    /** How many of them sent a request. */
    count(): number {
      prune();
      return [...sessions.values()].filter(({ asked }) => asked).length;
    },
    /** Where a session goes that nobody knows, while the gateway is off. */
    last: (): Way | undefined => last,
    /** Ends once all of it is on disk. */
    written: (): Promise<void> => writing,
  };
}

// What keeps the gateway's port while no server does: a process that passes the requests of open sessions on, unchanged, until a server takes it back.

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
