// Built-in plugins that had another name: config that uses the old one goes on working.
import type { Config } from "./schema.ts";

/** Today's names by the old ones. */
const renamed: ReadonlyMap<string, string> = new Map([["context-index", "context-handover"]]);

/** The config with today's names, in slots and for plugins' options. Options under today's name win. */
export function withCurrentNames(config: Config): Config {
  const slots = Object.entries(config.slots).map(([slot, chosen]) => [slot, currentOf(chosen)]);
  const plugins = { ...config.plugins };
  for (const [old, name] of renamed) {
    const options = plugins[old];
    if (options === undefined) continue;
    plugins[name] ??= options;
    delete plugins[old];
  }
  return { ...config, slots: Object.fromEntries(slots), plugins };
}

function currentOf(chosen: unknown): unknown {
  if (Array.isArray(chosen)) return chosen.map(currentOf);
  return typeof chosen === "string" ? (renamed.get(chosen) ?? chosen) : chosen;
}
