// Config and what lies in the plugins folder → which plugins are wanted, and which wait to be named in config.
import { realpath } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import { errorWithFix } from "../../home/describe-error.ts";
import { memoirPaths } from "../../home/paths.ts";
import { type Slot, slots } from "../../sdk/plugin.ts";
import type { Config } from "../config/schema.ts";
import { slotsOf } from "../hooks/subscription.ts";
import { lastSlots } from "../isolation/describe-cache.ts";
import type { PluginInfo } from "../ports.ts";
import { type Dropped, discoverPlugins } from "./discover.ts";
import type { LoadedPlugin } from "./load-plugin.ts";
import { isPath, type Places, whereIs } from "./locate.ts";
import { type Offered, selectPlugins, type Wanted } from "./selection.ts";

/** Plugins by what is to become of them. */
interface Choice {
  /** In the order of slots, then listeners. */
  wanted: Wanted[];
  /** Dropped in and not in force: waiting for config, switched off, or not to be loaded. */
  others: PluginInfo[];
  /** One that cleaned events before they were written cannot be loaded any more. */
  captureBroken: boolean;
}

export interface ChooseOptions extends Places {
  config: Config;
  builtins: Readonly<Record<string, unknown>>;
  /** Loads what a reference names. */
  load(reference: string): Promise<LoadedPlugin>;
  /** Plugins of projects, allowed by the user; config cannot name them. */
  local?: readonly LocalPlugin[];
}

/** A plugin that runs for some projects only. */
export interface LocalPlugin extends Dropped {
  projects: readonly string[];
}

/** Slots that a plugin has to be given by name: there can be one, or one comes first. */
export function waitsFor(slot: Slot): boolean {
  return slots[slot].mode !== "stack";
}

/** The command that puts a plugin in force in a slot. */
export function commandFor(name: string, slot: Slot): string {
  return `memoir config set slots.${slot} ${name}`;
}

/** Looks into the plugins folder and loads what config does not name, to know its slots. Rejects never. */
export async function choosePlugins(options: ChooseOptions): Promise<Choice> {
  const { config, builtins, home } = options;
  const dropped: Array<Dropped & { projects?: readonly string[] }> = [
    ...(await discoverPlugins(memoirPaths(home).plugins)),
    ...(options.local ?? []),
  ];
  const loaded = new Map<string, LoadedPlugin>();
  const others: PluginInfo[] = [];
  const rejected = new Set<string>();
  let captureBroken = false;
  const put = (one: Dropped, fate: Pick<PluginInfo, "state" | "error">) => {
    rejected.add(one.path);
    const about = loaded.get(one.path);
    others.push({ ...describeDropped(one, about), fills: [], ...fate });
  };
  const own = dropped.filter((plugin) => plugin.projects === undefined);
  const references = await namedIn(config, own, options);

  await Promise.all(
    dropped.map(async (one) => {
      if (config.plugins[one.name]?.enabled === false) return;
      // What config names is loaded where it is started; its errors belong there.
      await options.load(one.path).then(
        (plugin) => loaded.set(one.path, plugin),
        async (error) => {
          if (references.named.has(one.path)) return;
          if ((await lastSlots(home, one.path)).includes("capture")) captureBroken = true;
          put(one, { state: "failed", error: errorWithFix(error) });
        },
      );
    }),
  );
  const offered: Offered[] = [];
  for (const one of dropped) {
    const plugin = loaded.get(one.path)?.plugin;
    if (config.plugins[plugin?.name ?? one.name]?.enabled === false)
      put(one, { state: "disabled" });
    else if (!plugin) continue;
    else if (Object.hasOwn(builtins, plugin.name) && !references.named.has(one.path))
      put(one, {
        state: "failed",
        error: `a built-in plugin is called ${plugin.name} too. Give this one another \`name\`.`,
      });
    else
      offered.push({
        reference: one.path,
        name: one.name,
        slots: slotsOf(plugin),
        ...(one.projects ? { projects: one.projects } : {}),
      });
  }
  const byPluginName = new Map(
    offered
      .filter(({ projects }) => projects === undefined)
      .map(({ reference }) => [loaded.get(reference)?.plugin.name ?? "", reference]),
  );
  const rename = (reference: string) =>
    references.meaning.get(reference) ?? byPluginName.get(reference) ?? reference;
  const names = new Map(dropped.map(({ path, name }) => [path, name]));
  const wanted = selectPlugins(config, builtins, { plugins: offered, rename })
    .filter(({ reference }) => !rejected.has(reference))
    .map((one) => ({ ...one, name: names.get(one.reference) ?? one.reference }));
  const isWanted = new Set(wanted.map(({ reference }) => reference));
  for (const { reference } of offered) {
    if (isWanted.has(reference)) continue;
    const one = dropped.find(({ path }) => path === reference);
    if (one) put(one, { state: "waiting" });
  }
  return { wanted, others: others.sort((a, b) => (a.name < b.name ? -1 : 1)), captureBroken };
}

interface References {
  /** What config writes → the path of a dropped-in plugin. */
  meaning: ReadonlyMap<string, string>;
  /** Paths of dropped-in plugins that config names. */
  named: ReadonlySet<string>;
}

/** Config may name what was dropped in by its file's or folder's name, and by any way to write its path. */
async function namedIn(
  config: Config,
  dropped: readonly Dropped[],
  { builtins, ...places }: ChooseOptions,
): Promise<References> {
  const meaning = new Map<string, string>();
  for (const reference of referencesIn(config)) {
    if (Object.hasOwn(builtins, reference)) continue;
    if (!isPath(reference)) {
      const one = dropped.find(({ name }) => name === reference);
      if (one) meaning.set(reference, one.path);
      continue;
    }
    const path = await whereIs(reference, places);
    if (path === undefined) continue;
    const target = await real(path);
    for (const one of dropped)
      if (one.path === path || (await real(one.path)) === target) meaning.set(reference, one.path);
  }
  return { meaning, named: new Set(meaning.values()) };
}

/** Every word of the config that may name a plugin. */
function referencesIn({ slots, listeners, endless }: Config): Set<string> {
  return new Set(
    [
      Object.values(slots),
      listeners,
      endless.everywhere,
      Object.values(endless.projects),
      Object.values(endless.sessions),
    ]
      .flat(3)
      .filter((one) => typeof one === "string"),
  );
}

async function real(path: string): Promise<string> {
  const absolute = isAbsolute(path) ? path : resolve(path);
  return realpath(absolute).catch(() => absolute);
}

function describeDropped({ name, path }: Dropped, loaded: LoadedPlugin | undefined) {
  const plugin = loaded?.plugin;
  return {
    name: plugin?.name ?? name,
    description: plugin?.description ?? "",
    slots: plugin ? [...slotsOf(plugin)] : [],
    origin: "file" as const,
    source: path,
  };
}
