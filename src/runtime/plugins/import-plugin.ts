// Imports a plugin's module; what goes wrong is reported with file and line, never with a stack.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { errorMessage } from "../../home/describe-error.ts";
import { memoirPaths } from "../../home/paths.ts";
import { isDeno } from "../../host/engine.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { AnyPlugin } from "../../sdk/plugin.ts";
import { type Brings, bringsOf } from "../hooks/parts.ts";
import { placeOf } from "../isolation/thrown.ts";
import { checkWithExamples } from "./check-plugin.ts";
import { pluginFiles } from "./find.ts";
import type { EntryName, Packed } from "./packed.ts";
import { entryNames } from "./packed.ts";
import { entryWith, offerElsewhere } from "./sdk-module.ts";

// An import of a name that an entry does not have: which one has it. Names moved when the contract and its rooms were parted.

/** What to do about an engine's message that a module has no such export; undefined for any other message. */
export function missingName(message: string): string | undefined {
  const said = bun.exec(message)?.groups ?? v8.exec(message)?.groups;
  const [, asked] = /(?:^|\/)memoir\/(\w+)(?:\.js)?$/.exec(said?.from ?? "") ?? [];
  if (asked === undefined || said?.name === undefined) return undefined;
  return wayTo(said.name, asked, entryWith(said.name));
}

/** The same for a message of the type checker; `types` are the declarations of each entry. */
export function missingType(message: string, types: Packed["types"]): string | undefined {
  const { name, asked } = typescript.exec(message)?.groups ?? {};
  if (name === undefined || asked === undefined) return undefined;
  const declared = new RegExp(`^export (?:declare )?[a-z]+ ${name.replaceAll("$", "\\$")}\\b`, "m");
  const entry = entryNames.find((one) => declared.test(types[one]));
  return wayTo(name, asked, entry);
}

function wayTo(name: string, asked: string, entry: EntryName | undefined): string {
  return entry === undefined
    ? `\`memoir/${asked}\` has no \`${name}\`, nor has another entry; \`memoir plugin docs --list\` shows what there is.`
    : `Import \`${name}\` from \`memoir/${entry}\`, which has it, not from \`memoir/${asked}\`.`;
}

const bun = /Export named '(?<name>[\w$]+)' not found in module '(?<from>[^']+)'/;
const v8 = /requested module '(?<from>[^']+)' does not provide an export named '(?<name>[\w$]+)'/;
const typescript =
  /Module '"memoir\/(?<asked>\w+)"' has no exported member(?: named)? '(?<name>[\w$]+)'/;

/** The plugin that a file exports as default; it imports what lies in `home`. Rejects with plugin_invalid or plugin_sdk_version. */
export async function importPlugin(path: string, home: string): Promise<AnyPlugin> {
  await offerElsewhere(dirname(path), memoirPaths(home));
  const module = await importModule(path);
  if (!("default" in module)) throw withoutDefault(path, Object.keys(module));
  const text = await readFile(path, "utf8").catch(() => "");
  return checkWithExamples(module.default, path, text);
}

function withoutDefault(path: string, exported: readonly string[]): MemoirError {
  const others = exported.length > 0 ? `; it exports ${exported.join(", ")}` : "";
  return new MemoirError("plugin_invalid", `${path} has no default export${others}`, {
    fix: "Write `export default` before the plugin: `export default definePlugin({ … })`.",
  });
}

async function importModule(path: string): Promise<Record<string, unknown>> {
  // A value at run time: a path that the bundler could fold would be resolved when memoir is built.
  const url = pathToFileURL(path).href + again(path);
  try {
    return await import(url);
  } catch (error) {
    throw new MemoirError("plugin_invalid", `${path} cannot be loaded: ${whatAndWhere(error)}`, {
      cause: error,
      fix: hintFor(errorMessage(error)),
    });
  }
}

const { cache } = createRequire(import.meta.url);

/** Makes the next import read the plugin's own modules again; its packages stay. Where an engine keeps modules for good, nothing happens. */
export async function forgetModules(module: string): Promise<void> {
  for (const path of await pluginFiles(module)) delete cache[path];
}

const imports = new Map<string, number>();

/** Deno keeps a module for good under its name: the next time it needs another one. Bun forgets, see `forgetModules`. */
function again(path: string): string {
  if (!isDeno) return "";
  const before = imports.get(path) ?? 0;
  imports.set(path, before + 1);
  return before === 0 ? "" : `?${before}`;
}

function hintFor(message: string): string {
  const missing = missingName(message);
  if (missing !== undefined) return missing;
  if (/["']memoir(\/\w+)?["']/.test(message)) return sdkHint;
  const [, name] = /Cannot find package ["']([^"']+)["']/.exec(message) ?? [];
  return name === undefined ? fileHint : packageHint(name);
}

const packageHint = (name: string) =>
  `Give the plugin a folder of its own, name ${name} in the \`dependencies\` of a package.json there, and run \`memoir plugin add <folder>\`.`;
const fileHint =
  "Correct the plugin at the named place; a running server takes it up when it is saved.";
const sdkHint =
  "Put the plugin below memoir's `plugins` folder, where `memoir/sdk` and the other entries can be imported (`memoir plugin docs --list`), or import types only.";

/** What the engine knows about a syntax error. */
interface Position {
  file: string;
  line: number;
  column: number;
}

/** The error's own words, with file and line where the engine gives them apart from a stack. */
function whatAndWhere(error: unknown): string {
  // Bun gathers several syntax errors in one AggregateError; the first is the cause of the rest.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const message = errorMessage(first).split("\n")[0] ?? "";
  const position = (first as { position?: Position | null } | undefined)?.position;
  if (position) return `${message} (${position.file}:${position.line}:${position.column})`;
  const at = placeOf(first);
  return at ? `${message} (${at})` : message;
}

/** JSON Schema of a plugin's options; undefined where it takes none. */
export async function schemaOf({ config }: Pick<AnyPlugin, "config">): Promise<object | undefined> {
  if (!config) return undefined;
  const { toJsonSchema } = await import("@valibot/to-json-schema");
  return toJsonSchema(config, { errorMode: "ignore", typeMode: "input" });
}

/** What a plugin brings, with what its operations answer as JSON Schema: for the API document. */
export async function bringsWithAnswers(plugin: AnyPlugin): Promise<Brings> {
  const brings = bringsOf(plugin);
  const answering = Object.entries(plugin.operations ?? {}).filter(([, { answers }]) => answers);
  if (answering.length === 0) return brings;
  const { toJsonSchema } = await import("@valibot/to-json-schema");
  const operations = { ...brings.operations };
  for (const [name, { answers }] of answering) {
    const one = operations[name];
    if (!one || !answers) continue;
    const { $schema, $defs, ...schema } = toJsonSchema(answers, {
      ...{ target: "draft-2020-12", errorMode: "ignore", typeMode: "output" },
    });
    // One that refers to itself does so from the root of its document, which the API's is not.
    if (!$defs) operations[name] = { ...one, answers: schema };
  }
  return { ...brings, operations };
}
