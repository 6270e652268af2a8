// The life of a server: take the lock, start the runtime, listen, say so, and undo it all in reverse.
import { rm } from "node:fs/promises";
import process from "node:process";
import { createBackfills } from "../../backfill/backfills.ts";
import { startWatch } from "../../backfill/watch.ts";
import { atomicWrite } from "../../home/atomic-write.ts";
import type { Log } from "../../home/log.ts";
import { prepareHome } from "../../home/make-home.ts";
import type { Paths } from "../../home/paths.ts";
import { type Host, type Listener, loadHost } from "../../host/index.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { createServer, type Server } from "../app.ts";
import { ensureToken } from "../auth/token.ts";
import { type ServerInfo, socketOf } from "../endpoint.ts";
import { createGateway, type Gateway, type GatewaySettings } from "../gateway/gateway.ts";
import { writeHookDeadlines } from "../hook-deadlines.ts";
import type { Refusals } from "../routes/hook.ts";
import { acquireLock, type ServerLock } from "./lock.ts";
import { isAnnounced, readServerInfo, withdraw } from "./server-info.ts";
import type { ServerRuntime } from "./server-runtime.ts";
import { type SpoolLoop, startSpoolLoop, withinMs } from "./spool-loop.ts";
import { startMarker } from "./start-server.ts";

export interface RunOptions {
  paths: Paths;
  version: string;
  log: Log;
  /** Called once the lock is held. */
  createRuntime(): Promise<ServerRuntime>;
  /** Preferred TCP port; 0 or absent: any. */
  port?: number;
  now?(): number;
  /** Milliseconds between two looks at transcripts; absent or 0: nobody looks. */
  watchEveryMs?: number;
  /** The gateway's part of config, as it is now; absent: there is no gateway. */
  gateway?(): Promise<GatewaySettings>;
  /** Milliseconds between two looks at the spool and at the home itself. */
  lookEveryMs?: number;
}

export interface RunningServer {
  info: ServerInfo;
  /** Finishes what is under way, then lets go of everything. Safe to call twice. */
  stop(): Promise<void>;
  /** Resolves after a stop, whoever asked for it. */
  stopped: Promise<void>;
}

const loopback = "127.0.0.1";
const graceMs = 3_000;
/** How long a start waits for a server that is just coming or going. */
const lockWaitMs = 5_000;
/** How long somebody who only looks whether the lock is free may hold it. */
const lockGlanceMs = 200;
/** How long the start lets waiting events go first. */
const firstDrainMs = 1_000;

/** Runs the one server of a home. Throws MemoirError `server_running` when another process is it. */
export async function runServer(options: RunOptions): Promise<RunningServer> {
  const { paths, log } = options;
  await prepareHome(paths);
  const lock = await lockOrThrow(paths);
  try {
    return await serveLocked(options, lock);
  } catch (error) {
    lock.release();
    throw error;
  } finally {
    await rm(startMarker(paths), { force: true }).catch((error: unknown) =>
      log.warn("start marker not removed", { error }),
    );
  }
}

