// All of memoir but the server around it: an event goes through capture into the journal, plugins answer it, the worker is woken.

import process from "node:process";
import { isRebuildWanted } from "../home/findings.ts";
import type { Log } from "../home/log.ts";
import { prepareHome } from "../home/make-home.ts";
import { type Environment, memoirPaths, userHome } from "../home/paths.ts";
import type { ToolOriginal } from "../sdk/endless.ts";
import { MemoirError } from "../sdk/errors.ts";
import type { ClientEvent, Reply } from "../sdk/events.ts";
import type { Project, Records } from "../sdk/model.ts";
import type { Completion, CompletionRequest } from "../sdk/provider.ts";
import type { TranscriptFormOf } from "../transcript/discover.ts";
import { type Models, openModels } from "./budget/model-calls.ts";
import { builtins as allBuiltins, type LoadPlugin } from "./builtins.ts";
import type { Config } from "./config/config.ts";
import { createContextReader, scrubThrough } from "./context/read-contexts.ts";
import { createEndless, type Endless } from "./endless/endless.ts";
import {
  captureEvent,
  createEventWay,
  createFindingNotice,
  createStorageNotice,
  type EventWay,
} from "./events/event-way.ts";
import {
  type ForgetDeps,
  type ForgetHow,
  forgetRecords,
  resumeForgetting,
  sweepForgotten,
} from "./events/forget-records.ts";
import { itemsLeft, withoutForgotten } from "./events/forgotten.ts";
import { createTranscriptRuntime } from "./events/transcripts.ts";
import { adoptSessions, watchedHooks } from "./hooks/ask-storage.ts";
import { type Oversight, openOversight } from "./isolation/oversight.ts";
import type { GivenText, TimeOfSession } from "./journal/counts.ts";
import { createJournal, type Journal, type JournalDeps } from "./journal/journal.ts";
import {
  type Generation,
  type Generations,
  type PluginWatch,
  startGenerations,
  type WatchTimes,
  watchInForce,
} from "./plugins/generations.ts";
import { localNotice } from "./plugins/project-plugins.ts";
import { publishSdk } from "./plugins/sdk-module.ts";
import type { Captured, HandleResult, NoteChange } from "./ports.ts";
import { type Lately, readLately, readStatus } from "./status.ts";
import { createTurnTranscripts } from "./worker/turn.ts";
import { createWorker, type Worker } from "./worker/worker.ts";
import type { WorkerDeps, WorkerOptions } from "./worker/worker-types.ts";

interface RuntimeOptions {
  /** Absolute. */
  home: string;
  log: Log;
  /** Where clients keep transcripts. Files elsewhere are read only when they bear their session's id. */
  transcriptFolders?: readonly string[];
  /** How a client writes its transcripts, and where; absent: all write as Claude Code does. */
  transcriptForm?: TranscriptFormOf;
  /** Called with each config that comes into force. */
  configured?: (config: Config) => void;
  /** Called with the clients that plugins bring, whenever plugins were put in force. */
  broughtClients?: Parameters<typeof startGenerations>[0]["broughtClients"];
  /** Called with everything that is committed; absent where nobody looks on. */
  changed?: NoteChange;
  /** For `~` in config; default the process's. */
  env?: Environment;
  /** Epoch ms. */
  now?: () => number;
  builtins?: Readonly<Record<string, LoadPlugin>>;
  createJournal?: (path: string, deps: JournalDeps) => Promise<Journal>;
  createWorker?: (deps: WorkerDeps) => Worker;
  /** How long a new session waits for the work of earlier ones in its project, in ms. */
  sessionWaitMs?: number;
}

/** All of memoir but the server around it: what the server, tests and tools drive. */
export type Runtime = Awaited<ReturnType<typeof createRuntime>>;

