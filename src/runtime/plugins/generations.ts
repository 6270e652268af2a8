// What each reading of the config led to, and the change from one to the next while events are under way.

import { type FSWatcher, watch } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "../../home/log.ts";
import { memoirPaths } from "../../home/paths.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { within } from "../../sdk/within.ts";
import {
  type Config,
  type ConfigFile,
  keepConfig,
  readConfig,
  readConfigOrLast,
} from "../config/config.ts";
import { createGate } from "../endless/switch.ts";
import { createHooks, type HeldHooks } from "../hooks/hooks.ts";
import type { Parts } from "../hooks/parts.ts";
import { createAllowance } from "../isolation/allowance.ts";
import type { Hooks, LocalState } from "../ports.ts";
import { broughtClients } from "./check-plugin.ts";
import { pluginFiles } from "./find.ts";
import { useKnownRules, useRulesOf } from "./plugin-rules.ts";
import { readLocal } from "./project-plugins.ts";
import { type Registry, type RegistryOptions, startRegistry } from "./registry.ts";

/** A config in force with its started plugins. */
export interface Generation {
  file: ConfigFile;
  registry: Registry;
  hooks: HeldHooks;
  /** Projects' plugins that the user allowed, as they were found. */
  local: readonly LocalState[];
}

interface GenerationsOptions
  extends Omit<RegistryOptions, "config" | "local" | "hooks" | "previous"> {
  /** The id of a session's project, where it is known. */
  projectOf?: (session: string) => string | undefined;
  /** Called with each config that comes into force. */
  configured?: (config: Config) => void;
  /** Called with the clients that plugins bring, whenever plugins were put in force. */
  broughtClients?: (clients: ReturnType<typeof broughtClients>) => void;
  /** Called when other plugins are in force, for whatever reason. */
  changed?: () => void;
  /** Waits in ms before plugins that did not start are started again; the last is repeated. */
  startAgainMs?: readonly number[];
}

export interface Generations {
  current(): Generation;
  /** Runs work that needs the same plugins from beginning to end; they are not stopped meanwhile. */
  use<Value>(work: (generation: Generation) => Promise<Value>): Promise<Value>;
  /** Always the hooks in force: what outlives a reload holds these. After a stop `first` rejects. */
  hooks: Hooks;
  /** What plugins in force bring beside hooks. */
  parts: Parts;
  /** Puts the config as it is now in force. Calls wait for one another. */
  reload(): Promise<void>;
  /** Puts changed plugin files in force, with the config as it was read last. */
  reloadFiles(): Promise<void>;
  /** Files and folders that plugins in force were made from, and where others may appear. */
  roots(): Promise<string[]>;
  /** Takes no new work, and stops all plugins once nothing is under way or after a few seconds. */
  stop(): Promise<void>;
}

/** How long plugins that have to go wait for calls under way. */
const retireWaitMs = 5_000;
/** A server lives for weeks: what kept a plugin from starting (a full disk) is over long before. */
const defaultStartAgainMs: readonly number[] = [5_000, 30_000, 120_000, 600_000];

/**
 * Reads the config and starts its plugins. Never rejects: whatever is wrong is logged and stands in the generation.
 * Long because its short calls share the generation in force and the change that is under way.
 */
