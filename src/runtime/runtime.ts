// Puts the rooms together: an event goes through capture into the journal, plugins answer it, the worker is woken.
import process from "node:process";
import type { ClientEvent, Reply } from "../sdk/events.ts";
import { builtins as allBuiltins, type LoadPlugin } from "./builtins.ts";
import { captureEvent } from "./capture-event.ts";
import { type ConfigFile, readConfig } from "./config.ts";
import { prepareHome } from "./home.ts";
import { createHooks, type HeldHooks } from "./hooks.ts";
import type { Journal } from "./journal/journal-types.ts";
import { mergeReplies } from "./merge-replies.ts";
import { type Environment, memoirPaths, userHome } from "./paths.ts";
import type { HandleResult, Hooks, Log } from "./ports.ts";
import { createRecentKeys } from "./recent-keys.ts";
import { type Registry, startRegistry } from "./registry.ts";
import { publishSdk } from "./sdk-module.ts";
import { type RuntimeStatus, readStatus } from "./status.ts";
import type { DrainRequest, Worker, WorkerDeps } from "./worker/worker-types.ts";

export type { RuntimeStatus } from "./status.ts";

export interface RuntimeOptions {
  /** Absolute. */
  home: string;
  log: Log;
  /** For `~` in config; default the process's. */
  env?: Environment;
  /** Epoch ms. */
  now?: () => number;
  builtins?: Readonly<Record<string, LoadPlugin>>;
  createJournal?: (path: string, deps: { now: () => number; log: Log }) => Promise<Journal>;
  createWorker?: (deps: WorkerDeps) => Worker;
  /** How long a new session waits for the work of earlier ones in its project, in ms. */
  sessionWaitMs?: number;
}

/** memoir without a wire: what the server, tests and tools drive. */
export interface Runtime {
  /** The hooks in force, also after a reload. */
  readonly hooks: Hooks;
  readonly worker: Worker;
  /** Takes an event in. Resolves once it is committed; rejects only when it could not be. */
  handle(event: ClientEvent): Promise<HandleResult>;
  /** What `handle` would answer, without keeping the event. */
  reply(event: ClientEvent): Promise<Reply>;
  /** True when the asked work is done, false after `timeoutMs`. */
  drain(request: DrainRequest): Promise<boolean>;
  status(): Promise<RuntimeStatus>;
  /**
   * Reads config again and puts it in force: new plugins start, events under way finish on the old ones, then
   * those stop. A file that is no JSON leaves everything as it is. Keys of server, journal, worker and log take
   * effect with the next start.
   */
  reload(): Promise<void>;
  /** Finishes what is under way, stops plugins in reverse order, closes the journal. */
  stop(): Promise<void>;
}

/** What one reading of the config led to. */
interface Generation {
  file: ConfigFile;
  registry: Registry;
  hooks: HeldHooks;
}

/** Somebody may still be waiting for the answer to an event this young; an older one comes from the spool. */
const freshMs = 5_000;
/** How long a stop or a reload waits for calls under way. */
const idleMs = 5_000;

