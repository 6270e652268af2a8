// What config makes of the plugins, without starting any: for install, `plugin list` and config checks.

import { errorMessage, errorWithFix } from "../../home/describe-error.ts";
import { silentLog } from "../../home/log.ts";
import { type Environment, memoirPaths, userHome } from "../../home/paths.ts";
import type { PluginContext } from "../../sdk/context.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { ClientEventName } from "../../sdk/events.ts";
import { clientEventNames } from "../../sdk/hooks.ts";
import type { AnyPlugin, Slot } from "../../sdk/plugin.ts";
import { slotNames, slots } from "../../sdk/plugin.ts";
import { builtins as allBuiltins, type LoadPlugin } from "../builtins.ts";
import { type ConfigFile, parseConfig, readConfig } from "../config/config.ts";
import { type ConfigProblem, problemText, unknownWord } from "../config/problems.ts";
import { createHooks } from "../hooks/hooks.ts";
import { declarations, isInForce, slotsOf } from "../hooks/subscription.ts";
import type { Oversight } from "../isolation/oversight.ts";
import type { PluginInfo, SubscriptionInfo } from "../ports.ts";
import { choosePlugins } from "./choose.ts";
import type { Entry } from "./instance.ts";
import { type LoadedPlugin, loadPlugin } from "./load-plugin.ts";
import { readLocal } from "./local.ts";
import { isPath } from "./locate.ts";
import { checkOptions, optionsOf } from "./plugin-config.ts";
import { publishSdk } from "./sdk-module.ts";
import type { Wanted } from "./selection.ts";

/** Plugins as data. */
interface Description {
  /** Enabled ones in their order, then every other built-in. */
  plugins: PluginInfo[];
  /** Of the enabled ones; nothing was called yet. */
  subscriptions: SubscriptionInfo[];
  /** The client events that have to be registered with the client. */
  events: ClientEventName[];
  /** Everything wrong with the config file, options of plugins included. */
  problems: ConfigProblem[];
}

/** A plugin that config enables, and the slots it fills. */
interface Enabled {
  plugin: AnyPlugin;
  fills: Partial<Record<Slot, number>>;
  /** It is called for these projects only. */
  projects?: readonly string[];
  /** Its parsed options, where deadlines depend on them. */
  config?: unknown;
}

/** What turns are made of, whatever plugins there are. */
const turnEvents: readonly ClientEventName[] = [
  "UserPromptSubmit",
  "PostToolUse",
  "PostToolUseFailure",
  "Stop",
  "SubagentStop",
  "SessionEnd",
  "PostCompact",
];

/** The client events that turns, and the given plugins, subscribe to or live from, in a session's order. */
export function neededEvents(plugins: readonly Enabled[]): ClientEventName[] {
  const needed = new Set<string>(turnEvents);
  for (const { plugin, fills } of plugins) {
    for (const event of plugin.events ?? []) needed.add(event);
    for (const { hook } of declarations(plugin))
      if (isInForce(hook, plugin, fills)) needed.add(hook);
  }
  return clientEventNames.filter((name) => name !== "Other" && needed.has(name));
}

/** Describes the plugins of a home. Imports a user's plugin, starts none. Never rejects. */
export async function describePlugins(
  home: string,
  env: Environment,
  builtins: Readonly<Record<string, LoadPlugin>> = allBuiltins,
): Promise<Description> {
  return describeConfig(await readConfig(home), home, env, builtins);
}

/** A check for `setConfigValue`: objects to unknown plugins and to wrong options of known ones. */
export function checkPlugins(home: string, env: Environment) {
  return async (set: Record<string, unknown>): Promise<ConfigProblem[]> => {
    const file = parseConfig(memoirPaths(home).config, JSON.stringify(set));
    return (await describeConfig(file, home, env, allBuiltins)).problems;
  };
}

