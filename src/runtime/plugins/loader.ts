// Loads plugins again: what did not change goes on, what changed is loaded anew, and where that fails it stays as it was.

import { errorWithFix } from "../../home/describe-error.ts";
import type { PluginContext } from "../../sdk/context.ts";
import type { LoadPlugin } from "../builtins.ts";
import type { Config } from "../config/schema.ts";
import { isolationOf } from "../isolation/isolated.ts";
import type { Entry } from "./entry.ts";
import { fingerprint } from "./fingerprint.ts";
import { forgetModules } from "./forget-modules.ts";
import { type LoadedPlugin, loadPlugin } from "./load-plugin.ts";
import { type Places, whereIs } from "./locate.ts";

/** Loads each plugin once. */
interface Loader {
  /** Rejects as `loadPlugin` for a plugin that never ran. */
  load(reference: string): Promise<LoadedPlugin>;
  /** References whose files changed since they were loaded last. */
  changed: ReadonlySet<string>;
  /** Those of them that stay as they were, and why. */
  stale: ReadonlyMap<string, string>;
}

/** `entries` is what runs now. */
export function createLoader(
  options: Places & {
    config: Config;
    builtins: Readonly<Record<string, LoadPlugin>>;
    log: PluginContext["log"];
  },
  entries: readonly Entry[],
): Loader {
  const { config, builtins, log } = options;
  const loads = new Map<string, Promise<LoadedPlugin>>();
  const changed = new Set<string>();
  const stale = new Map<string, string>();

  function load(reference: string): Promise<LoadedPlugin> {
    const loading = loads.get(reference) ?? loadOnce(reference);
    loads.set(reference, loading);
    return loading;
  }

  async function loadOnce(reference: string): Promise<LoadedPlugin> {
    const known = entries.find((entry) => entry.reference === reference)?.loaded;
    if (known?.origin === "built-in" || Object.hasOwn(builtins, reference))
      return known ?? loadPlugin(reference, builtins, options);
    const path = known?.source ?? (await whereIs(reference, options));
    if (path === undefined) return loadPlugin(reference, builtins, options);
    // Before the load: what is written meanwhile is a change.
    const version = await fingerprint(path);
    if (known?.version === version && runsAsWanted(known)) return known;
    if (known) changed.add(reference);
    await forgetModules(path);
    try {
      return { ...(await loadPlugin(reference, builtins, options)), version };
    } catch (error) {
      if (!known) throw error;
      log.error("a changed plugin is not in force", { plugin: reference, error });
      stale.set(reference, errorWithFix(error));
      return known;
    }
  }

  /** In a worker or in this process, as config says now. */
  function runsAsWanted({ plugin }: LoadedPlugin): boolean {
    const isInside = isolationOf(plugin) === undefined;
    return isInside === (config.plugins[plugin.name]?.inProcess === true);
  }

  return { load, changed, stale };
}
