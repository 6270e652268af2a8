// memoir without a wire: an event goes through capture into the journal, plugins answer it, the worker is woken.

import process from "node:process";
import { isRebuildWanted } from "../home/findings.ts";
import { prepareHome } from "../home/make-home.ts";
import { memoirPaths, userHome } from "../home/paths.ts";
import { MemoirError } from "../sdk/errors.ts";
import type { ClientEvent } from "../sdk/events.ts";
import type { Project } from "../sdk/model.ts";
import { type Models, openModels } from "./budget/open-models.ts";
import { builtins as allBuiltins } from "./builtins.ts";
import { tellingHooks } from "./changes.ts";
import type { Config } from "./config/config.ts";
import { createContextReader, scrubThrough } from "./context/read-contexts.ts";
import { createTurnTranscripts } from "./context/read-turn.ts";
import { createEndless, type Endless } from "./endless/endless.ts";
import { captureEvent, createEventWay, type EventWay } from "./events/event-way.ts";
import {
  type Forgetful,
  forgetRecords,
  resumeForgetting,
  sweepForgotten,
} from "./events/forget-records.ts";
import { itemsLeft, withoutForgotten } from "./events/forgotten.ts";
import { createFindingNotice, createStorageNotice } from "./events/notices.ts";
import { createTranscriptRuntime } from "./events/transcripts.ts";
import { adoptSessions } from "./hooks/all-sessions.ts";
import { type Oversight, openOversight } from "./isolation/oversight.ts";
import type { Journal } from "./journal/journal.ts";
import { readLately } from "./lately.ts";
import {
  type Generation,
  type Generations,
  type PluginWatch,
  startGenerations,
  watchInForce,
} from "./plugins/generations.ts";
import { localNotice } from "./plugins/project-plugins.ts";
import { publishSdk } from "./plugins/sdk-module.ts";
import type { Captured } from "./ports.ts";
import type { Runtime, RuntimeOptions } from "./runtime-types.ts";
import { type RuntimeStatus, readStatus } from "./status.ts";
import type { Worker, WorkerDeps, WorkerOptions } from "./worker/worker-types.ts";

export type { Runtime, RuntimeOptions } from "./runtime-types.ts";
export type { RuntimeStatus } from "./status.ts";

/** Opens the journal, starts plugins and worker. Rejects when home or journal cannot be used. */
export async function createRuntime(given: RuntimeOptions): Promise<Runtime> {
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
      createStorageNotice(() => plugins.current().registry.infos),
    ],
    sessionWaitMs: options.sessionWaitMs ?? 700,
  });
  const forgetful = (): Forgetful => ({
    home: options.home,
    hooks: plugins.hooks,
    journal,
    endless,
    now,
    log: log.child("forget"),
  });
  await adoptSessions(options.home, plugins.hooks, journal);
  await resumeForgetting(forgetful());
  // An older memory may stand in the place of the one that things were forgotten from.
  if (journal.isBehind || (journal.hasForgotten() && isRebuildWanted(options.home)))
    await sweepForgotten({ ...forgetful(), journal });
  let watching: PluginWatch | undefined;
  let stopped: Promise<void> | undefined;

  return {
    home: options.home,
    hooks: plugins.hooks,
    worker,
    transcripts: createTranscriptRuntime(journal, worker, parts.captureNow),
    endless,
    projectOf: (cwd) => projectOf(cwd, parts, now),
    handle: createHandle(options, parts, events),
    reply: (event) =>
      plugins.use(async (own) => {
        const captured = await parts.capture(event, own);
        return "drop" in captured ? {} : await events.answer(captured.event, own);
      }),
    drain: (request) => worker.drain(request),
    retryParked: (ids) => worker.retryParked(ids),
    status: () => statusOf(options, parts, startedAt),
    lately: () => readLately(journal, now()),
    toldTo: (asked) => journal.givenTo(asked),
    forget: (ids, how) => forgetRecords(ids, forgetful(), how),
    purge: () => resumeForgetting(forgetful()),
    withoutForgotten: (records) => withoutForgotten(records, journal),
    usage: models.usage,
    testProviders: models.test,
    async watchPlugins(heard, times = {}) {
      watching = await watchInForce(plugins, heard, { ...times, log });
      return watching;
    },
    async reload() {
      await oversight.reread();
      await plugins.reload();
      await watching?.refresh();
      models.calls.reset();
    },
    stop() {
      stopped ??= parts.close();
      return stopped;
    },
  };
}

function createHandle(
  { home, env, log }: ResolvedOptions,
  { plugins, worker }: Parts,
  events: EventWay,
): Runtime["handle"] {
  const local = { home, userHome: userHome(env), log, changed: () => plugins.reloadFiles() };
  return async (event, original, gone) => {
    // Before a session's plugins are chosen: those of a project that changed must not be among them.
    const starts = event.name === "SessionStart" && events.isFresh(event);
    const notice = starts ? await localNotice(event, local) : undefined;
    const release = worker.hold();
    try {
      return await plugins.use((own) => events.take(event, own, { original, notice, gone }));
    } finally {
      release();
    }
  };
}

/** Asks the capture plugins, with an event that is kept nowhere. */
async function projectOf(
  cwd: string,
  { captureNow }: Parts,
  now: () => number,
): Promise<Project | undefined> {
  const id = crypto.randomUUID();
  const about = { id, key: id, client: "memoir", session: id, time: now(), cwd };
  const captured = await captureNow({ ...about, name: "Other", clientEvent: "WhichProject" });
  return "drop" in captured ? undefined : captured.event.project;
}