/** Long because it asks one question after another of a config that may be wrong anywhere. */
async function describeConfig(
  file: ConfigFile,
  home: string,
  env: Environment,
  builtins: Readonly<Record<string, LoadPlugin>>,
): Promise<Description> {
  const { config } = file;
  const places = { home, userHome: userHome(env) };
  const problems = [...file.problems];
  const enabled: Enabled[] = [];
  const plugins: PluginInfo[] = [];
  const names = new Set(Object.keys(builtins));

  const loads = new Map<string, Promise<LoadedPlugin>>();
  const load = (reference: string) => {
    const loading = loads.get(reference) ?? loadAlone(reference);
    loads.set(reference, loading);
    return loading;
  };
  let published: Promise<void> | undefined;
  const loadAlone = async (reference: string) => {
    // No server may have run here yet, and this program is not it.
    if (!Object.hasOwn(builtins, reference)) {
      published ??= publishSdk(memoirPaths(home));
      await published;
    }
    return loadPlugin(reference, builtins, places);
  };

  const { plugins: local } = await readLocal(home);
  const choice = await choosePlugins({ ...places, config, builtins, load, local });
  const taken: Named[] = [];
  for (const { reference, name = reference, fills, projects } of ownFirst(choice.wanted)) {
    let loaded: LoadedPlugin | undefined;
    try {
      loaded = await load(reference);
      const one = { name: loaded.plugin.name, reference, projects };
      if (config.plugins[one.name]?.enabled !== false) {
        refuseSecond(one, taken);
        taken.push(one);
      }
      checkSlots(loaded.plugin, { fills });
    } catch (error) {
      plugins.push({
        ...(loaded ? identify(loaded) : { ...unidentified(reference, builtins), name }),
        fills: [],
        state: "failed",
        error: errorWithFix(error),
      });
      problems.push({
        path: placeOf(reference, fills),
        message: errorMessage(error),
        ...(error instanceof MemoirError ? { fix: error.fix } : {}),
      });
      continue;
    }
    const { plugin } = loaded;
    names.add(plugin.name);
    if (config.plugins[plugin.name]?.enabled === false) {
      plugins.push(disabled(loaded));
      continue;
    }
    const options = optionsOf(config.plugins[plugin.name]);
    const checked = await loaded.check(options);
    const { problems: wrong } = checked;
    const bound =
      wrong.length === 0 ? loaded.bind(options, checked) : { plugin, config: undefined };
    enabled.push({ ...bound, fills, ...(projects && { projects }) });
    problems.push(...wrong);
    const fate: Pick<PluginInfo, "state" | "error"> =
      wrong.length > 0
        ? { state: "failed", error: wrong.map(problemText).join("; ") }
        : { state: "enabled" };
    plugins.push({
      ...identify(loaded),
      fills: Object.keys(fills) as Slot[],
      ...(projects && { projects }),
      ...fate,
    });
  }
  plugins.push(...choice.others);
  for (const { name } of choice.others) names.add(name);
  plugins.push(...(await restOf(builtins, new Set(plugins.map(({ name }) => name)))));
  const judged = new Set([...enabled.map(({ plugin }) => plugin.name), ...failedNames(plugins)]);
  problems.push(...(await unusedOptions(config.plugins, builtins, judged)));
  problems.push(...unknownPlugins(Object.keys(config.plugins), [...names]));
  return { plugins, subscriptions: quiet(enabled), events: neededEvents(enabled), problems };
}

/** Built-ins that are not in force, as `plugin list` shows them. */
export async function restOf(
  builtins: Readonly<Record<string, LoadPlugin>>,
  shown: ReadonlySet<string>,
): Promise<PluginInfo[]> {
  const rest = Object.entries(builtins).filter(([name]) => !shown.has(name));
  return Promise.all(
    rest.map(async ([, load]) => disabled({ plugin: (await load()).default, origin: "built-in" })),
  );
}

/** What is wrong with options of built-ins that are not in force: they would fail on the day they are switched on. */
async function unusedOptions(
  entries: ConfigFile["config"]["plugins"],
  builtins: Readonly<Record<string, LoadPlugin>>,
  judged: ReadonlySet<string>,
): Promise<ConfigProblem[]> {
  const unused = Object.entries(entries).filter(([name]) => !judged.has(name));
  const problems = unused.map(async ([name, entry]) => {
    const load = Object.hasOwn(builtins, name) ? builtins[name] : undefined;
    return load ? checkOptions((await load()).default, optionsOf(entry)).problems : [];
  });
  return (await Promise.all(problems)).flat();
}

/** Those whose options were looked at, or could not be. */
function failedNames(plugins: readonly PluginInfo[]): string[] {
  return plugins.filter(({ state }) => state === "failed").map(({ name }) => name);
}

/** Options for plugins that nobody knows. */
export function unknownPlugins(
  named: readonly string[],
  known: readonly string[],
): ConfigProblem[] {
  return named
    .filter((name) => !known.includes(name))
    .map((name) => ({ path: `plugins.${name}`, message: unknownWord("plugin", name, known) }));
}

/** Subscriptions as they will be called, in order; nothing is called here, so no plugin gets a context. */
function quiet(enabled: readonly Enabled[]): SubscriptionInfo[] {
  const plugins = enabled.map(({ config, ...one }) => {
    const context = { config } as PluginContext;
    return { ...one, context, state: undefined };
  });
  return createHooks(plugins, { log: silentLog }).subscriptions();
}

function placeOf(reference: string, fills: Enabled["fills"]): string {
  const [slot] = Object.keys(fills);
  return slot ? `slots.${slot}` : `listeners (${reference})`;
}

// May two plugins have one name? Only those of projects that have nothing to do with each other.