export async function startGenerations(options: GenerationsOptions): Promise<Generations> {
  const { home, log } = options;
  const { plugins } = memoirPaths(home);
  let current: Generation | undefined;
  const begin = (file: ConfigFile, previous?: Registry) =>
    beginGeneration(file, { ...options, hooks: () => current?.hooks, previous });
  const first = await readConfigOrLast(home);
  reportProblems(first, log);
  let generation = await begin(first);
  current = generation;
  let reloading: Promise<unknown> = Promise.resolve();
  let retiring: Promise<unknown> = Promise.resolve();
  let isStopped = false;
  const startAgain = createStartAgain(options.startAgainMs ?? defaultStartAgainMs, putFilesInForce);
  startAgain.plan(generation);

  async function change(): Promise<void> {
    const file = await readConfig(home);
    if (file.broken) {
      for (const problem of file.problems) log.error("config not in effect", { ...problem });
      generation.file = { ...generation.file, problems: file.problems, broken: true };
      options.changed?.();
      return;
    }
    reportProblems(file, log);
    startAgain.reset();
    await putInForce(file);
  }

  async function putInForce(file: ConfigFile): Promise<void> {
    const old = generation;
    generation = await begin(file, old.registry);
    current = generation;
    options.changed?.();
    // In their order: generations share plugins, and a call of an earlier one may still be with a plugin that a later one ends.
    const { registry } = generation;
    retiring = retiring.then(() => retire(old, registry));
    if (!isStopped) startAgain.plan(generation);
  }

  /** With the config as it was read: a change to its file waits for its reload. */
  function putFilesInForce(): Promise<void> {
    return inTurn(() => (isStopped ? Promise.resolve() : putInForce(generation.file)));
  }

  function inTurn(work: () => Promise<void>): Promise<void> {
    const done = reloading.then(work);
    reloading = done.catch(() => undefined);
    return done;
  }

  return {
    current: () => generation,
    async use(work) {
      const own = generation;
      const release = own.hooks.keepBusy();
      try {
        return await work(own);
      } finally {
        release();
      }
    },
    hooks: {
      parallel: (name, input) => generation.hooks.parallel(name, input),
      sequence: (name, input) => generation.hooks.sequence(name, input),
      reduce: (name, input) => generation.hooks.reduce(name, input),
      async first(name, input, options) {
        if (isStopped) throw new MemoirError("server_unreachable", "The server has stopped.");
        return await generation.hooks.first(name, input, options);
      },
      subscriptions: (name) => generation.hooks.subscriptions(name),
    },
    parts: {
      list: () => generation.hooks.parts.list(),
      call: (...asked) => generation.hooks.parts.call(...asked),
    },
    reload: () => inTurn(change),
    reloadFiles: putFilesInForce,
    async roots() {
      const { registry, local } = generation;
      const files = await Promise.all(registry.sources.map((path) => pluginFiles(path)));
      return [plugins, ...local.map(({ folder }) => folder), ...files.flat()];
    },
    async stop() {
      isStopped = true;
      startAgain.stop();
      await reloading;
      await retiring;
      await retire(generation);
    },
  };
}

function reportProblems({ problems }: ConfigFile, log: Log): void {
  for (const { path, message } of problems) log.error("config", { path, problem: message });
}

/** Starts the plugins that a config wants, those of allowed projects among them. */
async function beginGeneration(
  file: ConfigFile,
  options: GenerationsOptions & Pick<RegistryOptions, "hooks" | "previous">,
): Promise<Generation> {
  const { home, log, now } = options;
  options.configured?.(file.config);
  const rules = await useKnownRules(home, file.config, log);
  await keepConfig(home, file);
  const local = await readLocal(home);
  for (const { folder, state } of local.states)
    if (state !== "trusted") log.warn("a project's plugins are not run", { folder, state });
  const registry = await startRegistry({ ...options, config: file.config, local: local.plugins });
  await useRulesOf(registry, rules, { home, config: file.config, log });
  options.broughtClients?.(broughtClients(registry.running));
  const gate =
    file.config.plugins.endless?.enabled === false
      ? () => false
      : createGate(file.config.endless, (session) => options.projectOf?.(session));
  const hooks = createHooks(registry.running, { log, now, gate });
  return { file, registry, hooks, local: local.states };
}

/** Stops a generation's plugins, once nothing is under way with them, except those that `next` goes on with. */
async function retire(old: Generation, next?: Registry): Promise<void> {
  await within(retireWaitMs, old.hooks.idle(), undefined);
  await old.registry.stop(next);
}

