// Finds plugins: the module behind a reference in config, what lies in a plugins folder, and the files that a plugin is made of.

import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { MemoirError } from "../../sdk/errors.ts";
import { nearest } from "../config/problems.ts";

/** Where the module of a plugin is. */
interface Located {
  origin: "file" | "package";
  /** Absolute. */
  path: string;
}

/** Where references are looked up. */
export interface Places {
  /** memoir's home: paths are relative to it, packages are in it or in its `plugins`. */
  home: string;
  /** For `~`. */
  userHome: string;
  /** Names of built-ins, for "did you mean". */
  known?: readonly string[];
}

const extensions = ["", ".ts", ".js", ".mjs", "/index.ts", "/index.js", "/index.mjs"];

/** True for what names a file rather than a package. */
export function isPath(reference: string): boolean {
  return /^(\.{1,2}|~)?[/\\]|^~$|^[a-zA-Z]:[/\\]|\.(ts|js|mjs)$/.test(reference);
}

/** Finds a plugin's module, or rejects with `plugin_not_found` saying where it was looked for. */
export async function locatePlugin(reference: string, places: Places): Promise<Located> {
  return isPath(reference) ? locateFile(reference, places) : locatePackage(reference, places);
}

/** The path of a plugin's module, or undefined when it cannot be found. */
export async function whereIs(reference: string, places: Places): Promise<string | undefined> {
  return locatePlugin(reference, places).then(
    ({ path }) => path,
    () => undefined,
  );
}

async function locateFile(reference: string, { home, userHome }: Places): Promise<Located> {
  const expanded = reference.replace(/^~(?=[/\\]|$)/, userHome);
  const base = isAbsolute(expanded) ? expanded : resolve(home, expanded);
  const path = await firstFile(extensions.map((extension) => base + extension));
  if (path !== undefined) return { origin: "file", path };
  throw new MemoirError("plugin_not_found", `there is no plugin file ${base}`, {
    fix: "Correct the path in the config file; a relative path begins at the file's own folder.",
  });
}

async function locatePackage(name: string, { home, known = [] }: Places): Promise<Located> {
  if (!isPackageName(name))
    throw new MemoirError("plugin_not_found", `"${name}" names no plugin, file or package`);
  for (const folder of [join(home, "plugins", "node_modules"), join(home, "node_modules")]) {
    const root = join(folder, name);
    const manifest = await readManifest(join(root, "package.json"));
    if (!manifest) continue;
    // As for a folder that was dropped in: what it names, else its index.
    const entries = [entryOf(manifest), "index.ts", "index.mjs"];
    const path = await firstFile(entries.map((entry) => join(root, entry)));
    if (path !== undefined) return { origin: "package", path };
    throw new MemoirError(
      "plugin_not_found",
      `package ${name} has no file ${join(root, entryOf(manifest))}`,
      { fix: "Install the package again, or name the plugin's file." },
    );
  }
  const near = nearest(name, known);
  const meant = near ? `; did you mean "${near}"?` : "";
  throw new MemoirError("plugin_not_found", `no built-in plugin or package "${name}"${meant}`, {
    fix: `Use a name that \`memoir plugin list\` shows, a path, or install the package in ${join(home, "plugins")}.`,
  });
}

/** True for what npm would call a package: no path can be made of it. */
export function isPackageName(name: string): boolean {
  return /^(@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*$/i.test(name);
}

/** The file a package's root import means. */
export function entryOf(manifest: Record<string, unknown>): string {
  const { exports, module, main } = manifest;
  const root =
    typeof exports === "object" && exports !== null && "." in exports ? exports["."] : exports;
  return condition(root) ?? text(module) ?? text(main) ?? "index.js";
}

/** The first condition that fits an ES module, in the order the package gives them. */
function condition(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, inner] of Object.entries(value))
    if (["bun", "import", "module", "node", "default"].includes(name)) {
      const found = condition(inner);
      if (found) return found;
    }
  return undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

async function firstFile(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if ((await stat(path).catch(() => undefined))?.isFile()) return path;
  return undefined;
}

// A package.json, of a plugin or of the folder that plugins are installed in.