/** A plugin that is there already, or is to come. */
export interface Named {
  name: string;
  /** Where its module is, or what config calls it. */
  reference: string;
  /** It is called for these projects only; absent: for all. */
  projects?: readonly string[] | undefined;
}

/** Throws `plugin_invalid` when another plugin that the same projects would call has this name. */
export function refuseSecond(plugin: Named, there: readonly Named[]): void {
  const other = there.find((one) => one.name === plugin.name && !areApart(one, plugin));
  if (!other) return;
  const isProjects = plugin.projects !== undefined && other.projects === undefined;
  throw new MemoirError(
    "plugin_invalid",
    isProjects
      ? `one of your own plugins is called ${plugin.name} too: ${other.reference}`
      : `two plugins are called ${plugin.name}: ${other.reference} and ${plugin.reference}`,
    { fix: "Give one of them another `name`, or name only one of them in config." },
  );
}

function areApart({ projects: a }: Named, { projects: b }: Named): boolean {
  return a !== undefined && b !== undefined && !a.some((project) => b.includes(project));
}

/** Yours before those of projects, which never take a name from you; else in their order. */
export function ownFirst<Plugin extends Pick<Named, "projects">>(
  plugins: readonly Plugin[],
): Plugin[] {
  const isOwn = ({ projects }: Plugin) => projects === undefined;
  return [...plugins.filter(isOwn), ...plugins.filter((one) => !isOwn(one))];
}

// Can this plugin fill the slots that config gives it?

/** The slots it is to fill, in their order. */
export function fillsOf({ fills }: Pick<Wanted, "fills">): Slot[] {
  return slotNames.filter((slot) => fills[slot] !== undefined);
}

/** Throws `plugin_slot`: a plugin must declare the slots it is given, and do the whole work of one it fills alone. */
export function checkSlots(plugin: AnyPlugin, wanted: Pick<Wanted, "fills">): void {
  const { name } = plugin;
  const can = slotsOf(plugin);
  for (const slot of fillsOf(wanted)) {
    if (!can.includes(slot))
      throw new MemoirError("plugin_slot", `plugin ${name} cannot fill the slot ${slot}`, {
        plugin: name,
        fix:
          can.length > 0 ? `It fills ${can.join(", ")}.` : "It fills none; name it in `listeners`.",
      });
    const missing = slots[slot].hooks.filter((hook) => !plugin.hooks[hook]);
    if (slots[slot].mode === "exclusive" && missing.length > 0)
      throw new MemoirError(
        "plugin_slot",
        `plugin ${name} cannot fill the slot ${slot} alone: it has no ${missing.join(", ")}`,
        {
          plugin: name,
          fix: 'To change a part of the work, leave out its `slot` and name it in `listeners`; `order: "pre"` puts it around the others.',
        },
      );
  }
}

// A plugin as lists show it: in force, disabled, failed, or not even loaded.

type Identity = Pick<LoadedPlugin, "plugin" | "origin" | "source">;

/** A plugin as a list shows it, before it is known how it fares. */
function identify({ plugin, origin, source }: Identity) {
  return {
    name: plugin.name,
    description: plugin.description,
    slots: [...slotsOf(plugin)],
    origin,
    ...(source === undefined ? {} : { source }),
  };
}

/** A plugin in force, and how it fares. */
export function running(entry: Entry, oversight: Oversight | undefined): PluginInfo {
  const { loaded, notInForce, projects, standby = [] } = entry;
  const paused = oversight?.pauses(loaded.plugin.name) ?? [];
  const stray = entry.instance.stray?.();
  return {
    ...identify(loaded),
    fills: fillsOf(entry).filter((slot) => !standby.includes(slot)),
    state: "running",
    ...(standby.length > 0 && { standby: [...standby] }),
    ...(paused.length > 0 && loaded.origin !== "built-in" && { paused }),
    ...(stray && { stray }),
    ...(notInForce && { error: notInForce }),
    ...(projects && { projects }),
  };
}

/** A plugin that is there and not in force. */
export function disabled(loaded: Identity): PluginInfo {
  return { ...identify(loaded), fills: [], state: "disabled" };
}

/** A plugin that is not in force, and why. */
export function failed(
  { reference, name = reference }: Wanted,
  loaded: LoadedPlugin | undefined,
  error: unknown,
  builtins: Readonly<Record<string, LoadPlugin>>,
): PluginInfo {
  const about = loaded ? identify(loaded) : { ...unidentified(reference, builtins), name };
  return { ...about, fills: [], state: "failed", error: errorWithFix(error) };
}

/** What can be said of a plugin that could not be loaded. */
function unidentified(reference: string, builtins: Readonly<Record<string, LoadPlugin>>) {
  const origin: PluginInfo["origin"] = Object.hasOwn(builtins, reference)
    ? "built-in"
    : isPath(reference)
      ? "file"
      : "package";
  return { name: reference, description: "", slots: [], origin };
}
