// What each reading of the config led to, and the change from one to the next while events are under way.

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
import type { Hooks, LocalState } from "../ports.ts";
import { ownFolder, pluginFiles } from "./fingerprint.ts";
import { readLocal } from "./local.ts";
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
const patienceMs = 5_000;
/** A server lives for weeks: what kept a plugin from starting (a full disk) is over long before. */
const defaultStartAgainMs: readonly number[] = [5_000, 30_000, 120_000, 600_000];

/**
 * Reads the config and starts its plugins. Never rejects: whatever is wrong is logged and stands in the generation.
 * Long because its short calls share the generation in force and the change that is under way.
 */
export async function startGenerations(options: GenerationsOptions): Promise<Generations> {
  const { home, log, now, startAgainMs = defaultStartAgainMs } = options;
  let current: Generation | undefined;
  const first = await readConfigOrLast(home);
  tellProblems(first);
  let generation = await begin(first);
  current = generation;
  let reloading: Promise<unknown> = Promise.resolve();
  let retiring: Promise<unknown> = Promise.resolve();
  let isStopped = false;
  let startedAgain = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  planStartAgain();

  async function begin(file: ConfigFile, previous?: Registry): Promise<Generation> {
    options.configured?.(file.config);
    const { useOwnRedaction } = await import("../../privacy/redact.ts");
    for (const { at, why } of await useOwnRedaction(file.config.privacy.redact))
      log.error("config", { path: `privacy.redact.${at}`, problem: why });
    await keepConfig(home, file);
    const local = await readLocal(home);
    for (const { folder, state } of local.states)
      if (state !== "trusted") log.warn("a project's plugins are not run", { folder, state });
    const registry = await startRegistry({
      ...options,
      config: file.config,
      local: local.plugins,
      hooks: () => current?.hooks,
      previous,
    });
    const gate = createGate(file.config.endless, (session) => options.projectOf?.(session));
    return {
      file,
      registry,
      hooks: createHooks(registry.running, { log, now, gate }),
      local: local.states,
    };
  }

  function tellProblems({ problems }: ConfigFile): void {
    for (const { path, message } of problems) log.error("config", { path, problem: message });
  }

  async function change(): Promise<void> {
    const file = await readConfig(home);
    if (file.broken) {
      for (const problem of file.problems) log.error("config not in force", { ...problem });
      generation.file = { ...generation.file, problems: file.problems, broken: true };
      options.changed?.();
      return;
    }
    tellProblems(file);
    startedAgain = 0;
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
    planStartAgain();
  }

  /** With the config as it was read: a change to the file waits for its reload. */
  function planStartAgain(): void {
    clearTimeout(timer);
    const delay = startAgainMs[Math.min(startedAgain, startAgainMs.length - 1)];
    if (isStopped || delay === undefined || !generation.registry.mayStartLater) return;
    timer = setTimeout(() => {
      startedAgain += 1;
      void inTurn(() => (isStopped ? Promise.resolve() : putInForce(generation.file)));
    }, delay);
    timer.unref?.();
  }

  function inTurn(work: () => Promise<void>): Promise<void> {
    const done = reloading.then(work);
    reloading = done.catch(() => undefined);
    return done;
  }

  async function retire(old: Generation, next?: Registry): Promise<void> {
    await within(patienceMs, old.hooks.idle(), undefined);
    await old.registry.stop(next);
  }

  return {
    current: () => generation,
    async use(work) {
      const own = generation;
      const release = own.hooks.hold();
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
    reload: () => inTurn(change),
    reloadFiles: () => inTurn(() => (isStopped ? Promise.resolve() : putInForce(generation.file))),
    async roots() {
      const sources = generation.registry.infos.flatMap(({ source }) => source ?? []);
      const files = await Promise.all(sources.map((path) => pluginFiles(path, ownFolder(path))));
      const folders = generation.local.map(({ folder }) => folder);
      return [memoirPaths(home).plugins, ...folders, ...files.flat()];
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await reloading;
      await retiring;
      await retire(generation);
    },
  };
}
