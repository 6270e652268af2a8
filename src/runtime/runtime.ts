// Puts the rooms together: an event goes through capture into the journal, plugins answer it, the worker is woken.
import process from "node:process";
import type { Log } from "../home/log.ts";
import { prepareHome } from "../home/make-home.ts";
import { type Environment, memoirPaths, userHome } from "../home/paths.ts";
import type { ToolOriginal } from "../sdk/endless.ts";
import { MemoirError } from "../sdk/errors.ts";
import type { ClientEvent, Reply } from "../sdk/events.ts";
import type { Project } from "../sdk/model.ts";
import { openModels } from "./budget/open-models.ts";
import type { ProviderTest } from "./budget/test-provider.ts";
import type { UsageQuery, UsageReport } from "./budget/usage-report.ts";
import { builtins as allBuiltins, type LoadPlugin } from "./builtins.ts";
import type { Config } from "./config/config.ts";
import { createContextReader } from "./context/read-contexts.ts";
import { createTurnTranscripts } from "./context/read-turn.ts";
import { scrubThrough } from "./context/scrub-texts.ts";
import { createEndless, type Endless } from "./endless/endless.ts";
import { captureEvent } from "./events/capture-event.ts";
import { createEventWay } from "./events/event-way.ts";
import { createTranscriptRuntime, type TranscriptRuntime } from "./events/recovery.ts";
import { openOversight } from "./isolation/oversight.ts";
import type { Journal } from "./journal/journal-types.ts";
import { createAnnounceLocal } from "./plugins/announce-local.ts";
import { type Generation, startGenerations } from "./plugins/generations.ts";
import { publishSdk } from "./plugins/sdk-module.ts";
import { type PluginWatch, watchPlugins } from "./plugins/watch.ts";
import type { HandleResult, Hooks } from "./ports.ts";
import { type RuntimeStatus, readStatus } from "./status.ts";
import type { DrainRequest, Worker, WorkerDeps, WorkerOptions } from "./worker/worker-types.ts";

export type { RuntimeStatus } from "./status.ts";

export interface RuntimeOptions {
  /** Absolute. */
  home: string;
  log: Log;
  /** Where clients keep transcripts. Files elsewhere are read only when they bear their session's id. */
  transcriptFolders?: readonly string[];
  /** Called with each config that comes into force. */
  configured?: (config: Config) => void;
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
  /**
   * Takes an event in. Resolves once it is committed; rejects only when it could not be. `original` is the tool use as
   * the client sent it, unshortened.
   */
  handle(event: ClientEvent, original?: ToolOriginal, gone?: AbortSignal): Promise<HandleResult>;
  /** What `handle` would answer, without keeping the event. */
  reply(event: ClientEvent): Promise<Reply>;
  /** True when the asked work is done, false after `timeoutMs`. */
  drain(request: DrainRequest): Promise<boolean>;
  /** Puts work that was given up back to work (all of it, or these pieces); how many pieces. */
  retryParked(ids?: readonly number[]): number;
  status(): Promise<RuntimeStatus>;
  /** For those who read transcripts afterwards. */
  readonly transcripts: TranscriptRuntime;
  /** What was taken out of sessions, and the books. */
  readonly endless: Endless;
  /** The project that capture plugins give a folder (absolute); undefined where none does. */
  projectOf(cwd: string): Promise<Project | undefined>;
  /** What model calls took. Throws `budget_unknown` when calls cannot be counted. */
  usage(query: UsageQuery): UsageReport;
  /** Tries a provider, or every one that config names, with one tiny call each. */
  testProviders(name?: string): Promise<ProviderTest[]>;
  /**
   * Reads config again and puts it in force: new plugins start, events under way finish on the old ones, then
   * those stop. A file that is no JSON leaves everything as it is. Keys of server, journal, worker and log take
   * effect with the next start.
   */
  reload(): Promise<void>;
  /** From now on puts plugin files that appear, change or go in force by itself, and calls `heard` after that. */
  watchPlugins(heard: () => Promise<void>, options?: { quietMs?: number }): Promise<PluginWatch>;
  /** Finishes what is under way, stops plugins in reverse order, closes the journal. */
  stop(): Promise<void>;
}

/** A call to a model that is paid for already may take this long to end when the server stops. */
const modelGraceMs = 2_500;