/** Opens the journal, starts plugins and worker. Rejects when home or journal cannot be used. Long because it is the list of what a runtime offers. */
export async function createRuntime(given: RuntimeOptions) {
  const options = resolveOptions(given);
  const { log, now } = options;
  const startedAt = now();
  const parts = await openParts(options);
  const { journal, models, oversight, endless, plugins, worker } = parts;
  const events = createEventWay({
    journal,
    worker,
    hooks: plugins.hooks,
    endless,
    capture: parts.capture,
    log,
    now,
    notices: models.calls.notices,
    findings: [
      createFindingNotice(options.home),
      createStorageNotice(() => plugins.current().registry.whyNoStorage),
    ],
    sessionWaitMs: options.sessionWaitMs ?? usualSessionWaitMs,
  });
  const forgetDeps = (): ForgetDeps => ({
    home: options.home,
    hooks: plugins.hooks,
    journal,
    endless,
    now,
    log: log.child("forget"),
  });
  await adoptSessions(options.home, plugins.hooks, journal);
  await resumeForgetting(forgetDeps());
  // An older memory may stand in the place of the one that things were forgotten from.
  if (journal.isBehind || (journal.hasForgotten() && isRebuildWanted(options.home)))
    await sweepForgotten({ ...forgetDeps(), journal });
  let watching: PluginWatch | undefined;
  let stopped: Promise<void> | undefined;

  return {
    /** Absolute. */
    home: options.home,
    /** The hooks in force, also after a reload. */
    hooks: plugins.hooks,
    /** What plugins in force bring beside hooks. */
    parts: plugins.parts,
    /** Whether config switches a plugin off. */
    isOff: (plugin: string): boolean =>
      plugins.current().file.config.plugins[plugin]?.enabled === false,
    worker,
    /** For those who read transcripts afterwards. */
    transcripts: createTranscriptRuntime(journal, worker, parts.captureNow),
    /** What was taken out of sessions, and the books. */
    endless,
    /** The project that capture plugins give a folder (absolute); undefined where none does. */
    projectOf: (cwd: string) => projectOf(cwd, parts, now),
    handle: createHandle(options, parts, events),
    /** What `handle` would answer, without keeping the event. */
    reply: (event: ClientEvent): Promise<Reply> =>
      plugins.use(async (own) => {
        const captured = await parts.capture(event, own);
        return "drop" in captured ? {} : await events.replyTo(captured.event, own);
      }),
    /** True when the asked work is done, false after `timeoutMs`. */
    drain: worker.drain,
    /** Puts work that failed for good back to work (all of it, or these pieces); how many pieces. */
    retryParked: (ids?: readonly number[]): number => worker.retryParked(ids),
    status: () => readStatus(options, parts, startedAt),
    /** What goes on now. */
    lately: (): Lately => readLately(journal, now()),
    /** What a session was given to read, the oldest first. */
    toldTo: (asked: TimeOfSession): GivenText[] => journal.givenTo(asked),
    /** Forgets records for good, by the user's word or rule; the ids of all that went. Unknown ids are left out. */
    forget: (ids: readonly string[], how?: ForgetHow) => forgetRecords(ids, forgetDeps(), how),
    /** Removes the bytes that gentle deletions left in the files; nothing where there were none. Never rejects. */
    purge: () => resumeForgetting(forgetDeps()),
    /** What of the records the user did not have forgotten: for an import, which knows nothing of that. */
    withoutForgotten: (records: Records) => withoutForgotten(records, journal),
    /** Asks the model in force for memoir itself, within the budget, until `signal` ends it. */
    complete: (request: CompletionRequest, signal: AbortSignal): Promise<Completion> =>
      models.calls.complete(plugins.hooks, "memoir", request, { signal }),
    /** What model calls took. Throws `budget_unknown` when calls cannot be counted. */
    usage: models.usage,
    /** Tries a provider, or every one that config names, with one tiny call each. */
    testProviders: models.test,
    /** From now on puts plugin files that appear, change or go in force by itself, and calls `heard` after that. */
    async watchPlugins(heard: () => Promise<void>, times: WatchTimes = {}): Promise<PluginWatch> {
      watching = await watchInForce(plugins, heard, { ...times, log });
      return watching;
    },
    /**
     * Reads config again and enables it: new plugins start, events under way finish on the old ones, then
     * those stop. A file that is not valid JSON leaves everything as it is. Keys of server, journal, worker and log take
     * effect with the next start.
     */
    async reload(): Promise<void> {
      await oversight.reread();
      await plugins.reload();
      await watching?.refresh();
      models.calls.reset();
    },
    /** Finishes what is under way, stops plugins in reverse order, closes the journal. */
    stop(): Promise<void> {
      stopped ??= close(parts);
      return stopped;
    },
  };
}