async function serveLocked(options: RunOptions, lock: ServerLock): Promise<RunningServer> {
  const { paths, log } = options;
  const now = options.now ?? Date.now;
  const host = await loadHost();
  const token = await ensureToken(paths.token);
  const runtime = await options.createRuntime();
  const refusals: Refusals = {};
  const gateway =
    options.gateway &&
    createGateway({
      host,
      settings: options.gateway,
      hooks: () => runtime.hooks,
      log: log.child("gateway"),
      now,
    });
  // Before anything that takes time: a client may be waiting for its model.
  await gateway?.apply();
  const spool = startSpoolLoop({
    folder: paths.spool,
    handle: (event) => runtime.handle(event),
    log,
    now,
    afterLook: async () => {
      // A home that was removed or moved: nobody reaches this server any more, and the next hook starts another.
      if (announced && !stopping && !(await isAnnounced(paths, announced))) void stop();
      // A port that was taken may be free by now.
      else if (!stopping && gateway?.trouble() !== undefined) await gateway.apply();
    },
    ...(options.lookEveryMs === undefined ? {} : { everyMs: options.lookEveryMs }),
  });
  const reading = { runtime: runtime.transcripts, home: paths.home, now };
  const backfills = createBackfills({ ...reading, log: log.child("backfill") });
  const watch = options.watchEveryMs
    ? startWatch({ ...reading, log: log.child("watch"), everyMs: options.watchEveryMs })
    : undefined;
  const applyDeadlines = () =>
    writeHookDeadlines(paths.hookDeadlines, runtime.hooks.subscriptions());
  const listeners: Listener[] = [];
  let pluginWatch: { stop(): Promise<void> } | undefined;
  let info: ServerInfo | undefined;
  let announced: ServerInfo | undefined;
  let stopping: Promise<void> | undefined;
  let announceStopped: () => void = () => {};
  const stopped = new Promise<void>((resolve) => {
    announceStopped = resolve;
  });
  const stop = (): Promise<void> => {
    stopping ??= close({
      ...{ paths, log, lock, runtime, spool, listeners, info, gateway },
      readers: [backfills, ...(watch ? [watch] : []), ...(pluginWatch ? [pluginWatch] : [])],
    }).finally(announceStopped);
    return stopping;
  };
  try {
    const server = createServer({
      runtime,
      token,
      version: options.version,
      log,
      now,
      refusals,
      backfills,
      before: spool.before,
      notice: () => gateway?.trouble(),
      serverStatus: async () => ({
        ...info,
        home: paths.home,
        refused: { ...refusals },
        spool: { waiting: await spool.waiting() },
        ...(gateway && { gateway: gateway.status() }),
      }),
      drainSpool: spool.drain,
      reloaded: async () => {
        await applyDeadlines();
        await gateway?.apply();
      },
      // Later, so that the answer to the request goes out first.
      stop: () => setTimeout(stop, 10),
    });
    await withinMs(spool.drain(), firstDrainMs);
    const socket = socketOf(paths, process.platform);
    const tcp = await listenTcp(host, options, server);
    listeners.push(tcp);
    info = {
      pid: process.pid,
      port: tcp.port ?? 0,
      socket: socket ?? null,
      version: options.version,
      startedAt: now(),
    };
    await applyDeadlines();
    // Before the socket answers: whoever has had an answer finds the server announced.
    await atomicWrite(paths.serverInfo, `${JSON.stringify(info)}\n`);
    if (socket !== undefined) listeners.push(await listenUnix(host, socket, server));
    announced = info;
    log.info("server started", { ...info });
    pluginWatch = await runtime.watchPlugins?.(applyDeadlines);
    return { info, stop, stopped };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function lockOrThrow(paths: Paths): Promise<ServerLock> {
  const began = Date.now();
  for (;;) {
    const lock = await acquireLock(paths.serverLock);
    if (lock) return lock;
    const info = await readServerInfo(paths.serverInfo);
    // Locked but not announced: a server that is just starting, or just stopping. A shorter hold is somebody's look.
    if (Date.now() - began > (info ? lockGlanceMs : lockWaitMs)) {
      const who = info ? ` (pid ${info.pid})` : "";
      throw new MemoirError("server_running", `A memoir server${who} owns ${paths.home}.`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function listenUnix(host: Host, socket: string, server: Server): Promise<Listener> {
  // Left by a server that was killed; the lock is ours, so nobody listens on it.
  await rm(socket, { force: true });
  return host.listen({ unix: socket }, server.fetch);
}

async function listenTcp(host: Host, options: RunOptions, server: Server): Promise<Listener> {
  const any = () => host.listen({ hostname: loopback, port: 0 }, server.guardedFetch);
  const { port = 0, log } = options;
  if (port === 0) return any();
  try {
    return await host.listen({ hostname: loopback, port }, server.guardedFetch);
  } catch (error) {
    log.warn("the configured port is taken; another is used", { port, error });
    return any();
  }
}

interface Opened {
  paths: Paths;
  log: Log;
  lock: ServerLock;
  runtime: ServerRuntime;
  spool: SpoolLoop;
  listeners: Listener[];
  gateway: Gateway | undefined;
  info: ServerInfo | undefined;
  /** Of transcripts. */
  readers: ReadonlyArray<{ stop(): Promise<void> }>;
}

/** Everything in reverse; one part that fails does not keep the next from closing. */
async function close(opened: Opened): Promise<void> {
  const { paths, log, lock, runtime, spool, listeners, gateway, info, readers } = opened;
  const steps: Array<[string, () => Promise<unknown>]> = [
    ["server.json", () => withdraw(paths, info)],
    ["gateway", async () => gateway?.stop(graceMs)],
    ["listeners", () => Promise.all(listeners.map((listener) => listener.stop(graceMs)))],
    ["spool", () => spool.stop()],
    ["readers", () => withinMs(Promise.all(readers.map((reader) => reader.stop())), graceMs)],
    ["runtime", () => runtime.stop()],
  ];
  for (const [part, step] of steps) {
    try {
      await step();
    } catch (error) {
      log.error("not closed cleanly", { part, error });
    }
  }
  lock.release();
}