/** Opens the journal, starts plugins and worker. Rejects when home or journal cannot be used. */
export async function createRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { home, log, env = process.env, now = Date.now, sessionWaitMs = 700 } = options;
  const { builtins = allBuiltins } = options;
  const paths = memoirPaths(home);
  const startedAt = now();
  await prepareHome(paths, env);
  await publishSdk(paths).catch((error) => log.warn("the SDK was not published", { error }));
  const openJournal = options.createJournal ?? (await import("./journal/journal.ts")).createJournal;
  const journal = await openJournal(paths.journal, { now, log: log.child("journal") });
  const projectOf = (session: string) => orUndefined(() => journal.session(session)?.project.id);
  const shared = { home, userHome: userHome(env), log, now, builtins };
  const models = await openModels({
    ...shared,
    path: paths.usage,
    log: log.child("models"),
    journal,
    current: () => plugins.current(),
  });
  const oversight = await openOversight(paths, log.child("plugins"), now);
  const endless = createEndless({
    ...{ path: paths.endless, now, log: log.child("endless") },
    config: () => plugins.current().file.config.endless,
    capture: (event) => plugins.use((own) => capture(event, own)),
    session: (id) => orUndefined(() => journal.session(id)),
    waitFor: (toolUseId, timeoutMs) => worker.waitFor(toolUseId, timeoutMs),
    folders: options.transcriptFolders ?? [],
  });
  const plugins = await startGenerations({
    ...shared,
    ...(options.configured && { configured: options.configured }),
    oversight,
    complete: async (asked, plugin, request) => {
      if (journal.isModelFree(request.session))
        throw new MemoirError("provider_none", "no model may be asked about this session");
      return models.calls.complete(asked, plugin, request);
    },
    projectOf,
    endless: (plugin) => endless.client(plugin),
  });
  const { hooks } = plugins;
  const capture = (event: ClientEvent, { hooks, registry, file }: Generation) =>
    captureEvent(event, hooks, registry.captureBroken || file.captureUnclear);
  const { enabled: readsContexts, ...limits } = plugins.current().file.config.worker.context;
  const transcripts = {
    folders: options.transcriptFolders ?? [],
    scrub: scrubThrough((event) => plugins.use((own) => capture(event, own))),
    log: log.child("context"),
  };
  const contexts = createContextReader({ ...transcripts, limits });
  const makeWorker = options.createWorker ?? (await import("./worker/worker.ts")).createWorker;
  const worker = makeWorker({
    journal,
    hooks: () => hooks,
    log: log.child("worker"),
    ...(readsContexts && { contexts }),
    turns: readsContexts ? createTurnTranscripts(transcripts) : async () => undefined,
    now,
    options: workerOptions(plugins.current().file.config),
  });
  worker.start();
  let stopped: Promise<void> | undefined;

  const events = createEventWay({
    ...{ journal, worker, hooks, endless, capture, log, now, sessionWaitMs },
    notices: models.calls.notices,
  });
  let watching: PluginWatch | undefined;
  const announceLocal = createAnnounceLocal({
    home,
    userHome: userHome(env),
    log,
    changed: () => plugins.reloadFiles(),
  });

  async function stop(): Promise<void> {
    const endCalls = setTimeout(models.calls.stop, modelGraceMs);
    await worker.stop();
    clearTimeout(endCalls);
    models.calls.stop();
    await plugins.stop();
    await oversight.close();
    await endless.stop();
    models.close();
    await journal.close();
  }

  return {
    hooks,
    worker,
    transcripts: createTranscriptRuntime(journal, worker, (event) =>
      plugins.use((own) => capture(event, own)),
    ),
    endless,
    projectOf: (cwd) =>
      plugins.use(async (own) => {
        const id = crypto.randomUUID();
        const about = { id, key: id, client: "memoir", session: id, time: now(), cwd };
        const asked = { ...about, name: "Other" as const, clientEvent: "WhichProject" };
        const captured = await capture(asked, own);
        return "drop" in captured ? undefined : captured.event.project;
      }),
    async handle(event, original, gone) {
      // Before a session's plugins are chosen: those of a project that changed must not be among them.
      const notice = events.isFresh(event) ? await announceLocal(event) : undefined;
      return plugins.use((own) => events.take(event, own, { original, notice, gone }));
    },
    reply: (event) =>
      plugins.use(async (own) => {
        const captured = await capture(event, own);
        return "drop" in captured ? {} : await events.answer(captured.event, own);
      }),
    drain: (request) => worker.drain(request),
    retryParked: (ids) => worker.retryParked(ids),
    status() {
      const { file, registry, local } = plugins.current();
      return readStatus({
        home,
        startedAt,
        now,
        journal,
        builtins,
        hooks,
        file,
        registry,
        local,
        models: models.calls.status(),
        endless,
      });
    },
    usage: models.usage,
    testProviders: models.test,
    async watchPlugins(heard, options) {
      watching = await watchPlugins({
        ...options,
        roots: plugins.roots,
        async changed() {
          log.info("plugin files changed");
          await plugins.reloadFiles();
          await heard();
        },
        failed: (error) => log.error("plugin files were not looked at", { error }),
        restless: (path) =>
          log.warn(
            "plugin files change all the time: changes wait. A plugin keeps its own files elsewhere, below `ctx.home`",
            { path },
          ),
      });
      return watching;
    },
    async reload() {
      await oversight.reread();
      await plugins.reload();
      await watching?.refresh();
      models.calls.reset();
    },
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

/** What a journal under repair cannot say is not known. */
function orUndefined<Value>(ask: () => Value): Value | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}

function workerOptions({ worker, journal }: Config): Partial<WorkerOptions> {
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
