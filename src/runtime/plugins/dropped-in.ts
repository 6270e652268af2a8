// What lies in plugins folders: single files, and folders with an entry; and what config calls them.
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { errorWithFix } from "../../home/describe-error.ts";
import { memoirPaths } from "../../home/paths.ts";
import type { Config } from "../config/schema.ts";
import { lastSlots } from "../isolation/isolated-plugin.ts";
import type { PluginInfo } from "../ports.ts";
import type { LoadedPlugin } from "./load-plugin.ts";
import { entryOf, isPath, type Places, readManifest, whereIs } from "./locate.ts";
import { disabledInfo } from "./plugin-info.ts";

/** A plugin that somebody put into a plugins folder. */
export interface Dropped {
  /** The file's or the folder's name, without ending: how it may be named in config. */
  name: string;
  /** Its module, absolute. */
  path: string;
  /** The folder that is its own; absent for a single file. */
  folder?: string;
  /** It runs for these projects only, which brought it; config cannot name it. */
  projects?: readonly string[];
}

/** More than anybody has; a folder with more is no plugins folder. */
const maxEntries = 500;
const endings = /\.(ts|js|mjs)$/;

/** True for a file name that may be a plugin: tests, declarations and what begins with a dot or `_` are none. */
function isPluginFile(name: string): boolean {
  return endings.test(name) && !/^[._]|\.(test|spec|d)\.\w+$/.test(name);
}

/** Code that is no plugin's file by its ending. */
function isOtherCode(name: string): boolean {
  return /\.([cm]ts|cjs|[jt]sx)$/.test(name) && !/\.(test|spec|d)\.\w+$/.test(name);
}

/** Something in a plugins folder that looks as if somebody took it for a plugin. */
export interface Overlooked {
  name: string;
  /** Why it is none, with what to change. */
  why: string;
}

/** Everything in `folder` that looks like a plugin, by name. A folder that cannot be read holds none. */
export async function discoverPlugins(folder: string): Promise<Dropped[]> {
  return (await lookInto(folder)).flatMap((one) => ("path" in one ? one : []));
}

/** What `discoverPlugins` passes over although it holds code; tests, declarations and the like are meant to be passed over. */
export async function overlookedIn(folder: string): Promise<Overlooked[]> {
  return (await lookInto(folder)).flatMap((one) => ("why" in one ? one : []));
}

async function lookInto(folder: string): Promise<Array<Dropped | Overlooked>> {
  const names = (await readdir(folder).catch(() => [])).sort().slice(0, maxEntries);
  const found = await Promise.all(names.map((name) => look(folder, name)));
  return found.filter((one) => one !== undefined);
}

async function look(parent: string, name: string): Promise<Dropped | Overlooked | undefined> {
  if (/^[._]/.test(name) || name === "node_modules") return undefined;
  const path = join(parent, name);
  const kind = await stat(path).catch(() => undefined);
  if (kind?.isFile()) {
    if (isPluginFile(name)) return { name: basename(name).replace(endings, ""), path };
    return isOtherCode(name)
      ? { name, why: "a plugin's file ends in .ts, .js or .mjs" }
      : undefined;
  }
  if (!kind?.isDirectory()) return undefined;
  const module = await entryIn(path);
  if (module !== undefined) return { name, path: module, folder: path };
  const inside = await readdir(path).catch(() => []);
  if (!inside.some((file) => isPluginFile(file) || isOtherCode(file))) return undefined;
  return {
    name,
    why: "its folder has no index.ts, and no package.json whose `main` or `exports` names a file there is",
  };
}

/** A folder's module: what its package.json says, else its index; undefined when there is neither. */
export async function entryIn(folder: string): Promise<string | undefined> {
  const manifest = await readManifest(join(folder, "package.json"));
  const said = manifest ? [entryOf(manifest)] : [];
  for (const name of [...said, "index.ts", "index.js", "index.mjs"]) {
    const path = join(folder, name);
    if ((await stat(path).catch(() => undefined))?.isFile()) return path;
  }
  return undefined;
}

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
