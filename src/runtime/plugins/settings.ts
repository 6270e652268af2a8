// A plugin's settings: on or off, and options by its own schema; for the command line and the server, with the same refusals.
import type { Environment, Paths } from "../../home/paths.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { slots } from "../../sdk/plugin.ts";
import { builtins } from "../builtins.ts";
import { readConfig, setConfigValue, unsetConfigValue } from "../config/config.ts";
import { nearest } from "../config/problems.ts";
import { describeIsolated } from "../isolation/isolated-plugin.ts";
import { liftPauses } from "../isolation/oversight.ts";
import type { PluginInfo } from "../ports.ts";
import { checkPlugins, describePlugins } from "./describe.ts";
import { schemaOf } from "./import-plugin.ts";
import { optionsOf } from "./plugin-config.ts";

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
