// Loads a plugin: a built-in from the table, a user's as a stand-in for its worker, or from its file where config says so.

import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { errorWithFix } from "../../home/describe-error.ts";
import type { Log } from "../../home/log.ts";
import { memoirPaths } from "../../home/paths.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { type AnyPlugin, type Slot, slotNames } from "../../sdk/plugin.ts";
import { within } from "../../sdk/within.ts";
import type { LoadPlugin } from "../builtins.ts";
import type { Config } from "../config/schema.ts";
import { slotsOf } from "../hooks/subscription.ts";
import {
  describeIsolated,
  lastSlots,
  loadIsolated,
  type PluginCode,
  tooLate,
} from "../isolation/isolated-plugin.ts";
import type { Oversight } from "../isolation/oversight.ts";
import type { PluginInfo, StrayInfo } from "../ports.ts";
import { checkOptions, checkPlugin } from "./check-plugin.ts";
import {
  type Dropped,
  discoverPlugins,
  fingerprint,
  isPath,
  locatePlugin,
  type Places,
  whereIs,
} from "./find.ts";
import { forgetModules, importPlugin } from "./import-plugin.ts";

/** A plugin as data, and where it came from. */
export interface LoadedPlugin extends PluginCode {
  origin: PluginInfo["origin"];
  /** Absolute path of a user's plugin. */
  source?: string;
  /** Of a second one under another name: the word that names the plugin. */
  original?: string;
  /** It runs in this process, not in a worker. */
  isInProcess: boolean;
  /** Tells one state of its files from another. */
  version?: string;
}

/** What config says about how plugins run; default: all of the user's in workers. */
interface LoadPlaces extends Places {
  config?: { plugins?: Config["plugins"]; isolation?: Partial<Config["isolation"]> };
}

type Builtins = Readonly<Record<string, LoadPlugin>>;

/** A module may take so long until it is there: a top-level `await` may never end. */
const defaultIsolation: Config["isolation"] = { memoryMb: 512, loadSeconds: 5 };

/** Of a name that config gives to a second one of some plugin: which that is. */
function originalOf(
  reference: string,
  builtins: Builtins,
  plugins: Config["plugins"] = {},
): string | undefined {
  if (Object.hasOwn(builtins, reference)) return undefined;
  const original = plugins[reference]?.plugin;
  if (original === undefined || plugins[original]?.plugin === undefined) return original;
  throw new MemoirError(
    "plugin_invalid",
    `plugins.${reference}.plugin is ${original}, which is a second name itself`,
    { fix: `Name the plugin that \`plugins.${original}.plugin\` names.` },
  );
}

/** Loads what a reference names. Rejects with plugin_not_found, plugin_invalid, plugin_deadline or plugin_sdk_version. */
export async function loadPlugin(
  reference: string,
  builtins: Builtins,
  places: LoadPlaces,
): Promise<LoadedPlugin> {
  const original = originalOf(reference, builtins, places.config?.plugins);
  if (original === undefined) return loadNamed(reference, builtins, places);
  const word = await wordFor(original, builtins, places);
  return { ...(await loadNamed(word, builtins, places, reference)), original };
}

/** What lies in the home's folder is named by its file, or its own folder. */
async function wordFor(name: string, builtins: Builtins, { home }: Places): Promise<string> {
  if (Object.hasOwn(builtins, name) || isPath(name)) return name;
  const dropped = await discoverPlugins(memoirPaths(home).plugins);
  return dropped.find((one) => one.name === name)?.path ?? name;
}