function statusOf(
  { home, now, builtins }: ResolvedOptions,
  { journal, plugins, models, endless }: Parts,
  startedAt: number,
): Promise<RuntimeStatus> {
  const { file, registry, local } = plugins.current();
  return readStatus({
    home,
    startedAt,
    now,
    journal,
    builtins,
    file,
    registry,
    local,
    endless,
    hooks: plugins.hooks,
    models: models.calls.status(),
  });
}

// Opens the runtime's parts, each of which is declared before another is handed it, and closes them in reverse.

/** Everything that the runtime is made of. */
interface Parts {
  journal: Journal;
  models: Models;
  oversight: Oversight;
  endless: Endless;
  plugins: Generations;
  worker: Worker;
  /** Runs the capture plugins of one generation. */
  capture(event: ClientEvent, own: Generation): Promise<Captured>;
  /** Runs those in force. */
  captureNow(event: ClientEvent): Promise<Captured>;
  /** Finishes what is under way, and closes all. */
  close(): Promise<void>;
}

/** The runtime's options with what absent ones mean. */
type ResolvedOptions = RuntimeOptions & Required<Pick<RuntimeOptions, "env" | "now" | "builtins">>;

/** Says what absent options mean. */
function resolveOptions(options: RuntimeOptions): ResolvedOptions {
  const { env = process.env, now = Date.now, builtins = allBuiltins } = options;
  return { ...options, env, now, builtins };
}

/** Opens all of them, and starts the worker. Rejects when home or journal cannot be used. */
async function openParts(options: ResolvedOptions): Promise<Parts> {
  const { home, env, log, now, changed } = options;
  const paths = memoirPaths(home);
  await prepareHome(paths, env);
  await publishSdk(paths).catch((error) => log.warn("the SDK was not published", { error }));

  // Models and Endless Mode serve plugins and ask them for the config; Endless Mode waits for what the worker settles.
  const plugins = later<Generations>("plugins");
  const worker = later<Worker>("worker");
  const captureNow = (event: ClientEvent) => plugins.get().use((own) => capture(event, own));

  const journal = await openJournal(options, paths.journal);
  const models = await openModels({
    home,
    userHome: userHome(env),
    now,
    builtins: options.builtins,
    path: paths.usage,
    log: log.child("models"),
    journal,
    current: () => plugins.get().current(),
  });
  const oversight = await openOversight(paths, log.child("plugins"), now);
  const endless = createEndless({
    path: paths.endless,
    now,
    log: log.child("endless"),
    config: () => plugins.get().current().file.config.endless,
    capture: captureNow,
    session: (id) => orUndefined(() => journal.session(id)),
    waitFor: (toolUseId, timeoutMs) => worker.get().waitFor(toolUseId, timeoutMs),
    folders: options.transcriptFolders ?? [],
  });
  const started = await startPlugins(options, { journal, models, oversight, endless });
  plugins.set(changed ? { ...started, hooks: tellingHooks(started.hooks, changed) } : started);
  worker.set(await makeWorker(options, { journal, plugins: plugins.get(), captureNow })).start();

  const parts = {
    journal,
    models,
    oversight,
    endless,
    plugins: plugins.get(),
    worker: worker.get(),
  };
  return { ...parts, capture, captureNow, close: () => close(parts) };
}

function capture(event: ClientEvent, { hooks, registry, file }: Generation): Promise<Captured> {
  return captureEvent(event, hooks, registry.captureBroken || file.captureUnclear);
}

async function openJournal(
  { createJournal, now, log, changed }: ResolvedOptions,
  path: string,
): Promise<Journal> {
  const open = createJournal ?? (await import("./journal/journal.ts")).createJournal;
  return await open(path, { now, log: log.child("journal"), changed });
}

/** Plugins, with what they are offered. */
function startPlugins(
  { home, env, log, now, builtins, configured, changed }: ResolvedOptions,
  {
    journal,
    models,
    oversight,
    endless,
  }: Pick<Parts, "journal" | "models" | "oversight" | "endless">,
): Promise<Generations> {
  return startGenerations({
    home,
    userHome: userHome(env),
    log,
    now,
    builtins,
    oversight,
    ...(configured && { configured }),
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

async function makeWorker(
  options: ResolvedOptions,
  { journal, plugins, captureNow }: Pick<Parts, "journal" | "plugins" | "captureNow">,
): Promise<Worker> {
  const create = options.createWorker ?? (await import("./worker/worker.ts")).createWorker;
  const { log, now } = options;
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

/** What reads the conversation around events, where config does not say that nobody shall. */
function transcriptReaders(
  { transcriptFolders = [], transcriptForm, log }: ResolvedOptions,
  { worker }: Config,
  captureNow: Parts["captureNow"],
): Pick<WorkerDeps, "contexts" | "turns"> {
  if (!worker.context.enabled) return { turns: async () => undefined };
  const transcripts = {
    folders: transcriptFolders,
    ...(transcriptForm && { form: transcriptForm }),
    scrub: scrubThrough(captureNow),
    log: log.child("context"),
  };
  return {
    contexts: createContextReader(transcripts),
    turns: createTurnTranscripts(transcripts),
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

async function close(parts: Omit<Parts, "capture" | "captureNow" | "close">): Promise<void> {
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

/** A place for a part that is made later: of parts that need each other, the one that is made first is handed it. */
interface Later<Part> {
  /** The part; throws where it is asked for before it is there, which only wiring can get wrong. */
  get(): Part;
  /** Puts the part in its place, and gives it back. */
  set(part: Part): Part;
}

/** An empty place; `name` says what is missing. */
function later<Part extends object>(name: string): Later<Part> {
  let made: Part | undefined;
  return {
    get() {
      if (!made) throw new Error(`The runtime's ${name} was asked for before it was made.`);
      return made;
    },
    set(part) {
      made = part;
      return part;
    },
  };
}