/**
 * Takes an event in. Resolves once it is committed; rejects only when it could not be. `original` is the tool use as
 * the client sent it, unshortened.
 */
function createHandle(
  { home, env, log }: ResolvedOptions,
  { plugins, worker }: RuntimeParts,
  events: EventWay,
) {
  const local = {
    paths: memoirPaths(home),
    userHome: userHome(env),
    log,
    changed: () => plugins.reloadFiles(),
  };
  return async (
    event: ClientEvent,
    original?: ToolOriginal,
    abandoned?: AbortSignal,
  ): Promise<HandleResult> => {
    // Before a session's plugins are chosen: those of a project that changed must not be among them.
    const starts = event.name === "SessionStart" && events.isRecent(event);
    const notice = starts ? await localNotice(event, local) : undefined;
    const release = worker.letHookGoFirst();
    try {
      return await plugins.use((own) => events.take(event, own, { original, notice, abandoned }));
    } finally {
      release();
    }
  };
}

/** Asks the capture plugins, with an event that is kept nowhere. */
async function projectOf(
  cwd: string,
  { captureNow }: RuntimeParts,
  now: () => number,
): Promise<Project | undefined> {
  const id = crypto.randomUUID();
  const about = { id, key: id, client: "memoir", session: id, time: now(), cwd };
  const captured = await captureNow({ ...about, name: "Other", clientEvent: "WhichProject" });
  return "drop" in captured ? undefined : captured.event.project;
}

// Opens the runtime's parts, each of which is declared before another is handed it, and closes them in reverse.

/** Everything that the runtime is made of. */
type RuntimeParts = Awaited<ReturnType<typeof openParts>>;

/** The runtime's options with what absent ones mean. */
type ResolvedOptions = RuntimeOptions & Required<Pick<RuntimeOptions, "env" | "now" | "builtins">>;

/** Runs the capture plugins in force. */
type CaptureNow = (event: ClientEvent) => Promise<Captured>;

/** Says what absent options mean. */
function resolveOptions(options: RuntimeOptions): ResolvedOptions {
  const { env = process.env, now = Date.now, builtins = allBuiltins } = options;
  return { ...options, env, now, builtins };
}

/** Opens all of them, and starts the worker. Rejects when home or journal cannot be used. */
async function openParts(options: ResolvedOptions) {
  const { home, env, log, now, changed } = options;
  const paths = memoirPaths(home);
  await prepareHome(paths, env);
  await publishSdk(paths).catch((error) => log.warn("the SDK was not published", { error }));

  // Models and Endless Mode serve plugins and ask them for the config; Endless Mode waits for what the worker settles.
  let plugins: Generations;
  let worker: Worker;
  const captureNow = (event: ClientEvent) => plugins.use((own) => capture(event, own));

  const journal = await (options.createJournal ?? createJournal)(paths.journal, {
    now,
    log: log.child("journal"),
    changed,
  });
  const models = await openModels({
    home,
    userHome: userHome(env),
    now,
    builtins: options.builtins,
    path: paths.usage,
    log: log.child("models"),
    journal,
    current: () => plugins.current(),
  });
  const oversight = await openOversight(paths, log.child("plugins"), now);
  const endless = createEndless({
    path: paths.endless,
    now,
    log: log.child("endless"),
    config: () => plugins.current().file.config.endless,
    capture: captureNow,
    session: (id) => orUndefined(() => journal.session(id)),
    waitFor: (toolUseId, timeoutMs) => worker.waitFor(toolUseId, timeoutMs),
    folders: options.transcriptFolders ?? [],
    prices: () => plugins.current().file.config.budget.prices,
  });
  const started = await startPlugins(options, { journal, models, oversight, endless });
  plugins = changed ? { ...started, hooks: watchedHooks(started.hooks, changed) } : started;
  worker = makeWorker(options, { journal, plugins, captureNow });
  worker.start();
  return { journal, models, oversight, endless, plugins, worker, capture, captureNow };
}