/** Its object; undefined where there is none, or no object in it. */
export async function readManifest(path: string): Promise<Record<string, unknown> | undefined> {
  try {
    const value: unknown = JSON.parse((await readFile(path, "utf8")).replace(/^\ufeff/, ""));
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

// What lies in plugins folders: single files, and folders with an entry.

/** A plugin that somebody put into a plugins folder. */
export interface Dropped {
  /** The file's or the folder's name, without ending: how it may be named in config. */
  name: string;
  /** Its module, absolute. */
  path: string;
  /** The folder that is its own; absent for a single file. */
  folder?: string;
  /** It runs for these projects only, which brought it; config cannot name it. */
  projects?: readonly string[];
}

/** More than anybody has; a folder with more is no plugins folder. */
const maxEntries = 500;
const endings = /\.(ts|js|mjs)$/;

/** True for a file name that may be a plugin: tests, declarations and what begins with a dot or `_` are none. */
function isPluginFile(name: string): boolean {
  return endings.test(name) && !/^[._]|\.(test|spec|d)\.\w+$/.test(name);
}

/** Code that is no plugin's file by its ending. */
function isOtherCode(name: string): boolean {
  return /\.([cm]ts|cjs|[jt]sx)$/.test(name) && !/\.(test|spec|d)\.\w+$/.test(name);
}

/** Something in a plugins folder that looks as if somebody took it for a plugin. */
export interface Overlooked {
  name: string;
  /** Why it is none, with what to change. */
  why: string;
}

/** Everything in `folder` that looks like a plugin, by name. A folder that cannot be read holds none. */
export async function discoverPlugins(folder: string): Promise<Dropped[]> {
  return (await lookInto(folder)).flatMap((one) => ("path" in one ? one : []));
}

/** What `discoverPlugins` passes over although it holds code; tests, declarations and the like are meant to be passed over. */
export async function overlookedIn(folder: string): Promise<Overlooked[]> {
  return (await lookInto(folder)).flatMap((one) => ("why" in one ? one : []));
}

async function lookInto(folder: string): Promise<Array<Dropped | Overlooked>> {
  const names = (await readdir(folder).catch(() => [])).sort().slice(0, maxEntries);
  const found = await Promise.all(names.map((name) => look(folder, name)));
  return found.filter((one) => one !== undefined);
}

async function look(parent: string, name: string): Promise<Dropped | Overlooked | undefined> {
  if (/^[._]/.test(name) || name === "node_modules") return undefined;
  const path = join(parent, name);
  const kind = await stat(path).catch(() => undefined);
  if (kind?.isFile()) {
    if (isPluginFile(name)) return { name: basename(name).replace(endings, ""), path };
    return isOtherCode(name)
      ? { name, why: "a plugin's file ends in .ts, .js or .mjs" }
      : undefined;
  }
  if (!kind?.isDirectory()) return undefined;
  const module = await entryIn(path);
  if (module !== undefined) return { name, path: module, folder: path };
  const inside = await readdir(path).catch(() => []);
  if (!inside.some((file) => isPluginFile(file) || isOtherCode(file))) return undefined;
  return {
    name,
    why: "its folder has no index.ts, and no package.json whose `main` or `exports` names a file there is",
  };
}

/** A folder's module: what its package.json says, else its index; undefined when there is neither. */
export async function entryIn(folder: string): Promise<string | undefined> {
  const manifest = await readManifest(join(folder, "package.json"));
  const said = manifest ? [entryOf(manifest)] : [];
  const names = [...said, "index.ts", "index.js", "index.mjs"];
  return firstFile(names.map((name) => join(folder, name)));
}

// Tells one state of a plugin's files from another, by content.

/** A short word for the present content of a plugin's files; another one after any change. */
export async function fingerprint(module: string): Promise<string> {
  const hash = createHash("sha256");
  for (const path of await pluginFiles(module)) {
    const text = await readText(path);
    hash.update(`${path}\0${text ?? (await sizeAndTime(path))}\0`);
  }
  return hash.digest("hex").slice(0, 16);
}

/** The folder that belongs to a module: the one that it is the index of. */
export function ownFolder(module: string): string | undefined {
  return /^index\.[jt]s$|^index\.mjs$/.test(basename(module)) ? dirname(module) : undefined;
}

async function sizeAndTime(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found ? `${found.size} ${found.mtimeMs}` : "gone";
}

// The files that a plugin is made of: its module, what that imports by a relative path, and everything in its own folder.

/** More files than a hand-written plugin has; what comes after them is not looked at. */
const maxFiles = 500;
/** Larger files are data: their size and time stand for them. */
const maxTextBytes = 1_000_000;
const importEndings = ["", ".ts", ".js", ".mjs", ".tsx", ".jsx", ".json", "/index.ts", "/index.js"];
const importedPath =
  /(?:\bfrom|\bimport|\bimport\s*\(|\brequire\s*\()\s*["'](\.{1,2}\/[^"'\n]*)["']/g;

/** Absolute paths, sorted. `folder` is the plugin's own, where it has one. Installed packages are left out. */
export async function pluginFiles(module: string, folder = ownFolder(module)): Promise<string[]> {
  const found = new Set<string>();
  await follow(module, found);
  if (folder !== undefined) await addFolder(folder, found, 0);
  return [...found].sort();
}

async function follow(path: string, found: Set<string>): Promise<void> {
  if (found.has(path) || found.size >= maxFiles) return;
  found.add(path);
  if (!/\.[jt]sx?$|\.mjs$/.test(path)) return;
  const text = await readText(path);
  if (text === undefined) return;
  for (const [, relative = ""] of text.matchAll(importedPath)) {
    const base = resolve(dirname(path), relative);
    const target = await firstFile(importEndings.map((ending) => base + ending));
    if (target !== undefined) await follow(target, found);
  }
}

async function addFolder(folder: string, found: Set<string>, depth: number): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (found.size >= maxFiles) return;
    if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
    if (/\.(test|spec)\.[jt]s$/.test(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory() && depth < 8) await addFolder(path, found, depth + 1);
    else if (entry.isFile()) found.add(path);
  }
}

/** The text of a file, or undefined where it is none or too large to be source. */
async function readText(path: string): Promise<string | undefined> {
  try {
    return (await stat(path)).size > maxTextBytes ? undefined : await readFile(path, "utf8");
  } catch {
    return undefined;
  }
}
