// One plugin's life: configured, started, stopped. A start that fails is released like one that worked.
import { errorMessage } from "../../home/describe-error.ts";
import type { Log } from "../../home/log.ts";
import type { PluginContext, StorageClient } from "../../sdk/context.ts";
import type { EndlessClient } from "../../sdk/endless.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { hookKinds } from "../../sdk/hooks.ts";
import type { NewMemoryItem } from "../../sdk/model.ts";
import type { Completion, CompletionRequest } from "../../sdk/provider.ts";
import type { PutRequest } from "../../sdk/storage.ts";
import { within } from "../../sdk/within.ts";
import { askStorage, type StorageHook, withoutHidden } from "../hooks/ask-storage.ts";
import type { BoundPlugin, PluginCode } from "../isolation/isolated-plugin.ts";
import { whereThrown } from "../isolation/thrown.ts";
import type { Options } from "../isolation/wire.ts";
import type { Hooks } from "../ports.ts";
import { configured } from "./check-plugin.ts";

/** A started plugin. */
export interface Instance extends Pick<BoundPlugin, "plugin" | "stray"> {
  context: PluginContext;
  state: unknown;
  /** Never rejects; a second call does nothing. */
  stop(): Promise<void>;
}

/** How long a start (a storage may migrate) and a stop may take. */
export interface LifeDeadlines {
  startMs: number;
  stopMs: number;
}

const lifeDeadlines: LifeDeadlines = { startMs: 60_000, stopMs: 5_000 };

/** Configures and starts a plugin. Rejects with a MemoirError that names it, after releasing what it had opened. */
export async function startInstance(
  code: PluginCode,
  options: Options,
  tools: ContextTools,
  deadlines: LifeDeadlines = lifeDeadlines,
): Promise<Instance> {
  const { plugin, config, abandon, stray } = await configured(code, options);
  const bound = bindContext(plugin.name, config, tools);
  const life = storageForLife(bound.storage, plugin.name);
  const context: PluginContext = { ...bound, storage: life.storage };
  let stopped: Promise<void> | undefined;

  async function release(state: unknown): Promise<void> {
    try {
      const stopping = (async () => plugin.stop?.(state, context))();
      await within(deadlines.stopMs, stopping, late(plugin.name, "stop", deadlines.stopMs));
    } catch (error) {
      tools.log.warn("a plugin did not stop cleanly", { plugin: plugin.name, error });
      abandon?.();
    }
    // It may still write in its stop.
    await within(deadlines.stopMs, life.end(), undefined);
  }

  const starting = (async () => plugin.start?.(context))();
  try {
    const state = await within(
      deadlines.startMs,
      starting,
      late(plugin.name, "start", deadlines.startMs),
    );
    const stop = () => {
      stopped ??= release(state);
      return stopped;
    };
    return { plugin, context, state, stop, stray };
  } catch (error) {
    if (abandon) abandon();
    // A late start may still come to an end: what it opened then is closed then.
    else if (error instanceof MemoirError && error.code === "plugin_deadline")
      starting.then(release, () => release(undefined));
    else await release(undefined);
    throw startError(error, plugin.name);
  }
}

function late(plugin: string, what: string, ms: number): MemoirError {
  const message = `plugin ${plugin} did not ${what} within ${ms} ms`;
  return new MemoirError("plugin_deadline", message, { plugin });
}

function startError(error: unknown, plugin: string): MemoirError {
  if (error instanceof MemoirError && error.plugin) return error;
  const code = error instanceof MemoirError ? error.code : "plugin_failed";
  const message = `plugin ${plugin} did not start: ${errorMessage(error)}${whereThrown(error)}`;
  const fix = error instanceof MemoirError ? { fix: error.fix } : {};
  return new MemoirError(code, message, { plugin, cause: error, ...fix });
}

// The storage that a plugin is handed, for as long as the plugin runs: who reads on in the background must not meet a closed database.

/** Storage with an end. */
interface StorageForLife {
  storage: StorageClient;
  /** From now on every call is refused; resolves when those under way are answered. Never rejects. */
  end(): Promise<void>;
}