/** Runs the capture plugins of one generation. */
function capture(event: ClientEvent, { hooks, registry, file }: Generation): Promise<Captured> {
  return captureEvent(event, hooks, registry.captureBroken || file.captureUnclear);
}

/** Plugins, with what they are offered. */
function startPlugins(
  { home, env, log, now, builtins, configured, broughtClients, changed }: ResolvedOptions,
  {
    journal,
    models,
    oversight,
    endless,
  }: { journal: Journal; models: Models; oversight: Oversight; endless: Endless },
): Promise<Generations> {
  return startGenerations({
    home,
    userHome: userHome(env),
    log,
    now,
    builtins,
    oversight,
    ...(configured && { configured }),
    ...(broughtClients && { broughtClients }),
    ...(changed && { changed: () => changed("plugins") }),
    complete: async (asked, plugin, request) => {
      if (journal.isModelFree(request.session))
        throw new MemoirError("provider_none", "no model may be asked about this session");
      return models.calls.complete(asked, plugin, request);
    },
    projectOf: (session) => orUndefined(() => journal.session(session)?.project.id),
    itemsLeft: (items) => itemsLeft(items, journal),
    endless: (plugin) => endless.client(plugin),
  });
}

function makeWorker(
  options: ResolvedOptions,
  {
    journal,
    plugins,
    captureNow,
  }: { journal: Journal; plugins: Generations; captureNow: CaptureNow },
): Worker {
  const { createWorker: create = createWorker, log, now } = options;
  const { config } = plugins.current().file;
  return create({
    journal,
    hooks: () => plugins.hooks,
    log: log.child("worker"),
    ...transcriptReaders(options, config, captureNow),
    now,
    options: workerOptions(config),
  });
}

/** What reads the conversation around events in transcripts; nothing where `worker.context.enabled` is false. */
function transcriptReaders(
  { transcriptFolders = [], transcriptForm, log }: ResolvedOptions,
  { worker }: Config,
  captureNow: CaptureNow,
): Pick<WorkerDeps, "readContexts" | "readTurn"> {
  if (!worker.context.enabled) return { readTurn: async () => undefined };
  const transcripts = {
    folders: transcriptFolders,
    ...(transcriptForm && { form: transcriptForm }),
    scrub: scrubThrough(captureNow),
    log: log.child("context"),
  };
  return {
    readContexts: createContextReader(transcripts),
    readTurn: createTurnTranscripts(transcripts),
  };
}

function workerOptions({ worker, journal }: Config): Partial<WorkerOptions> {
  const minute = 60_000;
  return {
    concurrency: worker.concurrency,
    idleMs: worker.idleMinutes * minute,
    retryDelaysMs: worker.retrySeconds.map((seconds) => seconds * 1_000),
    keepMs: journal.keepDays * 24 * 60 * minute,
  };
}

/** A call to a model that is paid for already may take this long to end when the server stops. */
const modelGraceMs = 2_500;

/** How long a session's start waits for the one before it. All that a hook waits for: `ownDeadlineMs` in `server/endpoint.ts`. */
const usualSessionWaitMs = 700;

async function close(parts: RuntimeParts): Promise<void> {
  const { journal, models, oversight, endless, plugins, worker } = parts;
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

/** What a journal under repair cannot say is not known. */
function orUndefined<Value>(ask: () => Value): Value | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}
