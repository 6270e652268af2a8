// One plugin's life: configured, started, stopped. A start that fails is released like one that worked.

import { errorMessage } from "../../home/describe-error.ts";
import type { PluginContext } from "../../sdk/context.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { AnyPlugin } from "../../sdk/plugin.ts";
import { within } from "../../sdk/within.ts";
import { isolationOf } from "../isolation/isolated.ts";
import { whereThrown } from "../isolation/wire-error.ts";
import { bindContext, type ContextTools } from "./bind-context.ts";
import { configure } from "./plugin-config.ts";
import { storageForLife } from "./storage-for-life.ts";

/** A started plugin. */
export interface Instance {
  plugin: AnyPlugin;
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
  plugin: AnyPlugin,
  options: Readonly<Record<string, unknown>>,
  tools: ContextTools,
  deadlines: LifeDeadlines = lifeDeadlines,
): Promise<Instance> {
  const bound = bindContext(plugin.name, await configure(plugin, options), tools);
  const life = storageForLife(bound.storage, plugin.name);
  const context: PluginContext = { ...bound, storage: life.storage };
  let stopped: Promise<void> | undefined;

  async function release(state: unknown): Promise<void> {
    try {
      const stopping = (async () => plugin.stop?.(state, context))();
      await within(deadlines.stopMs, stopping, late(plugin.name, "stop", deadlines.stopMs));
    } catch (error) {
      tools.log.warn("a plugin did not stop cleanly", { plugin: plugin.name, error });
      isolationOf(plugin)?.abandon(context);
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
    return { plugin, context, state, stop };
  } catch (error) {
    const isolated = isolationOf(plugin);
    if (isolated) isolated.abandon(context);
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
