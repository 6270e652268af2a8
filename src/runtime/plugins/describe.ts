// What config makes of the plugins, without starting any: for install, `plugin list` and config checks.
import { errorMessage } from "../../home/describe-error.ts";
import { silentLog } from "../../home/log.ts";
import { type Environment, memoirPaths, type Paths, userHome } from "../../home/paths.ts";
import type { ClientDescription } from "../../sdk/client.ts";
import type { PluginContext } from "../../sdk/context.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { ClientEventName } from "../../sdk/events.ts";
import { clientEventNames } from "../../sdk/hooks.ts";
import { type AnyPlugin, slots } from "../../sdk/plugin.ts";
import { builtins as allBuiltins, builtins, type LoadPlugin } from "../builtins.ts";
import {
  type ConfigFile,
  parseConfig,
  readConfig,
  setConfigValue,
  unsetConfigValue,
} from "../config/config.ts";
import { type ConfigProblem, nearest, problemText } from "../config/problems.ts";
import { createHooks } from "../hooks/hooks.ts";
import { declarations, isInForce, slotsOf } from "../hooks/subscription.ts";
import { describeIsolated } from "../isolation/isolated-plugin.ts";
import { liftPauses } from "../isolation/oversight.ts";
import type { PluginInfo, SubscriptionInfo } from "../ports.ts";
import type { Contribution } from "../status-schema.ts";
import {
  broughtClients,
  checkOptions,
  checkSlots,
  type Named,
  optionsOf,
  refuseSecond,
  refuseSecondClient,
} from "./check-plugin.ts";
import { schemaOf } from "./import-plugin.ts";
import {
  disabledInfo,
  failedInfo,
  fillsOf,
  type LoadedPlugin,
  loadPlugin,
  once,
  restOf,
} from "./load-plugin.ts";
import { readLocal } from "./project-plugins.ts";
import { choosePlugins, type Wanted } from "./registry.ts";
import { publishSdk } from "./sdk-module.ts";

/** Plugins as data. */
interface Description {
  /** Enabled ones in their order, then every other built-in. */
  plugins: PluginInfo[];
  /** Of the enabled ones; nothing was called yet. */
  subscriptions: SubscriptionInfo[];
  /** What they bring beside hooks. */
  contributions: Contribution[];
  /** The client events that have to be registered with the client. */
  events: ClientEventName[];
  /** The clients that enabled plugins bring, by name. */
  clients: Record<string, ClientDescription>;
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
  for (const { plugin, fills } of plugins)
    for (const event of eventsOf(plugin, fills)) needed.add(event);
  return clientEventNames.filter((name) => needed.has(name));
}

/** Those of one plugin alone, in the slots given or, by default, in every one that it can fill. */
export function eventsOf(
  plugin: AnyPlugin,
  fills: Enabled["fills"] = Object.fromEntries(slotsOf(plugin).map((slot) => [slot, 0])),
): ClientEventName[] {
  const hooks = declarations(plugin).filter(({ hook }) => isInForce(hook, plugin, fills));
  const wanted = new Set<string>([...(plugin.events ?? []), ...hooks.map(({ hook }) => hook)]);
  return clientEventNames.filter((name) => name !== "Other" && wanted.has(name));
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
    refuseSecondClient(
      loaded.plugin,
      enabled.map(({ plugin }) => plugin),
    );
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
  const { subscriptions, parts } = quiet(enabled);
  return {
    ...{ plugins, subscriptions: subscriptions(), contributions: parts.list() },
    ...{ events: neededEvents(enabled), clients: broughtClients(enabled), problems },
  };
}

const thereIs = "`memoir plugin list --all` shows what there is.";

/** Options for plugins that nobody knows. */
export function unknownPlugins(
  named: readonly string[],
  known: readonly string[],
): ConfigProblem[] {
  return named
    .filter((name) => !known.includes(name))
    .map((name) => {
      const near = nearest(name, known);
      const meant = near ? `did you mean "${near}"? If` : "if";
      const message = `unknown plugin; ${meant} it is gone, \`memoir config unset plugins.${name}\` takes this out`;
      return { path: `plugins.${name}`, message, fix: thereIs };
    });
}

/** Subscriptions as they will be called, in order; nothing is called here, so no plugin gets a context. */
function quiet(enabled: readonly Enabled[]) {
  const plugins = enabled.map(({ config, ...one }) => {
    const context = { config } as PluginContext;
    return { ...one, context, state: undefined };
  });
  return createHooks(plugins, { log: silentLog });
}

// A plugin's settings: on or off, and options by its own schema; for the command line and the server, with the same refusals.