/** Starts plugins that did not start again and again, each time after a longer wait. */
function createStartAgain(waitsMs: readonly number[], start: () => Promise<void>) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let times = 0;
  return {
    plan({ registry }: Generation): void {
      clearTimeout(timer);
      const delay = waitsMs[Math.min(times, waitsMs.length - 1)];
      if (delay === undefined || !registry.mayStartLater) return;
      timer = setTimeout(() => {
        times += 1;
        void start();
      }, delay);
      timer.unref?.();
    },
    reset(): void {
      times = 0;
    },
    stop: () => clearTimeout(timer),
  };
}

// Sees that a plugin's files changed: the system's notice where there is one, a look now and then where there is none.

/** When it looks. */
export interface WatchTimes {
  /** Ms for which nothing may change before it counts. */
  quietMs?: number;
  /** Ms between two looks where the system notices changes. */
  lookMs?: number;
}

interface WatchOptions extends WatchTimes {
  /** Files and folders whose change counts; asked again after each change. Need not exist. */
  roots(): Promise<readonly string[]>;
  /** Called once files differ from before and have stood still for a moment; calls never overlap. */
  changed(): Promise<void>;
  failed(error: unknown): void;
  /** Called once for a file that changes so often that further changes have to wait. */
  restless?(path: string): void;
  /** So many changes at once; after that one every `restMs`. */
  atOnce?: number;
  restMs?: number;
  /** Ms between two looks where it does not. */
  pollMs?: number;
  /** Default: the system's. Throws where it cannot watch. */
  notice?(folder: string, heard: () => void): Pick<FSWatcher, "close">;
}

export interface PluginWatch {
  /** After something else put plugins in force: there may be others to watch now. */
  refresh(): Promise<void>;
  /** Stops; nothing is called afterwards. Waits for a change that is being put in force. */
  stop(): Promise<void>;
}

/** So many looks in a row at files that are just being written, and they are put in force as they are. */
const mostUnsettled = 40;

/** More than plugins have; a folder with more is looked at in part. */
const maxEntries = 2_000;
const maxFolders = 200;

/**
 * Watches from now on: what is there at the call is what later states are compared with.
 * Long because its short steps share what was seen last and the look that is due.
 */
export async function watchPlugins(options: WatchOptions): Promise<PluginWatch> {
  const { roots, changed, failed, quietMs = 120, lookMs = 5_000, pollMs = 1_000 } = options;
  const { atOnce = 30, restMs = 10_000 } = options;
  // A plugin that writes into its own folder would else be loaded anew with every event.
  const mayChange = createAllowance(atOnce, 1_000 / restMs);
  const restless = new Set<string>();
  let unsettled = 0;
  let isStopped = false;
  /** A change was noticed since the last look began. */
  let noticed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** When the next look is due, on the clock of `performance.now`. */
  let due = Number.POSITIVE_INFINITY;
  let looking: Promise<void> = Promise.resolve();
  const notices = createNotices(options.notice ?? noticeBySystem, () => {
    noticed = true;
    plan(quietMs);
  });
  let inForce = await survey();

  async function survey(): Promise<string> {
    const { text, folders } = await stateOf(await roots());
    if (!isStopped) notices.follow(folders);
    return text;
  }

  function plan(ms: number): void {
    const at = performance.now() + ms;
    // A folder in which something is written all the time must not put the look off for ever.
    if (isStopped || at >= due) return;
    due = at;
    clearTimeout(timer);
    timer = setTimeout(() => {
      due = Number.POSITIVE_INFINITY;
      looking = looking.then(look).catch(failed);
    }, ms);
    timer.unref?.();
  }

  async function look(): Promise<void> {
    if (isStopped) return;
    noticed = false;
    let next = usualWait();
    try {
      next = (await lookAtChanges()) ?? next;
    } finally {
      plan(noticed ? quietMs : next);
    }
  }

  const usualWait = () => (notices.isComplete() ? lookMs : pollMs);

  /** Gives the ms until the next look where it is not the usual time. */
  async function lookAtChanges(): Promise<number | undefined> {
    const before = await survey();
    if (before === inForce) return undefined;
    await pause(quietMs);
    const state = await survey();
    // Still being written; but what is written all the time must not keep other changes waiting for ever.
    if (state !== before && ++unsettled < mostUnsettled) return quietMs;
    if (!mayChange.take()) {
      const path = differing(inForce, state);
      if (!restless.has(path)) options.restless?.(path);
      restless.add(path);
      return Math.min(lookMs, restMs);
    }
    unsettled = 0;
    inForce = state;
    if (!isStopped) await changed();
    // What was written while it was loaded is the next change.
    return (await survey()) === inForce ? undefined : quietMs;
  }

  plan(usualWait());
  return {
    async refresh() {
      await survey().catch(failed);
      plan(quietMs);
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      notices.close();
      await looking;
    },
  };
}

