// The life of a server: take the lock, start the parts, listen, say so, and undo it all in reverse.

import { createHash } from "node:crypto";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { createFillIn, startWatch } from "../../backfill/fill-in.ts";
import { createBackfills } from "../../backfill/job.ts";
import { createRebuild } from "../../backfill/rebuild.ts";
import { startTurnMigration } from "../../backfill/turn-migration.ts";
import { addFinding } from "../../home/findings.ts";
import type { Log } from "../../home/log.ts";
import { mendTexts, prepareHome } from "../../home/make-home.ts";
import type { HomeRule } from "../../home/old-copies.ts";
import type { Environment, Paths } from "../../home/paths.ts";
import { atomicWrite } from "../../home/read-file.ts";
import { type Host, type Listener, loadHost } from "../../host/index.ts";
import { createSpoolLoop, prepareUnkept } from "../../runtime/events/spool.ts";
import { writeAnnounced } from "../../runtime/plugins/announced.ts";
import type { NoteChange } from "../../runtime/ports.ts";
import { createScheduler, pluginJobs } from "../../runtime/schedules/scheduler.ts";
import { within } from "../../sdk/within.ts";
import { createSync } from "../../sync/service.ts";
import { size } from "../../text/amounts.ts";
import { type ServerInfo, socketOf } from "../endpoint.ts";
import { createGateway, type GatewaySettings } from "../gateway/gateway.ts";
import type { Refusals } from "../hook-route.ts";
import type { MemoryRules, Retention } from "../memory/retention.ts";
import { createChanges, createServer, type Server } from "../server.ts";
import { inTime } from "./late.ts";
import { lockOrThrow, type ServerLock } from "./lock.ts";
import { ensureToken, withdraw, writeHookDeadlines } from "./server-info.ts";
import type { ServerRuntime } from "./server-runtime.ts";
import { noteStarting, startMarker } from "./start-server.ts";
import { createLook, type LookedAt, lateRetention } from "./when-quiet.ts";

export interface RunOptions {
  paths: Paths;
  log: Log;
  /** `changed` is called with everything that is committed. */
  createRuntime(changed: NoteChange): Promise<ServerRuntime>;
  /** By which clients' transcripts are found; default the process's. */
  env?: Environment;
  /** Milliseconds between two looks at transcripts; absent or 0: nobody looks. */
  watchEveryMs?: number;
  /** The gateway's part of config, as it is now; absent: there is no gateway. */
  gateway?(): Promise<GatewaySettings>;
  /** Milliseconds between two looks at the spool. */
  lookEveryMs?: number;
  /** Before what was lost is made again, in ms; see `RebuildDeps`. */
  rebuildWaitMs?: number;
  version: string;
  /** Preferred TCP port; 0 or absent: any. */
  port?: number;
  /** Whether config wants a backup every day; absent: nobody makes one. */
  wantsDailyBackup?(): Promise<boolean>;
  /** Whether the databases are read whole every day; absent: nobody does. */
  checksDaily?: boolean;
  /** Whether config wants a look for newer releases every day; absent: nobody looks. */
  wantsReleases?(): Promise<boolean>;
  /** How long memory, and files that nothing else bounds, are kept; absent: nobody looks. */
  retention?(): Promise<HomeRule & { memory: MemoryRules }>;
  now?(): number;
}

export interface RunningServer {
  info: ServerInfo;
  /** Finishes what is under way, then releases everything. Safe to call twice. */
  stop(): Promise<void>;
  /** Resolves after a stop, whoever asked for it. */
  stopped: Promise<void>;
}

/** How long the start lets waiting events go first. */
const firstDrainMs = 1_000;

