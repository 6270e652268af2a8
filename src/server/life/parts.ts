// What works inside a server beside its routes: the runtime, the gateway, the spool, and the readers of transcripts; and how all of it is closed.

import { join } from "node:path";
import process from "node:process";
import { createFillIn, type FillIn } from "../../backfill/fill-in.ts";
import { type Backfills, createBackfills } from "../../backfill/job.ts";
import { createRebuild, type Rebuild } from "../../backfill/rebuild.ts";
import { startTurnMigration } from "../../backfill/turn-migration.ts";
import { startWatch } from "../../backfill/watch.ts";
import { addFinding } from "../../home/findings.ts";
import type { Log } from "../../home/log.ts";
import type { Environment, Paths } from "../../home/paths.ts";
import type { Host, Listener } from "../../host/index.ts";
import { createSpoolLoop, type SpoolLoop } from "../../runtime/events/spool.ts";
import type { NoteChange } from "../../runtime/ports.ts";
import { within } from "../../sdk/within.ts";
import type { ServerInfo } from "../endpoint.ts";
import { createGateway, type Gateway, type GatewaySettings } from "../gateway/gateway.ts";
import { type Changes, createChanges } from "./changes.ts";
import { inTime } from "./late.ts";
import type { ServerLock } from "./lock.ts";
import { withdraw } from "./server-info.ts";
import type { ServerRuntime } from "./server-runtime.ts";

export interface PartsOptions {
  paths: Paths;
  log: Log;
  host: Host;
  now(): number;
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
}

export interface Parts {
  runtime: ServerRuntime;
  /** Changes as they happen, for whoever looks on. */
  changes: Changes;
  gateway: Gateway | undefined;
  spool: SpoolLoop;
  backfills: Backfills;
  rebuild: Rebuild;
  fillIn: FillIn;
  /** Whatever reads on its own and has to end with the server; more may be added. */
  readers: Array<{ stop(): Promise<void> }>;
}

/** Starts them all but the looks at the spool. The gateway listens before anything else: a client may be waiting for its model. */
export async function openParts(options: PartsOptions): Promise<Parts> {
  const { paths, log, host, now } = options;
  const changes = createChanges(now());
  const runtime = await options.createRuntime(changes.tell);
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
      gateway?.heard(event);
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
    ...runtime.transcripts,
    hooks: () => runtime.hooks,
    now,
    log: log.child("turns"),
  });
  const readers = [backfills, turns, rebuild, ...(watch ? [watch] : [])];
  return { runtime, changes, gateway, spool, backfills, rebuild, fillIn, readers };
}

interface Opened extends Parts {
  paths: Paths;
  log: Log;
  lock: ServerLock;
  listeners: readonly Listener[];
  info: ServerInfo | undefined;
}

const graceMs = 3_000;

/** Everything in reverse; one part that fails does not keep the next from closing. */
export async function closeAll(opened: Opened): Promise<void> {
  const { paths, log, lock, runtime, changes, spool, listeners, gateway, info, readers } = opened;
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
  lock.release();
}
