// `bun run docs`: writes what the pages on configuration, plugins' options and clients take from the schemas and the table of clients.

import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { ClientAbilities } from "../clients/adapter.ts";
import { adapterOf, clients } from "../clients/index.ts";
import { configJsonSchema, type JsonSchema } from "../runtime/config/json-schema.ts";
import { defaultSlots } from "../runtime/plugins/registry.ts";
import { formatted } from "./reference.ts";

/** The pages whose lists of keys are made: memoir's own keys, and the options of plugins. */
const keyPages = {
  configuration: resolve(import.meta.dir, "../../docs/configuration.md"),
  "plugin-options": resolve(import.meta.dir, "../../docs/developers/plugin-options.md"),
};

/** Everything below this line of the page is made. */
const madeBelow =
  "<!-- Everything below is made from the schemas: `bun run docs` writes it, a test compares. -->";

/** A page with its lists made from the schemas; what is above the mark is left as it is. */
export async function keysPage(name: keyof typeof keyPages, page: string): Promise<string> {
  const end = page.indexOf(madeBelow);
  if (end === -1) throw new Error(`${keyPages[name]} has lost its mark: ${madeBelow}`);
  const lists = name === "configuration" ? await ownKeys() : await pluginOptions();
  return formatted(
    `${page.slice(0, end)}${madeBelow}\n\n${lists.join("\n\n")}`,
    "configuration.md",
  );
}

async function ownKeys(): Promise<string[]> {
  const { properties = {} } = await configJsonSchema();
  const { $schema: _editors, plugins: _options, listeners, ...sections } = properties;
  return [
    "## Every key",
    ...Object.entries(sections).map(([name, schema]) => section(name, schema)),
    "### listeners",
    list([["listeners", listeners ?? {}]]),
  ];
}

async function pluginOptions(): Promise<string[]> {
  const { plugins } = (await configJsonSchema()).properties ?? {};
  const every = plugins?.additionalProperties as JsonSchema;
  return [
    "Every plugin has these two:",
    list(leaves(every, "plugins.<name>")),
    ...Object.entries(plugins?.properties ?? {})
      .map(([name, schema]) => section(`plugins.${name}`, schema))
      .filter((text) => text.includes("\n- ")),
  ];
}

function section(name: string, schema: JsonSchema): string {
  return [`### ${name}`, schema.description, list(leaves(schema, name))].join("\n\n");
}

/** Dotted paths of everything that can be set; what every plugin has is said once. */
function leaves(schema: JsonSchema, prefix: string): Array<[string, JsonSchema]> {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const key = `${prefix}.${name}`;
    if (name === "enabled" && /^plugins\.[^<]/.test(key)) return [];
    return inner.properties ? leaves(inner, key) : [[key, inner] as [string, JsonSchema]];
  });
}

/** A list rather than a table: its columns would be half of the page. */
function list(rows: ReadonlyArray<[string, JsonSchema]>): string {
  return rows
    .map(([key, schema]) => `- \`${key}\`${fallback(key, schema)}: ${meaning(schema)}`)
    .join("\n");
}

function fallback(key: string, schema: JsonSchema): string {
  const value = key.startsWith("slots.") ? slotDefault(key, schema) : schema.default;
  return value === undefined ? "" : ` = \`${JSON.stringify(value).replaceAll(",", ", ")}\``;
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
  return `${sentence}${allowed}`;
}

// The table of docs/clients.md: what each client lets memoir do, as the table of clients says it.

/** Absolute. */
const clientsPage = join(import.meta.dirname, "../../docs/clients.md");

/** Where Claude Code's files are said: `src/install` writes them without a description. */
const firstFiles = ["~/.claude/settings.json", "~/.claude.json"];

const [begin, end] = ["<!-- table: begin -->\n", "<!-- table: end -->\n"];

/** The page with its table as it has to be. Throws where the page has no place for it. */
export async function clientsPageText(page: string): Promise<string> {
  const [head, rest] = page.split(begin);
  const [, tail] = rest?.split(end) ?? [];
  if (head === undefined || tail === undefined)
    throw new Error("docs/clients.md has no mark for its table.");
  return formatted(
    `${head}${begin}\n${clientTable()}\n${await remarks()}\n${end}${tail}`,
    "clients.md",
  );
}

function clientTable(): string {
  const header = [
    ...["client", "context at start", "at a prompt", "prompts"],
    ...["outcomes", "shorter results", "session's end", "MCP tools", "backfill"],
    "tested with",
  ];
  const watched = [...clients.values()].filter(({ abilities }) => abilities.way !== "tools");
  const rows = watched.map(({ title, abilities }) => [title, ...cells(abilities)]);
  const lines = [header, header.map(() => "---"), ...rows];
  return `${lines.map((cellsOf) => `| ${cellsOf.join(" | ")} |`).join("\n")}\n`;
}

/** One entry a client: the files that an install changes, and what is particular. */
async function remarks(): Promise<string> {
  const lines = [...clients.values()].map(async (client) => {
    const { registration } = await adapterOf(client);
    const place = { env: { HOME: "/~" }, binary: "", home: undefined, command: "" };
    const files = registration?.files({ ...place, events: new Map() });
    const paths = files?.map(({ path }) => path.replace("/~/", "~/")) ?? firstFiles;
    return `- **${client.title}** (\`${client.name}\`): ${paths.map((path) => `\`${path}\``).join(", ")}. ${client.remark}\n`;
  });
  return (await Promise.all(lines)).join("");
}

function cells(abilities: ClientAbilities): string[] {
  const yes = (is: boolean) => (is ? "yes" : "–");
  const words = {
    hook: "hook",
    transcript: "transcript",
    none: "–",
    quiet: "silence",
  };
  return [
    ...[yes(abilities.sessionContext), yes(abilities.promptContext), words[abilities.prompts]],
    ...[words[abilities.outcomes], yes(abilities.results), words[abilities.sessionEnd]],
    ...[yes(abilities.mcp), yes(abilities.backfill)],
    abilities.driven ?? "payloads",
  ];
}

if (import.meta.main) {
  const pages: Array<[path: string, written: (page: string) => Promise<string>]> = [
    [keyPages.configuration, (page) => keysPage("configuration", page)],
    [keyPages["plugin-options"], (page) => keysPage("plugin-options", page)],
    [clientsPage, clientsPageText],
  ];
  for (const [path, written] of pages) {
    await writeFile(path, await written(await readFile(path, "utf8")));
    console.log(`${path} written`);
  }
}
