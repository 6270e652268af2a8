// The JSON schema of config.json, for editors and `memoir config schema`: ours, and each built-in plugin's options.
import type { GenericSchema } from "valibot";
import { builtins as allBuiltins, type LoadPlugin } from "../builtins.ts";
import { ConfigSchema } from "./schema.ts";

/** A piece of JSON schema. */
export interface JsonSchema {
  description?: string;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: boolean | JsonSchema;
  [keyword: string]: unknown;
}

/** Every key that may be set, dotted, with what it is for. */
export async function configKeys(): Promise<ReadonlyMap<string, string>> {
  const keys = new Map<string, string>();
  const collect = ({ properties = {} }: JsonSchema, above: readonly string[]) => {
    for (const [name, schema] of Object.entries(properties)) {
      if (name.startsWith("$")) continue;
      keys.set([...above, name].join("."), schema.description ?? "");
      collect(schema, [...above, name]);
    }
  };
  collect(await configJsonSchema(), []);
  return keys;
}

/** The schema as a JSON value. Options of plugins it does not know are let through. */
export async function configJsonSchema(
  builtins: Readonly<Record<string, LoadPlugin>> = allBuiltins,
): Promise<JsonSchema> {
  const { toJsonSchema } = await import("@valibot/to-json-schema");
  const convert = (schema: GenericSchema): JsonSchema =>
    // Lenient: what JSON schema cannot say (a regular expression's flags, a custom check) is left out.
    toJsonSchema(schema, { errorMode: "ignore", typeMode: "input" }) as JsonSchema;
  const root = convert(ConfigSchema);
  const entries: Record<string, JsonSchema> = {};
  const enabled: JsonSchema = { type: "boolean", description: "False leaves the plugin out." };
  for (const [name, load] of Object.entries(builtins)) {
    const { default: plugin } = await load();
    const { $schema: _version, ...options } = plugin.config ? convert(plugin.config) : {};
    entries[name] = {
      type: "object",
      additionalProperties: false,
      ...options,
      description: plugin.description,
      properties: { enabled, ...options.properties },
    };
  }
  return {
    ...root,
    title: "memoir's config.json",
    properties: {
      ...root.properties,
      plugins: { ...root.properties?.plugins, properties: entries },
    },
  };
}
