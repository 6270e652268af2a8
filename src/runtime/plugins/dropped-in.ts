// What lies in the home's plugins folder, loaded, and what config calls it.
import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { errorWithFix } from "../../home/describe-error.ts";
import { memoirPaths } from "../../home/paths.ts";
import type { Config } from "../config/schema.ts";
import { lastSlots } from "../isolation/isolated-plugin.ts";
import type { PluginInfo } from "../ports.ts";
import { type Dropped, discoverPlugins, isPath, type Places, whereIs } from "./find.ts";
import type { LoadedPlugin } from "./load-plugin.ts";
import { disabledInfo } from "./load-plugin.ts";

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
  const dropped: DroppedIn["dropped"] = [];
  const others: PluginInfo[] = [];
  const failed = new Set<string>();
  let captureBroken = false;
  const isOff = (name: string) => config.plugins[name]?.enabled === false;

  /** The plugin; an error where it cannot be loaded, nothing where it is switched off. */
  const loads = await Promise.all(
    [...own, ...local].map(async (one) => {
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
      source: one.path,
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
