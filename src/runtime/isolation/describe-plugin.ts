// A plugin as data that crosses the wire: what it declares, and what it makes of its options.
import type { GenericSchema } from "valibot";
import type { HookName } from "../../sdk/hooks.ts";
import type { AnyPlugin } from "../../sdk/plugin.ts";
import type { ConfigProblem } from "../config/problems.ts";
import { declarations } from "../hooks/subscription.ts";
import { checkAgainst } from "../plugins/plugin-config.ts";
import { objection } from "./measure.ts";
import { lineOfHook } from "./place.ts";
import { type Checked, type Described, type DescribedHook, maxResultBytes } from "./wire.ts";

/** What only who imported the module knows. */
interface Imported {
  source: string;
  /** The module's own text, to find its hooks in. */
  text: string;
  importMs: number;
}

/** Everything about a plugin that can be known without starting it. */
export async function describePlugin(plugin: AnyPlugin, imported: Imported): Promise<Described> {
  const { name, description, sdk, slot, events, config } = plugin;
  const schema = config && (await jsonSchema(config));
  return {
    name,
    description,
    sdk,
    ...(slot === undefined ? {} : { slot: typeof slot === "string" ? slot : [...slot] }),
    ...(events === undefined ? {} : { events: [...events] }),
    hooks: hooksOf(plugin, imported),
    ...(schema === undefined ? {} : { config: schema }),
    hasStart: plugin.start !== undefined,
    importMs: Math.round(imported.importMs * 10) / 10,
  };
}

function hooksOf(plugin: AnyPlugin, { source, text }: Imported): DescribedHook[] {
  return declarations(plugin).map(({ hook, order, filter }) => {
    const entry = plugin.hooks[hook];
    const own = typeof entry === "object" ? entry.deadlineMs : undefined;
    const line = lineOfHook(text, hook);
    return {
      hook,
      order,
      ...(filter ? { filter: structuredClone(filter) } : {}),
      ...(own === undefined ? {} : { deadlineMs: typeof own === "function" ? "config" : own }),
      ...(line === undefined ? {} : { place: `${source}:${line}` }),
    };
  });
}

async function jsonSchema(config: GenericSchema): Promise<Record<string, unknown> | undefined> {
  try {
    const { toJsonSchema } = await import("@valibot/to-json-schema");
    const schema = toJsonSchema(config, { errorMode: "ignore", typeMode: "input" });
    // What cannot be written as JSON (a default that is a class) would not cross the wire.
    return JSON.parse(JSON.stringify(schema));
  } catch {
    return undefined;
  }
}

/** What the plugin's own schema says about options, and the deadlines that follow from them. */
export function checkPluginOptions(
  plugin: AnyPlugin,
  options: Readonly<Record<string, unknown>>,
): Checked {
  const { problems, config } = checkAgainst(plugin, options);
  if (problems.length > 0) return { problems: problems.map(plainProblem), deadlines: {} };
  const deadlines: Partial<Record<HookName, number>> = {};
  for (const { hook, deadlineMs } of declarations(plugin, config)) {
    const entry = plugin.hooks[hook];
    if (typeof entry === "object" && typeof entry.deadlineMs === "function")
      deadlines[hook] = deadlineMs;
  }
  const crosses = objection(config, maxResultBytes) === undefined;
  return { problems: [], ...(crosses ? { config } : {}), deadlines };
}

function plainProblem({ path, message, fix }: ConfigProblem): ConfigProblem {
  return { path, message, ...(fix === undefined ? {} : { fix }) };
}