/** Runs the one server of a home. Throws MemoirError `server_running` when another process is it. */
export async function runServer(options: RunOptions): Promise<RunningServer> {
  const { paths, log } = options;
  await prepareHome(paths);
  const lock = await lockOrThrow(paths);
  try {
    await mendTexts(paths);
    await noteNewHome(paths, log);
    // Left by a server that was killed: nobody may take this one, which does not listen yet, for that.
    await rm(paths.serverInfo, { force: true });
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

/** What is stored from now on goes through today's rules: `memoir doctor` offers to go over older homes alone. */
async function noteNewHome(paths: Paths, log: RunOptions["log"]): Promise<void> {
  const { isEmptyHome, writeMark } = await import("../../health/redaction.ts");
  if (isEmptyHome(paths))
    await writeMark(paths.home, Date.now()).catch((error: unknown) =>
      log.warn("redaction mark not written", { error }),
    );
}

/** What changes while a server comes up and goes. */
interface Standing extends LookedAt {
  listeners: Listener[];
  /** Known once TCP listens. */
  info?: ServerInfo;
  stopping?: Promise<void>;
}

/** Starts the server of a home whose lock is held. Long because it is the order of the start. */
async function serveLocked(options: RunOptions, lock: ServerLock): Promise<RunningServer> {
  const { paths, log } = options;
  const now = options.now ?? Date.now;
  const host = await loadHost();
  const token = await ensureToken(paths.token);
  const standing: Standing = { listeners: [] };
  const { promise: stopped, resolve: announceStopped } = Promise.withResolvers<void>();
  await noteStarting(paths, await openingText(paths));
  const parts = await openParts(options, host, now);
  const stop = (): Promise<void> => {
    standing.stopping ??= closeAll(parts, standing, options).finally(() => {
      lock.release();
      announceStopped();
    });
    return standing.stopping;
  };
  const writeForCommands = async () => {
    const { hooks, parts: brought, status } = parts.runtime;
    await writeHookDeadlines(paths.hookDeadlines, hooks.subscriptions());
    await writeAnnounced(paths, (await status()).plugins, brought.list());
  };

  try {
    const memory = memoryOf(parts, options.retention, now);
    const routes = { ...options, now, token, standing, writeForCommands, stop, memory };
    const server = routesOf(parts, routes);
    await within(firstDrainMs, parts.spool.drain(), undefined);
    const tcp = await listenTcp(host, options.port ?? 0, server, log, paths.home);
    standing.listeners.push(tcp);
    const socket = socketOf(paths, process.platform);
    const info: ServerInfo = {
      pid: process.pid,
      port: tcp.port ?? 0,
      socket: socket ?? null,
      version: options.version,
      startedAt: now(),
    };
    standing.info = info;
    await writeForCommands();
    // Before the socket answers: whoever has had an answer finds the server announced.
    await atomicWrite(paths.serverInfo, `${JSON.stringify(info)}\n`);
    const announced = { file: await stat(paths.serverInfo), socket: info.socket };
    if (socket !== undefined) standing.listeners.push(await listenUnix(host, socket, server));
    standing.announced = announced;
    await inTime(paths);
    await prepareUnkept(paths).catch((error: unknown) =>
      log.warn("no room to count in", { error }),
    );
    log.info("server started", { ...info });
    void parts.sync.start();
    const scheduler = createScheduler({
      path: paths.schedules,
      now,
      served: server.served,
      jobs: () => pluginJobs(parts.runtime.parts),
      log: log.child("schedules"),
    });
    parts.readers.push(scheduler);
    await scheduler.look();
    // A schedule that comes with a plugin counts from then on.
    const plugins = await parts.runtime.watchPlugins?.(async () => {
      await writeForCommands();
      await scheduler.look();
    });
    if (plugins) parts.readers.push(plugins);
    const { rebuild, spool } = parts;
    const gateway = parts.gateway?.whileInUse;
    const looks = { ...options, now, standing, gateway, rebuild, stop, retention: memory };
    spool.start(
      createLook({
        ...looks,
        served: server.served,
        collect: () => host.collectGarbage(),
        ...(options.retention && { files: options.retention }),
      }),
    );
    return { info, stop, stopped };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A large memory takes its time to be opened, more so at the first start of a version. */
async function openingText({ memory, journal }: Paths): Promise<string> {
  const sizes = [memory, journal].map((path) => stat(path).catch(() => undefined));
  const bytes = (await Promise.all(sizes)).reduce((sum, one) => sum + (one?.size ?? 0), 0);
  return bytes > 0 ? `opening ${size(bytes)} of memory and its plugins` : "opening its plugins";
}

/** What memory no longer keeps. */
function memoryOf({ runtime }: ServerParts, retention: RunOptions["retention"], now: () => number) {
  return lateRetention({ runtime, rules: async () => (await retention?.())?.memory, now });
}

interface RoutesOptions extends RunOptions {
  now(): number;
  /** What memory no longer keeps. */
  memory: Retention;
  token: string;
  standing: Standing;
  writeForCommands(): Promise<void>;
  stop(): Promise<void>;
}

/** The server's routes over its parts. */
function routesOf(
  { runtime, changes, gateway, spool, backfills, rebuild, fillIn, sync }: ServerParts,
  options: RoutesOptions,
): Server {
  const { paths, version, log, now, token, standing } = options;
  const refusals: Refusals = {};
  /** A request can come in as soon as TCP listens. */
  const starting = { pid: process.pid, port: 0, socket: null, version, startedAt: now() };
  return createServer({
    ...{ runtime, changes, token, version, log, now, refusals, backfills, sync },
    before: spool.before,
    fillIn,
    heard: (event) => gateway?.whileInUse.heard?.(event),
    notice: () => [gateway?.trouble(), standing.unkept].filter(Boolean).join("\n") || undefined,
    serverStatus: async () => {
      const making = rebuild.progress();
      const shared = await sync.brief();
      return {
        ...(standing.info ?? starting),
        home: paths.home,
        refused: { ...refusals },
        spool: { waiting: await spool.waiting() },
        ...(gateway && { gateway: gateway.status() }),
        ...(shared && { sync: shared }),
        ...(making && { rebuild: making }),
      };
    },
    drainSpool: spool.drain,
    retention: options.memory,
    async reloaded() {
      await options.writeForCommands();
      await gateway?.apply();
    },
    // Later, so that the answer to the request goes out first.
    stop: () => setTimeout(options.stop, 10),
  });
}

// Where a server is reached: a unix socket in its private folder, and guarded loopback TCP.

const loopback = "127.0.0.1";

/** The unix socket. */
export async function listenUnix(host: Host, socket: string, server: Server): Promise<Listener> {
  // Left by a server that was killed; the lock is ours, so nobody listens on it.
  await rm(socket, { force: true });
  return host.listen({ unix: socket }, server.fetch);
}

/** A home's server is found at the same port each time, so that an address of the page can be kept. Below what systems give out. */
export function usualPort(home: string): number {
  return 20_000 + (createHash("sha256").update(home).digest().readUInt32BE(0) % 10_000);
}

/** Loopback TCP at the wanted port, else at any; 0 wants the home's usual one, where it is free. */
export async function listenTcp(
  host: Host,
  port: number,
  server: Server,
  log: Log,
  home: string,
): Promise<Listener> {
  const any = () => host.listen({ hostname: loopback, port: 0 }, server.guardedFetch);
  if (port === 0)
    return host
      .listen({ hostname: loopback, port: usualPort(home) }, server.guardedFetch)
      .catch(any);
  try {
    return await host.listen({ hostname: loopback, port }, server.guardedFetch);
  } catch (error) {
    log.warn("the configured port is taken; another is used", { port, error });
    return any();
  }
}

// What works inside a server beside its routes: the runtime, the gateway, the spool, and the readers of transcripts; and how all of it is closed.

/** What is started with the server. */
type ServerParts = Awaited<ReturnType<typeof openParts>>;

/** Starts them all but the looks at the spool. Long because the parts know each other. The gateway listens before anything else: a client may be waiting for its model. */
async function openParts(options: RunOptions, host: Host, now: () => number) {
  const { paths, log } = options;
  const changes = createChanges(now());
  /** Absent as long as nothing is shared. */
  let noteStored: (() => void) | undefined;
  const runtime = await options.createRuntime((what, session) => {
    changes.tell(what, session);
    if (what === "records") noteStored?.();
  });
  const sync = createSync({
    ...{ paths, log: log.child("sync"), now, env: options.env ?? process.env },
    runtime: {
      get hooks() {
        return runtime.hooks;
      },
      reload: () => runtime.reload(),
    },
    // What others forgot is no news to them.
    forget: (ids, heard) => runtime.forget(ids, { gently: true, heard }),
    arrived: async () => changes.tell("records"),
    isOff: () => runtime.isOff("sync"),
    began: (note) => {
      noteStored = note;
    },
  });
  const gateway =
    options.gateway &&
    createGateway({
      host,
      settings: options.gateway,
      hooks: () => runtime.hooks,
      log: log.child("gateway"),
      now,
      home: paths.home,
    });
  await gateway?.apply();
  const fillIn = createFillIn({
    runtime: runtime.transcripts,
    env: options.env ?? process.env,
    log: log.child("transcripts"),
  });
  const spool = createSpoolLoop({
    folder: paths.spool,
    async handle(event) {
      gateway?.whileInUse.heard?.(event);
      return runtime.handle(await fillIn(event));
    },
    log,
    now,
    emptied: () => inTime(paths),
    rejected(name) {
      const aside = join(paths.spool, "rejected", name);
      const what = "was damaged: one event that waited there is lost";
      addFinding(paths.home, { time: now(), file: `spool/${name}`, what, aside });
    },
    ...(options.lookEveryMs === undefined ? {} : { everyMs: options.lookEveryMs }),
  });
  const reading = { runtime: runtime.transcripts, home: paths.home, now };
  const backfills = createBackfills({ ...reading, log: log.child("backfill") });
  const rebuild = createRebuild({
    ...{ home: paths.home, now, ...runtime.transcripts },
    hooks: () => runtime.hooks,
    log: log.child("rebuild"),
    ...(options.rebuildWaitMs === undefined ? {} : { waitMs: options.rebuildWaitMs }),
  });
  const watch = options.watchEveryMs
    ? startWatch({
        ...reading,
        log: log.child("watch"),
        everyMs: options.watchEveryMs,
        ready: () => rebuild.look(),
      })
    : undefined;
  const first = rebuild.look();
  const turns = startTurnMigration({
    after: first,
    ...{ home: paths.home, now, ...runtime.transcripts },
    hooks: () => runtime.hooks,
    log: log.child("turns"),
  });
  /** Whatever reads on its own and has to end with the server; more may be added. */
  const readers: Array<{ stop(): Promise<void> }> = [sync, backfills, turns, rebuild];
  if (watch) readers.push(watch);
  return { runtime, changes, gateway, spool, backfills, rebuild, fillIn, readers, sync };
}

const graceMs = 3_000;

/** Everything in reverse; one part that fails does not keep the next from closing. */
async function closeAll(
  { runtime, changes, spool, gateway, readers }: ServerParts,
  { listeners, info }: Standing,
  { paths, log }: RunOptions,
): Promise<void> {
  const steps: Array<[string, () => Promise<unknown>]> = [
    ["server.json", () => withdraw(paths, info)],
    ["gateway", async () => gateway?.stop(graceMs)],
    // Before the listeners, which wait for answers that are under way: these have no end of their own.
    ["changes", async () => changes.stop()],
    ["listeners", () => Promise.all(listeners.map((listener) => listener.stop(graceMs)))],
    ["spool", () => spool.stop()],
    [
      "readers",
      () => within(graceMs, Promise.all(readers.map((reader) => reader.stop())), undefined),
    ],
    ["runtime", () => runtime.stop()],
  ];
  for (const [part, step] of steps) {
    try {
      await step();
    } catch (error) {
      log.error("not closed cleanly", { part, error });
    }
  }
}