/** Opens the journal, starts plugins and worker. Rejects when the journal cannot be opened. */
export async function createRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { home, log, env = process.env, now = Date.now, sessionWaitMs = 700 } = options;
  const builtins = options.builtins ?? allBuiltins;
  const paths = memoirPaths(home);
  const startedAt = now();
  let current: Generation | undefined;
  let retiring: Promise<unknown> = Promise.resolve();
  let reloading: Promise<unknown> = Promise.resolve();
  let stopped: Promise<void> | undefined;

  await prepareHome(paths);
  await publishSdk(paths).catch((error) => log.warn("the SDK was not published", { error }));
  const openJournal = options.createJournal ?? (await import("./journal/journal.ts")).createJournal;
  const journal = await openJournal(paths.journal, { now, log: log.child("journal") });

  async function startGeneration(file: ConfigFile, previous?: Generation): Promise<Generation> {
    for (const { path, message } of file.problems) log.error("config", { path, problem: message });
    const registry = await startRegistry({
      config: file.config,
      builtins,
      home,
      userHome: userHome(env),
      log,
      now,
      hooks: () => current?.hooks,
      ...(previous ? { previous: previous.registry } : {}),
    });
    return { file, registry, hooks: createHooks(registry.running, { log, now }) };
  }

  let generation = await startGeneration(await readConfig(home));
  current = generation;

  const hooks: Hooks = {
    parallel: (name, input) => generation.hooks.parallel(name, input),
    sequence: (name, input) => generation.hooks.sequence(name, input),
    reduce: (name, input) => generation.hooks.reduce(name, input),
    first: (name, input) => generation.hooks.first(name, input),
    subscriptions: () => generation.hooks.subscriptions(),
  };

  const makeWorker = options.createWorker ?? (await import("./worker/worker.ts")).createWorker;
  const worker = makeWorker({
    journal,
    hooks: () => hooks,
    log: log.child("worker"),
    now,
    options: workerOptions(generation.file.config),
  });
  worker.start();

  const capture = (event: ClientEvent, { hooks, registry, file }: Generation) =>
    captureEvent(event, hooks, registry.captureBroken || file.captureUnclear);

  async function answer(event: ClientEvent, from: Generation): Promise<Reply> {
    const { reply, leftOut } = mergeReplies(await from.hooks.sequence(event.name, event));
    if (leftOut.length > 0) log.warn("context left out: no room", { plugins: leftOut });
    return reply;
  }

  /** A session that starts right after another one should know what that one did. */
  async function waitForEarlierWork(event: ClientEvent): Promise<void> {
    if (event.name !== "SessionStart" || !event.project) return;
    if (now() - event.time > freshMs) return;
    await worker.drain({ project: event.project.id, timeoutMs: sessionWaitMs });
  }

  // The journal knows no dropped events: a posted and a spooled copy of one are told apart here.
  const dropped = createRecentKeys(2_000);

  function tellDropped(event: ClientEvent, reason: string): void {
    if (!dropped.isNew(event.key)) return;
    journal.count(`drop:${reason}`);
    if (event.name !== "PostToolUse" && event.name !== "PostToolUseFailure") return;
    journal.count("settled:skipped");
    const { session, toolUseId } = event;
    const observations: string[] = [];
    void hooks.parallel("settled", {
      session,
      toolUseId,
      outcome: "skipped",
      reason,
      observations,
    });
  }

  async function handle(event: ClientEvent): Promise<HandleResult> {
    const own = generation;
    const release = own.hooks.hold();
    try {
      const captured = await capture(event, own);
      if ("drop" in captured) {
        tellDropped(event, captured.drop);
        return { reply: {}, accepted: "dropped", reason: captured.drop };
      }
      if (captured.event.withheld) journal.count("withheld");
      const { fresh } = await journal.append(captured.event);
      if (fresh) worker.wake(captured.event.session);
      await waitForEarlierWork(captured.event);
      const reply = await answer(captured.event, own);
      return { reply, accepted: fresh ? "committed" : "duplicate" };
    } finally {
      release();
    }
  }

  async function reload(): Promise<void> {
    const file = await readConfig(home);
    if (file.broken) {
      for (const problem of file.problems) log.error("config not in force", { ...problem });
      generation.file = { ...generation.file, problems: file.problems, broken: true };
      return;
    }
    const old = generation;
    generation = await startGeneration(file, old);
    current = generation;
    retiring = Promise.all([retiring, retire(old, generation)]);
  }

  async function retire(old: Generation, next?: Generation): Promise<void> {
    await Promise.race([old.hooks.idle(), sleep(idleMs)]);
    await old.registry.stop(next?.registry);
  }

  return {
    hooks,
    worker,
    handle,
    async reply(event) {
      const own = generation;
      const release = own.hooks.hold();
      try {
        const captured = await capture(event, own);
        return "drop" in captured ? {} : await answer(captured.event, own);
      } finally {
        release();
      }
    },
    drain: (request) => worker.drain(request),
    status: () =>
      readStatus({ home, startedAt, now, journal, builtins, hooks, ...pick(generation) }),
    reload() {
      const next = reloading.then(reload);
      reloading = next.catch(() => undefined);
      return next;
    },
    stop() {
      stopped ??= (async () => {
        await reloading;
        await worker.stop();
        await retiring;
        await retire(generation);
        await journal.close();
      })();
      return stopped;
    },
  };
}

function pick({ file, registry }: Generation) {
  return { file, registry };
}

function workerOptions({ worker, journal }: ConfigFile["config"]): WorkerDeps["options"] & object {
  const minute = 60_000;
  return {
    concurrency: worker.concurrency,
    maxToolUses: worker.maxToolUses,
    maxBytes: worker.maxBytes,
    quietMs: worker.quietMinutes * minute,
    idleMs: worker.idleMinutes * minute,
    retryDelaysMs: worker.retrySeconds.map((seconds) => seconds * 1_000),
    keepMs: journal.keepDays * 24 * 60 * minute,
  };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    timer.unref?.();
  });
}
