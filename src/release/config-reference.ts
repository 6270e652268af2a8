// The tables of docs/configuration.md, made from the config's own schema and those of the built-in plugins.
import { resolve } from "node:path";
import { configJsonSchema, type JsonSchema } from "../runtime/config/json-schema.ts";
import { defaultSlots } from "../runtime/plugins/registry.ts";
import { formatted } from "./formatted.ts";

/** The page whose tables are made. */
export const configPage = resolve(import.meta.dir, "../../docs/configuration.md");

/** Everything below this line of the page is made. */
const madeBelow =
  "<!-- Everything below is made from the schemas: `bun run docs` writes it, a test compares. -->";

/** The page with its tables made anew; what stands above the mark is left as it is. */
export async function configurationPage(page: string): Promise<string> {
  const end = page.indexOf(madeBelow);
  if (end === -1) throw new Error(`${configPage} has lost its mark: ${madeBelow}`);
  return formatted(`${page.slice(0, end)}${madeBelow}\n\n${await tables()}`, "configuration.md");
}

async function tables(): Promise<string> {
  const { properties = {} } = await configJsonSchema();
  const { $schema: _editors, plugins, listeners, ...sections } = properties;
  const own = Object.entries(sections).map(([name, schema]) =>
    [`### ${name}`, schema.description, table(leaves(schema, name))].join("\n\n"),
  );
  const options = Object.entries(plugins?.properties ?? {}).map(([name, schema]) =>
    [`### plugins.${name}`, schema.description, table(leaves(schema, `plugins.${name}`))].join(
      "\n\n",
    ),
  );
  const entry = plugins?.additionalProperties as JsonSchema;
  return [
    "## memoir's own keys",
    ...own,
    "### listeners",
    table([["listeners", listeners ?? {}]]),
    "## Options of plugins",
    "Every plugin has these two:",
    table(leaves(entry, "plugins.<name>")),
    ...options.filter((text) => text.includes("\n| ")),
  ].join("\n\n");
}

/** Dotted paths of everything that can be set; what every plugin has is said once. */
function leaves(schema: JsonSchema, prefix: string): Array<[string, JsonSchema]> {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const key = `${prefix}.${name}`;
    if (name === "enabled" && /^plugins\.[^<]/.test(key)) return [];
    return inner.properties ? leaves(inner, key) : [[key, inner] as [string, JsonSchema]];
  });
}

function table(rows: ReadonlyArray<[string, JsonSchema]>): string {
  if (rows.length === 0) return "";
  return [
    "| key | default | what it does |",
    "| --- | --- | --- |",
    ...rows.map(
      ([key, schema]) => `| \`${key}\` | ${fallback(key, schema)} | ${meaning(schema)} |`,
    ),
  ].join("\n");
}

function fallback(key: string, schema: JsonSchema): string {
  const value = key.startsWith("slots.") ? slotDefault(key, schema) : schema.default;
  return value === undefined ? "" : `\`${JSON.stringify(value).replaceAll(",", ", ")}\``;
}

/** One name where one is enough, as a user would write it. */
function slotDefault(key: string, { type }: JsonSchema): unknown {
  const names = Object.entries(defaultSlots).find(([slot]) => key === `slots.${slot}`)?.[1];
  return type !== "array" && names?.length === 1 ? names[0] : names;
}

function meaning({ description = "", enum: choices }: JsonSchema): string {
  const allowed = Array.isArray(choices)
    ? ` One of ${choices.map((choice) => `\`${choice}\``).join(", ")}.`
    : "";
  const sentence = /[.)]$/.test(description) ? description : `${description}.`;
  return `${sentence}${allowed}`.replaceAll("|", "\\|");
}