/** A home, and the environment in which its config is read. */
interface SettingsPlace {
  paths: Paths;
  env: Environment;
}

/** An option that was refused. */
interface RefusedOption {
  /** The option's name; empty for the plugin as a whole. */
  option: string;
  message: string;
  fix?: string;
}

/** Throws `plugin_not_found`, naming the nearest. */
export function pluginNamed(plugins: readonly PluginInfo[], name: string): PluginInfo {
  const plugin = plugins.find((known) => known.name === name);
  if (plugin) return plugin;
  const near = nearest(
    name,
    plugins.map((one) => one.name),
  );
  throw new MemoirError(
    "plugin_not_found",
    `There is no plugin ${name}${near ? `; did you mean ${near}?` : "."}`,
  );
}

/** Switches one on or off in config. Throws `plugin_not_found` and `plugin_slot`; answers whether a pause was lifted. */
export async function switchInConfig(
  { paths, env }: SettingsPlace,
  name: string,
  enabled: boolean,
): Promise<{ lifted: boolean }> {
  const { plugins } = await describePlugins(paths.home, env);
  const needed = pluginNamed(plugins, name).fills.find((slot) => slots[slot].mode === "exclusive");
  if (needed && !enabled)
    throw new MemoirError("plugin_slot", `${name} fills ${needed}, which cannot be empty.`, {
      fix: `Name another plugin there: \`memoir config set slots.${needed} …\`.`,
    });
  const path = ["plugins", name, "enabled"];
  // On is the default, and config holds only what differs from it.
  if (enabled) await unsetConfigValue(paths.home, path);
  else await setConfigValue(paths.home, path, false);
  // Who switches a plugin on wants it tried now.
  return { lifted: enabled && (await liftPauses(paths.pauses, name)) };
}

/** A plugin's options: JSON Schema of all, and those that config sets. */
export async function readOptions(
  { name, source }: Pick<PluginInfo, "name" | "source">,
  { paths }: Pick<SettingsPlace, "paths">,
): Promise<{ schema: object; set: Record<string, unknown> }> {
  const { config } = await readConfig(paths.home);
  const builtIn = (await builtins[name]?.())?.default;
  // What is not built in is asked in a worker, as for everything.
  const schema = source
    ? (await describeIsolated({ source, home: paths.home, deadlineMs: 5_000 })).config
    : builtIn && (await schemaOf(builtIn));
  return { schema: schema ?? {}, set: { ...optionsOf(config.plugins[name]) } };
}

/** Of a plugin's entry in config these are memoir's own. */
const reserved = ["enabled", "inProcess", "__proto__"];

/**
 * Sets options, and takes others back to what they are without config. All or nothing: gives what was refused, empty
 * when it was written. Throws `plugin_not_found` and `config_unreadable`.
 */
export async function setOptions(
  { paths, env }: SettingsPlace,
  name: string,
  { set = {}, unset = [] }: { set?: Record<string, unknown>; unset?: readonly string[] },
): Promise<RefusedOption[]> {
  pluginNamed((await describePlugins(paths.home, env)).plugins, name);
  const own = [...Object.keys(set), ...unset].filter((option) => reserved.includes(option));
  if (own.length > 0) return own.map((option) => ({ option, message: "is no option" }));
  const { set: config } = await readConfig(paths.home);
  const entries = (config.plugins ?? {}) as Record<string, Record<string, unknown>>;
  const kept = Object.entries(entries[name] ?? {}).filter(([option]) => !unset.includes(option));
  const entry = { ...Object.fromEntries(kept), ...set };
  const check = checkPlugins(paths.home, env);
  const refused = refusedIn(
    await check({ ...config, plugins: { ...entries, [name]: entry } }),
    `plugins.${name}`,
  );
  if (refused.length > 0) return refused;
  if (Object.keys(entry).length === 0) await unsetConfigValue(paths.home, ["plugins", name]);
  else await setConfigValue(paths.home, ["plugins", name], entry);
  return [];
}

/** What of the problems is below this place, by the first key there. */
function refusedIn(
  problems: ReadonlyArray<{ path: string; message: string; fix?: string }>,
  place: string,
): RefusedOption[] {
  return problems
    .filter(({ path }) => path === place || path.startsWith(`${place}.`))
    .map(({ path, message, fix }) => {
      const [option = "", ...deeper] = path.slice(place.length + 1).split(".");
      const where = deeper.length > 0 ? `${deeper.join(".")}: ` : "";
      return { option, message: where + message, ...(fix !== undefined && { fix }) };
    });
}
