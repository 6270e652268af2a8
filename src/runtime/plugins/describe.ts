// What config makes of the plugins, without starting any: for install, `plugin list` and config checks.

import { errorMessage } from "../../home/describe-error.ts";
import { silentLog } from "../../home/log.ts";
import { type Environment, memoirPaths, userHome } from "../../home/paths.ts";
import type { PluginContext } from "../../sdk/context.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { ClientEventName } from "../../sdk/events.ts";
import { clientEventNames } from "../../sdk/hooks.ts";
import type { AnyPlugin } from "../../sdk/plugin.ts";
import { builtins as allBuiltins, type LoadPlugin } from "../builtins.ts";
import { type ConfigFile, parseConfig, readConfig } from "../config/config.ts";
import { type ConfigProblem, problemText, unknownWord } from "../config/problems.ts";
import { createHooks } from "../hooks/hooks.ts";
import { declarations, isInForce } from "../hooks/subscription.ts";
import type { PluginInfo, SubscriptionInfo } from "../ports.ts";
import { type LoadedPlugin, loadPlugin, once } from "./load-plugin.ts";
import { readLocal } from "./local.ts";
import { checkOptions, optionsOf } from "./plugin-config.ts";
import { disabledInfo, failedInfo, fillsOf, restOf } from "./plugin-info.ts";
import { checkSlots, choosePlugins, type Named, refuseSecond, type Wanted } from "./registry.ts";
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
interface Enabled extends Pick<Wanted, "fills" | "projects"> {
  plugin: AnyPlugin;
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
  { config, ...file }: ConfigFile,
  home: string,
  env: Environment,
  builtins: Readonly<Record<string, LoadPlugin>>,
): Promise<Description> {
  const places = { home, userHome: userHome(env) };
  let published: Promise<void> | undefined;
  const load = once(async (reference) => {
    // No server may have run here yet, and this program is not it.
    if (!Object.hasOwn(builtins, reference)) {
      published ??= publishSdk(memoirPaths(home));
      await published;
    }
    return loadPlugin(reference, builtins, places);
  });
  const { plugins: local } = await readLocal(home);
  const choice = await choosePlugins({ ...places, config, builtins, load, local });

  const problems = [...file.problems];
  const enabled: Enabled[] = [];
  const plugins: PluginInfo[] = [];
  const taken: Named[] = [];
  /** Whose options were looked at, or could not be. */
  const judged = new Set<string>();

  async function take(wanted: Wanted, loaded: LoadedPlugin): Promise<void> {
    const { reference, fills, projects } = wanted;
    const { name } = loaded.plugin;
    if (config.plugins[name]?.enabled === false) {
      plugins.push(disabledInfo(loaded));
      return;
    }
    refuseSecond({ name, reference, projects }, taken);
    taken.push({ name, reference, projects });
    checkSlots(loaded.plugin, fills);
    const options = optionsOf(config.plugins[name]);
    const checked = await loaded.check(options);
    const isRight = checked.problems.length === 0;
    const bound = isRight ? loaded.bind(options, checked) : { plugin: loaded.plugin };
    enabled.push({ ...bound, fills, ...(projects && { projects }) });
    problems.push(...checked.problems);
    judged.add(name);
    plugins.push({
      ...disabledInfo(loaded),
      fills: fillsOf(wanted),
      ...(projects && { projects }),
      state: isRight ? "enabled" : "failed",
      ...(!isRight && { error: checked.problems.map(problemText).join("; ") }),
    });
  }

  for (const wanted of choice.wanted) {
    let loaded: LoadedPlugin | undefined;
    try {
      loaded = await load(wanted.reference);
      await take(wanted, loaded);
    } catch (error) {
      const info = failedInfo(wanted, loaded, error, builtins);
      plugins.push(info);
      judged.add(info.name);
      const [slot] = Object.keys(wanted.fills);
      problems.push({
        path: slot ? `slots.${slot}` : `listeners (${wanted.reference})`,
        message: errorMessage(error),
        ...(error instanceof MemoirError && { fix: error.fix }),
      });
    }
  }
  plugins.push(...choice.others);
  for (const { name, state } of choice.others) if (state === "failed") judged.add(name);
  plugins.push(...(await restOf(builtins, new Set(plugins.map(({ name }) => name)))));
  // Wrong options of built-ins that are not in force would fail on the day they are switched on.
  for (const [name, entry] of Object.entries(config.plugins)) {
    const builtIn = Object.hasOwn(builtins, name) ? await builtins[name]?.() : undefined;
    if (builtIn && !judged.has(name))
      problems.push(...checkOptions(builtIn.default, optionsOf(entry)).problems);
  }
  const known = new Set([...Object.keys(builtins), ...plugins.map(({ name }) => name)]);
  problems.push(...unknownPlugins(Object.keys(config.plugins), [...known]));
  return { plugins, subscriptions: quiet(enabled), events: neededEvents(enabled), problems };
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