/** The plugin under its own name, or under another one. */
async function loadNamed(
  reference: string,
  builtins: Builtins,
  places: LoadPlaces,
  name?: string,
): Promise<LoadedPlugin> {
  const called = (plugin: AnyPlugin) => (name === undefined ? plugin : { ...plugin, name });
  const builtIn = Object.hasOwn(builtins, reference) ? builtins[reference] : undefined;
  if (builtIn) {
    const plugin = called(checkPlugin((await builtIn()).default, reference));
    return { ...inProcess(plugin), origin: "built-in" };
  }
  const known = Object.keys(builtins);
  const { origin, path: source } = await locatePlugin(reference, { ...places, known });
  const { plugins = {}, isolation } = places.config ?? {};
  const { memoryMb, loadSeconds } = { ...defaultIsolation, ...isolation };
  const deadlineMs = loadSeconds * 1_000;
  const subject = { source, home: places.home, deadlineMs };
  // Nobody's module is imported here unless the user wants that; what it is called, a worker says.
  if (Object.values(plugins).some((entry) => entry.inProcess === true)) {
    const own = await describeIsolated(subject);
    if (plugins[name ?? own.name]?.inProcess === true) {
      const importing = importPlugin(source, places.home);
      const plugin = await within(deadlineMs, importing, tooLate(source, deadlineMs));
      return { ...inProcess(called(plugin)), origin, source };
    }
  }
  const code = await loadIsolated({ ...subject, maxBytes: memoryMb * 1_048_576, name });
  return { ...code, isInProcess: false, origin, source };
}

/** A plugin whose code runs in this process. */
function inProcess(plugin: AnyPlugin): PluginCode & { isInProcess: true } {
  return {
    plugin,
    isInProcess: true,
    // Deadlines by config are asked of the plugin itself.
    check: async (options) => ({ ...checkOptions(plugin, options), deadlines: {} }),
    bind: (_options, { config }) => ({ plugin, config }),
  };
}

/** The same answer for the same reference. */
export function once<Value>(
  load: (reference: string) => Promise<Value>,
): (reference: string) => Promise<Value> {
  const loads = new Map<string, Promise<Value>>();
  return (reference) => {
    const loading = loads.get(reference) ?? load(reference);
    loads.set(reference, loading);
    return loading;
  };
}

/** Loads plugins again: what did not change goes on, what changed is loaded anew, and where that fails it stays as it was. */
interface Loader {
  /** Once for each reference. Rejects as `loadPlugin` for a plugin that never ran. */
  load(reference: string): Promise<LoadedPlugin>;
  /** References whose files changed since they were loaded last. */
  changed: ReadonlySet<string>;
  /** Those of them that stay as they were, and why. */
  stale: ReadonlyMap<string, string>;
}

/** `running` is what runs now. */
export function createLoader(
  options: Places & { config: Config; builtins: Builtins; log: Log },
  running: ReadonlyArray<{ reference: string; loaded: LoadedPlugin }>,
): Loader {
  const { config, builtins, log } = options;
  const changed = new Set<string>();
  const stale = new Map<string, string>();

  /** In a worker or in this process, as config says now. */
  const runsAsWanted = ({ plugin, isInProcess }: LoadedPlugin) =>
    isInProcess === (config.plugins[plugin.name]?.inProcess === true);

  async function load(reference: string): Promise<LoadedPlugin> {
    const original = originalOf(reference, builtins, config.plugins);
    const known = running.find(
      (one) => one.reference === reference && one.loaded.original === original,
    )?.loaded;
    if (known?.origin === "built-in") return known;
    const word = original === undefined ? reference : await wordFor(original, builtins, options);
    const isBuiltIn = Object.hasOwn(builtins, word);
    const path = isBuiltIn ? undefined : (known?.source ?? (await whereIs(word, options)));
    if (path === undefined) return known ?? loadPlugin(reference, builtins, options);
    // Before the load: what is written meanwhile is a change.
    const version = await fingerprint(path);
    if (known?.version === version && runsAsWanted(known)) return known;
    if (known) changed.add(reference);
    await forgetModules(path);
    try {
      return { ...(await loadPlugin(reference, builtins, options)), version };
    } catch (error) {
      if (!known) throw error;
      log.error("a changed plugin is not in effect", { plugin: reference, error });
      stale.set(reference, errorWithFix(error));
      return known;
    }
  }

  return { load: once(load), changed, stale };
}

// A plugin as lists show it: in force, disabled, failed, or not even loaded.