/** Passes all calls on to `storage` until its end. */
export function storageForLife(storage: StorageClient, plugin: string): StorageForLife {
  const underWay = new Set<Promise<unknown>>();
  let isOver = false;
  async function pass(ask: () => Promise<unknown>): Promise<unknown> {
    if (isOver)
      throw new MemoirError("plugin_failed", `plugin ${plugin} used storage after its stop`, {
        plugin,
        fix: "Its author can end in `stop` what it does in the background.",
      });
    const asking = ask();
    underWay.add(asking);
    try {
      return await asking;
    } finally {
      underWay.delete(asking);
    }
  }
  const methods = Object.entries(storage).map(([verb, ask]) => [
    verb,
    (input: never) => pass(() => ask(input)),
  ]);
  return {
    storage: Object.fromEntries(methods) as StorageClient,
    async end() {
      isOver = true;
      await Promise.allSettled(underWay);
    },
  };
}

/** Together plugins may make the others wait this long; who comes later is then stopped without waiting. */
const stopPatienceMs = 2_000;

/**
 * Stops plugins one after the other, as long as they stop: those that hang must not make the end of the server last
 * minutes. Resolves once all have stopped.
 */
export async function stopAll(
  instances: ReadonlyArray<Pick<Instance, "stop">>,
  waitMs: number = stopPatienceMs,
): Promise<void> {
  const end = performance.now() + waitMs;
  const stopping: Array<Promise<void>> = [];
  for (const instance of instances) {
    const stopped = instance.stop();
    stopping.push(stopped);
    await within(end - performance.now(), stopped, undefined);
  }
  await Promise.all(stopping);
}

// What a plugin is given as `ctx`: its config, a log under its name, and the storage and provider in force.

/** What contexts are made from. */
export interface ContextTools {
  home: string;
  log: Log;
  now: () => number;
  /** The hooks in force at the moment of a call; undefined while plugins start. */
  hooks: () => Hooks | undefined;
  /** What of memory items that a plugin found the user did not have forgotten; default: all. */
  itemsLeft?: (items: readonly NewMemoryItem[]) => NewMemoryItem[];
  /** Asks the provider slot; default: straight through the hook. */
  complete?: CompleteThrough;
  /** What strategies of Endless Mode are offered, under a plugin's name; default: nothing is known and nothing kept. */
  endless?: (plugin: string) => EndlessClient;
}

/** Asks the provider slot of `hooks` in a plugin's name. */
type CompleteThrough = (
  hooks: Hooks,
  plugin: string,
  request: CompletionRequest,
) => Promise<Completion>;

/** The context of one plugin, without state and signal, which belong to a call. */
export function bindContext(plugin: string, config: unknown, tools: ContextTools): PluginContext {
  const { home, log, now, hooks, complete = completeDirectly, endless } = tools;
  const storage = createStorageClient(() => withoutHidden(bound(hooks(), plugin)));
  return {
    plugin,
    config,
    log: log.child(`plugin.${plugin}`),
    home,
    now,
    storage: { ...storage, put: (request) => storage.put(leavingOut(request, tools)) },
    complete: async (request) => complete(bound(hooks(), plugin), plugin, request),
    endless: endless?.(plugin) ?? nothingKept,
  };
}

function leavingOut(request: PutRequest, { itemsLeft }: ContextTools): PutRequest {
  const { memory } = request.records ?? {};
  if (!itemsLeft || !Array.isArray(memory)) return request;
  return { ...request, records: { ...request.records, memory: itemsLeft(memory) } };
}

const completeDirectly: CompleteThrough = async (hooks, _plugin, request) => {
  const answer = await hooks.first("complete", request);
  if (!answer) throw new MemoirError("provider_none", "no model provider answered");
  return answer.result;
};

/** Where no original can be kept, none may be taken out. */
const nothingKept: EndlessClient = {
  original: async () => undefined,
  keep: async () => false,
  kept: async () => undefined,
  note: async () => {},
  figures: async () => [],
  settled: async () => undefined,
};

const beginning = "storage.";

/** The storage in force: one method for each hook `storage.<verb>`. Each rejects when no storage answers. */
export function createStorageClient(hooks: () => Pick<Hooks, "first">): StorageClient {
  const verbs = (Object.keys(hookKinds) as StorageHook[]).filter((name) =>
    name.startsWith(beginning),
  );
  const methods = verbs.map((name) => [
    name.slice(beginning.length),
    async (input: never) => askStorage(hooks(), name, input),
  ]);
  return Object.fromEntries(methods) as StorageClient;
}

/** Actions wait for the start to be over: before it, nobody is there who could answer. */
function bound(hooks: Hooks | undefined, plugin: string): Hooks {
  if (hooks) return hooks;
  throw new MemoirError("plugin_failed", `plugin ${plugin} used storage or a model in its start`, {
    plugin,
    fix: "Use them in a hook's handler; while plugins start, none of them can answer.",
  });
}
