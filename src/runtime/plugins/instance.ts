// One plugin's life: configured, started, stopped. A start that fails is released like one that worked.
import { errorMessage } from "../../home/describe-error.ts";
import type { PluginContext } from "../../sdk/context.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { within } from "../../sdk/within.ts";
import { bindContext, type ContextTools, storageForLife } from "../hooks/ask-storage.ts";
import type { BoundPlugin, PluginCode } from "../isolation/isolated-plugin.ts";
import { whereThrown } from "../isolation/thrown.ts";
import type { Options } from "../isolation/wire.ts";
import { configured } from "./check-plugin.ts";
import { openData } from "./declared-data.ts";

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
  code: PluginCode & { source?: string },
  options: Options,
  tools: ContextTools,
  deadlines: LifeDeadlines = lifeDeadlines,
): Promise<Instance> {
  const { plugin, config, abandon, stray } = await configured(code, options);
  const bound = bindContext(plugin.name, config, tools);
  const life = storageForLife(bound.storage, plugin.name);
  // One in a worker has its database there.
  const isHere = abandon === undefined;
  const data = isHere ? await openData(plugin, tools.home, code.source) : undefined;
  const context: PluginContext = {
    ...bound,
    storage: life.storage,
    ...(data && { data: data.client }),
  };
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
    data?.close();
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