/** The system's notices of changes in folders. */
function createNotices(notice: NonNullable<WatchOptions["notice"]>, heard: () => void) {
  const watched = new Map<string, Pick<FSWatcher, "close">>();
  let isComplete = true;
  return {
    /** Listens to these folders and to no others. */
    follow(folders: readonly string[]): void {
      for (const [folder, watcher] of watched)
        if (!folders.includes(folder)) {
          watcher.close();
          watched.delete(folder);
        }
      isComplete = true;
      for (const folder of folders)
        if (!watched.has(folder))
          try {
            watched.set(folder, notice(folder, heard));
          } catch {
            // Too many watches, or a file system that reports nothing.
            isComplete = false;
          }
    },
    /** Whether every folder is listened to; else somebody has to look now and then. */
    isComplete: () => isComplete,
    close(): void {
      for (const watcher of watched.values()) watcher.close();
      watched.clear();
    },
  };
}

function noticeBySystem(folder: string, heard: () => void): Pick<FSWatcher, "close"> {
  const watcher = watch(folder, { persistent: false }, heard);
  // A folder that goes away ends its watch; the next look says so.
  watcher.on("error", () => watcher.close());
  return watcher;
}

/** Everything that tells one state from another, and the folders in which something may change. */
async function stateOf(
  roots: readonly string[],
): Promise<{ text: string; folders: readonly string[] }> {
  const lines: string[] = [];
  const folders = new Set<string>();

  async function visit(path: string, depth: number): Promise<void> {
    if (lines.length >= maxEntries) return;
    const found = await stat(path).catch(() => undefined);
    if (!found) return void lines.push(`${path} gone`);
    if (!found.isDirectory()) {
      lines.push(`${path} ${found.size} ${found.mtimeMs} ${found.ctimeMs} ${found.ino}`);
      return;
    }
    lines.push(`${path}/`);
    if (folders.size < maxFolders) folders.add(path);
    if (depth > 8) return;
    for (const name of (await readdir(path).catch(() => [])).sort())
      if (name !== "node_modules" && !name.startsWith("."))
        await visit(join(path, name), depth + 1);
  }

  for (const root of [...new Set(roots)].sort()) {
    await visit(root, 0);
    // A file is replaced in its folder, and what is not there yet comes into its.
    if (!folders.has(root) && folders.size < maxFolders) folders.add(await nearestFolder(root));
  }
  return { text: lines.join("\n"), folders: [...folders] };
}

/** A path whose line is another in the second state. */
function differing(before: string, after: string): string {
  const known = new Set(before.split("\n"));
  const line = after.split("\n").find((one) => !known.has(one)) ?? "";
  return line.replace(/( gone| [\d.]+ [\d.]+ [\d.]+ \d+)$/, "");
}

/** The nearest folder above that is there. */
async function nearestFolder(path: string): Promise<string> {
  let folder = dirname(path);
  while (folder !== dirname(folder) && !(await stat(folder).catch(() => undefined)))
    folder = dirname(folder);
  return folder;
}

// Puts plugin files that appear, change or go in force by itself, and says so.

/** Watches what plugins in force are made of; `heard` is called after each change is in force. */
export function watchInForce(
  plugins: Generations,
  heard: () => Promise<void>,
  { log, ...times }: { log: Log } & WatchTimes,
): Promise<PluginWatch> {
  return watchPlugins({
    ...times,
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
}
