// The plugin of the user's own that a command is about, what it finds beside it, and the tools that look at it.

import { mkdir, stat, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import process from "node:process";
import { prepareHome } from "../../home/make-home.ts";
import { memoirHome, memoirPaths, type Paths, userHome } from "../../home/paths.ts";
import { atomicWrite, readFileText } from "../../home/read-file.ts";
import { version } from "../../home/version.ts";
import { loadHost } from "../../host/index.ts";
import { readPack } from "../../host/packs.ts";
import { type ProgramRun, runProgram } from "../../host/programs.ts";
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
import { preload, publishSdk } from "../../runtime/plugins/sdk-module.ts";
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

// Writes the declarations of Bun and Node into the home, so that editors and `check` know them without a network.

/** What stands in the manifest of `@types/bun`, which only leads to the others. */
const manifest = `${JSON.stringify(
  {
    name: "@types/bun",
    version,
    description: "Written by memoir: what editors need to know about Bun and Node.",
    types: "./index.d.ts",
    license: "MIT",
  },
  null,
  2,
)}\n`;

/** Writes them where they are missing; packages that the user installed are left alone. */
export async function writeEditorTypes({ nodeModules }: Paths): Promise<void> {
  const own = join(nodeModules, "@types/bun/package.json");
  const there = await readFileText(own).catch(() => undefined);
  // Any other one is the user's; this one is complete, because it is written last.
  if (there !== undefined) return;
  for (const [path, text] of Object.entries(await declarations())) {
    const file = join(nodeModules, path);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, text, { mode: 0o600 });
  }
  await mkdir(dirname(own), { recursive: true, mode: 0o700 });
  await writeFile(join(dirname(own), "index.d.ts"), '/// <reference types="bun-types" />\n');
  await atomicWrite(own, manifest);
}

/** Path below `node_modules` → text. */
async function declarations(): Promise<Record<string, string>> {
  const packed = (await readPack("editor")) as Record<string, string> | undefined;
  if (packed) return packed;
  // Only from source, where the packages themselves are installed.
  const { editorDeclarations } = await import("../../release/authors.ts");
  return editorDeclarations();
}

// The binary as its own toolchain: it holds a package manager, a type checker and a test runner.

interface ToolOptions {
  cwd: string;
  /** Default 120 s. */
  timeoutMs?: number;
  /** The home's `node_modules`: what runs finds memoir's packages there, wherever it lies. */
  imports?: string;
}

/** Runs `add`, `check`, `test` or a file with the engine inside this program. Rejects with `plugin_test` when its time is up. */
export async function runTool(
  args: readonly string[],
  { cwd, timeoutMs = 120_000, imports }: ToolOptions,
): Promise<ProgramRun> {
  const host = await loadHost();
  const [tool = "", ...rest] = args;
  const words = imports && host.name !== "deno" ? preload(imports) : [];
  const all = tool === "test" ? [tool, ...words, ...rest] : [...words, ...args];
  const command = host.toolCommand(all, `${memoirHome(process.env)}/deno.json`);
  if (command === undefined)
    throw new MemoirError("usage", "This command needs the memoir binary, or Bun.", {
      fix: "Under Deno use `deno check` in the plugin's folder, and name packages in `deno.json`.",
    });
  const env = { ...process.env, BUN_BE_BUN: "1", NO_COLOR: "1" };
  const run = await runProgram(command, { cwd, env, timeoutMs });
  if (run.isLate)
    throw new MemoirError("plugin_test", `It was not done within ${timeoutMs / 1_000} seconds.`, {
      fix: "Look for an endless loop, or a top-level `await` that never ends.",
    });
  return run;
}
