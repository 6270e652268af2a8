// Is memoir enabled as a Claude Code plugin? Then its hooks come from there, and must not stand in settings as well.
import type { Environment } from "../home/paths.ts";
import { readSettings, type Scope, scopes, settingsPath } from "./settings-file.ts";
import { parseSettings } from "./settings-text.ts";

/** Where the plugin was found enabled. */
export interface PluginPresence {
  scope: Scope;
  settings: string;
  /** As the client names it: `memoir@memoir`. */
  plugin: string;
}

/** Looks through the settings in force for `cwd`; the narrowest scope that mentions the plugin decides. */
export async function enabledAsPlugin(
  env: Environment,
  cwd: string,
): Promise<PluginPresence | undefined> {
  for (const scope of scopes.toReversed()) {
    const path = settingsPath(scope, env, cwd);
    const file = await readSettings(path);
    if (file.text === undefined) continue;
    const plugins = Object.entries(parseSettings(file.text, path).enabledPlugins ?? {});
    const own = plugins.filter(([name]) => /^memoir(?:@|$)/.test(name));
    const enabled = own.find(([, value]) => value !== false);
    if (enabled) return { scope, settings: path, plugin: enabled[0] };
    if (own.length > 0) return undefined;
  }
  return undefined;
}
