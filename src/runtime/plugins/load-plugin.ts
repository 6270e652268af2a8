// Loads a plugin's module and checks it: a built-in from the table, a user's from its file. Errors name file and line, never a stack.
import { pathToFileURL } from "node:url";
import { MemoirError } from "../../sdk/errors.ts";
import type { AnyPlugin } from "../../sdk/plugin.ts";
import type { LoadPlugin } from "../builtins.ts";
import { errorMessage } from "../describe-error.ts";
import type { PluginInfo } from "../ports.ts";
import { checkPlugin } from "./check-plugin.ts";
import { locatePlugin, type Places } from "./locate.ts";
import { within } from "./within.ts";

/** A plugin as data, and where it came from. */
export interface LoadedPlugin {
  plugin: AnyPlugin;
  origin: PluginInfo["origin"];
  /** Absolute path of a user's plugin. */
  source?: string;
  /** Tells one state of its files from another. */
  version?: string;
}

/** How long a plugin's module may take until it is there: a top-level `await` may never end. */
const loadMs = 5_000;

/** Loads what a reference names. Rejects with plugin_not_found, plugin_invalid, plugin_deadline or plugin_sdk_version. */
export async function loadPlugin(
  reference: string,
  builtins: Readonly<Record<string, LoadPlugin>>,
  places: Places,
  deadlineMs: number = loadMs,
): Promise<LoadedPlugin> {
  const builtIn = Object.hasOwn(builtins, reference) ? builtins[reference] : undefined;
  if (builtIn)
    return { plugin: checkPlugin((await builtIn()).default, reference), origin: "built-in" };
  const { origin, path } = await locatePlugin(reference, {
    ...places,
    known: Object.keys(builtins),
  });
  const late = new MemoirError(
    "plugin_deadline",
    `${path} was not loaded within ${deadlineMs} ms`,
    {
      fix: "Let the plugin's module wait for nothing; `start` is the place to open and to connect.",
    },
  );
  const exported = await within(deadlineMs, late, () => importModule(path));
  return { plugin: checkPlugin(exported.default, path), origin, source: path };
}

async function importModule(path: string): Promise<Record<string, unknown>> {
  // A value at run time: a path that the bundler could fold would be resolved when memoir is built.
  const url = pathToFileURL(path).href;
  try {
    return await import(url);
  } catch (error) {
    throw new MemoirError("plugin_invalid", `${path} cannot be loaded: ${whatAndWhere(error)}`, {
      cause: error,
      fix: /["']memoir(\/sdk)?["']/.test(errorMessage(error)) ? sdkHint : fileHint,
    });
  }
}

const fileHint =
  "Correct the plugin at the named place, then run the command again, or `memoir stop`: the next hook starts it anew.";
const sdkHint =
  "Put the plugin below memoir's `plugins` folder, where `memoir/sdk` can be imported, or import types only.";

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
  const position = (first as { position?: Position | null }).position;
  if (position) return `${message} (${position.file}:${position.line}:${position.column})`;
  const at =
    first instanceof Error ? /(?:file:\/\/)?(\/[^\s()]+:\d+:\d+)/.exec(first.stack ?? "")?.[1] : "";
  return at ? `${message} (${at})` : message;
}
