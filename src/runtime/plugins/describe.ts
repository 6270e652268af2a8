// What config makes of the plugins, without starting any: for install, `plugin list` and config checks.

import { errorMessage, errorWithFix } from "../../home/describe-error.ts";
import { silentLog } from "../../home/log.ts";
import { type Environment, memoirPaths, userHome } from "../../home/paths.ts";
import type { PluginContext } from "../../sdk/context.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { ClientEventName } from "../../sdk/events.ts";
import { clientEventNames } from "../../sdk/hooks.ts";
import type { AnyPlugin, Slot } from "../../sdk/plugin.ts";
import { builtins as allBuiltins, type LoadPlugin } from "../builtins.ts";
import { type ConfigFile, parseConfig, readConfig } from "../config/config.ts";
import { type ConfigProblem, problemText, unknownWord } from "../config/problems.ts";
import { createHooks } from "../hooks/hooks.ts";
import { declarations, isInForce } from "../hooks/subscription.ts";
import type { PluginInfo, SubscriptionInfo } from "../ports.ts";
import { checkSlots } from "./check-slots.ts";
import { choosePlugins } from "./choose.ts";
import { type LoadedPlugin, loadPlugin } from "./load-plugin.ts";
import { readLocal } from "./local.ts";
import { type Named, ownFirst, refuseSecond } from "./one-name.ts";
import { configure, optionProblems, optionsOf } from "./plugin-config.ts";
import { disabled, identify, unidentified } from "./plugin-info.ts";
import { publishSdk } from "./sdk-module.ts";

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
    const wrong = await optionProblems(plugin, options);
    const parsed = wrong.length === 0 ? await configure(plugin, options) : undefined;
    enabled.push({ plugin, fills, ...(projects && { projects }), config: parsed });
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
    rest.map(async ([, load]) =>
      disabled({ plugin: (await load()).default, origin: "built-in" as const }),
    ),
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
    return load ? optionProblems((await load()).default, optionsOf(entry)) : [];
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