type Identity = Pick<LoadedPlugin, "plugin" | "origin" | "source">;
type Fills = Readonly<Partial<Record<Slot, number>>>;

/** A plugin that is there and not in force. */
export function disabledInfo({ plugin, origin, source }: Identity): PluginInfo {
  const brought = broughtBy(plugin);
  return {
    name: plugin.name,
    description: plugin.description,
    slots: [...slotsOf(plugin)],
    fills: [],
    origin,
    ...(source !== undefined && { source }),
    ...(brought.length > 0 && { brings: brought }),
    state: "disabled",
  };
}

/** What it declares beside its hooks, in words. */
export function broughtBy({ clients = {}, redactions = {}, data }: AnyPlugin): string[] {
  const found = [
    ...Object.keys(clients).map((name) => `client ${name}`),
    ...Object.keys(redactions).map((name) => `redaction ${name}`),
  ];
  return data ? [...found, "data"] : found;
}

/** A plugin that is not in effect, and why; where it could not be loaded, with what can be said of it all the same. */
export function failedInfo(
  { reference, name = reference }: { reference: string; name?: string },
  loaded: Identity | undefined,
  error: unknown,
  builtins: Builtins,
): PluginInfo {
  const named = isPath(reference) ? "file" : "package";
  const origin: PluginInfo["origin"] = Object.hasOwn(builtins, reference) ? "built-in" : named;
  const about = loaded
    ? disabledInfo(loaded)
    : { name, description: "", slots: [], fills: [], origin };
  return { ...about, state: "failed", error: errorWithFix(error) };
}

/** The slots it is to fill, in their order. */
export function fillsOf({ fills }: { fills: Fills }): Slot[] {
  return slotNames.filter((slot) => fills[slot] !== undefined);
}

/** What a plugin in force does. */
interface InForce {
  loaded: Identity;
  fills: Fills;
  projects?: readonly string[];
  standby?: readonly Slot[] | undefined;
  notInForce?: string | undefined;
  stray?: (() => StrayInfo | undefined) | undefined;
}

/** A plugin in force, and how it fares. */
export function runningInfo(entry: InForce, oversight: Oversight | undefined): PluginInfo {
  const { loaded, notInForce, projects, standby = [] } = entry;
  const paused = loaded.origin === "built-in" ? [] : oversight?.pauses(loaded.plugin.name);
  const stray = entry.stray?.();
  return {
    ...disabledInfo(loaded),
    fills: fillsOf(entry).filter((slot) => !standby.includes(slot)),
    state: "running",
    ...(standby.length > 0 && { standby: [...standby] }),
    ...(paused && paused.length > 0 && { paused }),
    ...(stray && { stray }),
    ...(notInForce && { error: notInForce }),
    ...(projects && { projects }),
  };
}

/** Built-ins that are not in force, as `plugin list` shows them. */
export async function restOf(
  builtins: Builtins,
  shown: ReadonlySet<string>,
): Promise<PluginInfo[]> {
  const rest = Object.entries(builtins).filter(([name]) => !shown.has(name));
  return Promise.all(
    rest.map(async ([, load]) =>
      disabledInfo({ plugin: (await load()).default, origin: "built-in" }),
    ),
  );
}

// What is in the home's plugins folder, loaded, and what config calls it.

export interface DroppedOptions extends Places {
  config: Config;
  builtins: Readonly<Record<string, unknown>>;
  /** Loads what a reference names. */
  load(reference: string): Promise<LoadedPlugin>;
  /** Plugins of projects that the user allowed. */
  local?: readonly Dropped[];
}

interface DroppedIn {
  /** Those that could be loaded and are not switched off. */
  dropped: Array<Dropped & { loaded: LoadedPlugin }>;
  /** The others, as lists show them. */
  others: PluginInfo[];
  /** Paths of the others. */
  failed: ReadonlySet<string>;
  /** Path → how lists call it as long as its own name is not known. */
  names: ReadonlyMap<string, string>;
  /** Config's word for a plugin → its path; any other word stays as it is. */
  rename(reference: string): string;
  /** One that cleaned events before they were written cannot be loaded any more. */
  captureBroken: boolean;
}

