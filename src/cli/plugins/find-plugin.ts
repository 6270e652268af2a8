// The plugin that a command is about: by its name, its file's or folder's name, or a path.

import { stat } from "node:fs/promises";
import { dirname, isAbsolute, resolve } from "node:path";
import { prepareHome } from "../../home/make-home.ts";
import { memoirPaths, type Paths, userHome } from "../../home/paths.ts";
import { builtins } from "../../runtime/builtins.ts";
import { nearest } from "../../runtime/config/problems.ts";
import { describePlugins } from "../../runtime/plugins/describe.ts";
import {
  type Dropped,
  discoverPlugins,
  entryIn,
  isPath,
  overlookedIn,
  ownFolder,
} from "../../runtime/plugins/find.ts";
import { type LoadedPlugin, loadPlugin } from "../../runtime/plugins/load-plugin.ts";
import { publishSdk } from "../../runtime/plugins/sdk-module.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { baseName } from "../../text/text.ts";
import { setupOf } from "../setup/setup.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** A plugin of the user's own, by its files. Throws `plugin_not_found`; without a name, the only one there is. */
export async function findOwn(name: string | undefined, terminal: Terminal): Promise<Dropped> {
  const { home } = setupOf(terminal).paths;
  const dropped = await discoverPlugins(memoirPaths(home).plugins);
  if (name === undefined) return onlyOne(dropped);
  const named = dropped.find((plugin) => plugin.name === name);
  if (named) return named;
  const path = await moduleAt(name, terminal);
  if (path !== undefined) return asDropped(path);
  const { plugins } = await describePlugins(home, terminal.env);
  const source = plugins.find((known) => known.name === name && known.source)?.source;
  if (source !== undefined) return asDropped(source);
  const isBuiltIn = plugins.some((one) => one.name === name);
  const own = plugins.filter(({ origin }) => origin !== "built-in");
  const near = nearest(
    name,
    [...dropped, ...own].map((one) => one.name),
  );
  const overlooked = await overlookedIn(memoirPaths(home).plugins);
  const missed = overlooked.find((file) => file.name.split(".")[0] === name || file.name === name);
  if (missed)
    throw new MemoirError("plugin_not_found", `${missed.name} is no plugin: ${missed.why}.`, {
      fix: "Rename the file, or give the folder an index.ts.",
    });
  throw new MemoirError(
    "plugin_not_found",
    isBuiltIn
      ? `${name} is built in; there are no files of yours to look at.`
      : `There is no plugin ${name}${near ? `; did you mean ${near}?` : "."}`,
    isBuiltIn ? { fix: "`memoir plugin info` describes the built-in plugins." } : {},
  );
}

function onlyOne(dropped: readonly Dropped[]): Dropped {
  const [first, second] = dropped;
  if (first && !second) return first;
  const names = dropped.map(({ name }) => name).join(", ");
  throw new MemoirError("usage", first ? `Which plugin: ${names}?` : "You have no plugin yet.", {
    fix: first
      ? "Name one of them."
      : "`memoir plugin new observation <name>` writes one that works.",
  });
}

/** The module that a path written in the terminal means. */
async function moduleAt(name: string, { cwd, env }: Terminal): Promise<string | undefined> {
  if (!isPath(name) && name !== ".") return undefined;
  const expanded = name.replace(/^~(?=[/\\]|$)/, userHome(env));
  const path = isAbsolute(expanded) ? expanded : resolve(cwd, expanded);
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return entryIn(path);
  return found?.isFile() ? path : undefined;
}

function asDropped(path: string): Dropped {
  const folder = ownFolder(path);
  const name = baseName(folder ?? path);
  const plain = name.replace(/\.(ts|js|mjs)$/, "");
  return { name: plain, path, ...(folder && { folder }) };
}

/** Has what plugins import lie in the home; gives the home's places. */
export async function prepareForPlugins(terminal: Terminal): Promise<Paths> {
  const { paths } = setupOf(terminal);
  await prepareHome(paths, terminal.env);
  await publishSdk(paths);
  return paths;
}

/** A plugin as memoir would load it, by a path or by what config calls it. Throws where it is none. */
export function loadOwn(reference: string, terminal: Terminal): Promise<LoadedPlugin> {
  const { home } = setupOf(terminal).paths;
  return loadPlugin(reference, builtins, { home, userHome: userHome(terminal.env) });
}

/** Where a plugin's own files are. */
export function folderOf({ path, folder }: Dropped): string {
  return folder ?? dirname(path);
}
