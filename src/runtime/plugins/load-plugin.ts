// Loads a plugin: a built-in from the table, a user's as a stand-in for its worker, or from its file where config says so.

import { MemoirError } from "../../sdk/errors.ts";
import type { AnyPlugin } from "../../sdk/plugin.ts";
import { within } from "../../sdk/within.ts";
import type { LoadPlugin } from "../builtins.ts";
import type { Config } from "../config/schema.ts";
import { describeIsolated, loadIsolated, type PluginCode } from "../isolation/isolated-plugin.ts";
import type { PluginInfo } from "../ports.ts";
import { checkPlugin } from "./check-plugin.ts";
import { importPlugin } from "./import-plugin.ts";
import { locatePlugin, type Places } from "./locate.ts";
import { checkOptions } from "./plugin-config.ts";

/** A plugin as data, and where it came from. */
export interface LoadedPlugin extends PluginCode {
  origin: PluginInfo["origin"];
  /** Absolute path of a user's plugin. */
  source?: string;
  /** It runs in this process, not in a worker. */
  isInProcess: boolean;
  /** Tells one state of its files from another. */
  version?: string;
}

/** What config says about how plugins run; default: all of the user's in workers. */
interface LoadPlaces extends Places {
  config?: { plugins?: Config["plugins"]; isolation?: Partial<Config["isolation"]> };
}

/** A module may take so long until it is there: a top-level `await` may never end. */
const defaultIsolation: Config["isolation"] = { memoryMb: 512, loadSeconds: 5 };

/** Loads what a reference names. Rejects with plugin_not_found, plugin_invalid, plugin_deadline or plugin_sdk_version. */
export async function loadPlugin(
  reference: string,
  builtins: Readonly<Record<string, LoadPlugin>>,
  places: LoadPlaces,
): Promise<LoadedPlugin> {
  const builtIn = Object.hasOwn(builtins, reference) ? builtins[reference] : undefined;
  if (builtIn)
    return { ...inProcess(checkPlugin((await builtIn()).default, reference)), origin: "built-in" };
  const { origin, path } = await locatePlugin(reference, {
    ...places,
    known: Object.keys(builtins),
  });
  const { plugins, isolation } = places.config ?? {};
  const { memoryMb, loadSeconds } = { ...defaultIsolation, ...isolation };
  const deadlineMs = loadSeconds * 1_000;
  const subject = { source: path, home: places.home, deadlineMs };
  // Nobody's module is imported here unless the user wants that; what it is called, a worker says.
  if (plugins && Object.values(plugins).some(({ inProcess }) => inProcess === true)) {
    const { name } = await describeIsolated(subject);
    if (plugins[name]?.inProcess === true) {
      const plugin = await within(deadlineMs, importPlugin(path), late(path, deadlineMs));
      return { ...inProcess(plugin), origin, source: path };
    }
  }
  const maxBytes = memoryMb * 1_048_576;
  const code = await loadIsolated({ ...subject, maxBytes });
  return { ...code, isInProcess: false, origin, source: path };
}

/** A plugin whose code runs in this process. */
export function inProcess(plugin: AnyPlugin): PluginCode & { isInProcess: true } {
  return {
    plugin,
    isInProcess: true,
    // Deadlines by config are asked of the plugin itself.
    check: async (options) => ({ ...checkOptions(plugin, options), deadlines: {} }),
    bind: (_options, { config }) => ({ plugin, config }),
  };
}

function late(path: string, deadlineMs: number): MemoirError {
  return new MemoirError("plugin_deadline", `${path} was not loaded within ${deadlineMs} ms`, {
    fix: "Let the plugin's module wait for nothing; `start` is the place to open and to connect.",
  });
}