/** Loads everything that lies in the home's folder and is not switched off. Never rejects. */
export async function readDropped(options: DroppedOptions): Promise<DroppedIn> {
  const { config, builtins, home, load, local = [] } = options;
  const own = await discoverPlugins(memoirPaths(home).plugins);
  const meanings = await meaningsIn(config, own, options);
  const named = new Set(meanings.values());
  // A second one of a plugin is there by its name in config.
  const seconds = Object.entries(config.plugins).flatMap(([name, { plugin }]): Dropped[] =>
    plugin === undefined ? [] : [{ name, path: name }],
  );
  const dropped: DroppedIn["dropped"] = [];
  const others: PluginInfo[] = [];
  const failed = new Set<string>();
  let captureBroken = false;
  const isOff = (name: string) => config.plugins[name]?.enabled === false;

  /** The plugin; an error where it cannot be loaded, nothing where it is switched off. */
  const loads = await Promise.all(
    [...own, ...seconds, ...local].map(async (one) => {
      const loaded = isOff(one.name)
        ? undefined
        : await load(one.path).catch((error) => ({ error }));
      return { one, loaded };
    }),
  );
  for (const { one, loaded } of loads) {
    const put = (info: PluginInfo) => {
      failed.add(one.path);
      others.push(info);
    };
    const unknown = {
      name: one.name,
      description: "",
      slots: [],
      fills: [],
      origin: "file" as const,
      // A second one has no file of its own.
      ...(one.path !== one.name && { source: one.path }),
    };
    if (!loaded) put({ ...unknown, state: "disabled" });
    else if ("error" in loaded) {
      // What config names is loaded where it is started; its errors belong there.
      if (named.has(one.path)) continue;
      if ((await lastSlots(home, one.path)).includes("capture")) captureBroken = true;
      put({ ...unknown, state: "failed", error: errorWithFix(loaded.error) });
    } else if (isOff(loaded.plugin.name)) put(disabledInfo(loaded));
    else if (Object.hasOwn(builtins, loaded.plugin.name) && !named.has(one.path)) {
      const error = `a built-in plugin is called ${loaded.plugin.name} too. Give this one another \`name\`.`;
      put({ ...disabledInfo(loaded), state: "failed", error });
    } else {
      dropped.push({ ...one, loaded });
      const { name } = loaded.plugin;
      if (one.projects === undefined && !meanings.has(name)) meanings.set(name, one.path);
    }
  }
  const rename = (reference: string) => meanings.get(reference) ?? reference;
  const names = new Map(loads.map(({ one }) => [one.path, one.name]));
  return { dropped, others, failed, names, rename, captureBroken };
}

/** Config may name what was dropped in by its file's or folder's name, and by any way to write its path. */
async function meaningsIn(
  config: Config,
  dropped: readonly Dropped[],
  { builtins, ...places }: DroppedOptions,
): Promise<Map<string, string>> {
  const meanings = new Map<string, string>();
  for (const reference of referencesIn(config)) {
    if (Object.hasOwn(builtins, reference)) continue;
    if (!isPath(reference)) {
      const one = dropped.find(({ name }) => name === reference);
      if (one) meanings.set(reference, one.path);
      continue;
    }
    const path = await whereIs(reference, places);
    if (path === undefined) continue;
    const target = await real(path);
    for (const one of dropped)
      if (one.path === path || (await real(one.path)) === target) meanings.set(reference, one.path);
  }
  return meanings;
}

/** Every word of the config that may name a plugin. */
function referencesIn({ slots, listeners, endless }: Config): Set<string> {
  const named = [
    Object.values(slots),
    listeners,
    endless.everywhere,
    Object.values(endless.projects),
    Object.values(endless.sessions),
  ];
  return new Set(named.flat(3).filter((one) => typeof one === "string"));
}

async function real(path: string): Promise<string> {
  return realpath(resolve(path)).catch(() => resolve(path));
}
