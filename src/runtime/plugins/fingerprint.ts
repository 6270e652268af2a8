// Tells one state of a plugin's files from another, by content.
import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

/** A short word for the present content of a plugin's files; another one after any change. */
export async function fingerprint(module: string): Promise<string> {
  const hash = createHash("sha256");
  for (const path of await pluginFiles(module, ownFolder(module))) {
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
/** Larger files are data: they are told apart by size and time. */
const maxTextBytes = 1_000_000;
const endings = ["", ".ts", ".js", ".mjs", ".tsx", ".jsx", ".json", "/index.ts", "/index.js"];
const importedPath =
  /(?:\bfrom|\bimport|\bimport\s*\(|\brequire\s*\()\s*["'](\.{1,2}\/[^"'\n]*)["']/g;

/** Absolute paths, sorted. `folder` is the plugin's own, where it has one. Installed packages are left out. */
export async function pluginFiles(module: string, folder?: string): Promise<string[]> {
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
    const target = await fileAt(resolve(dirname(path), relative));
    if (target !== undefined) await follow(target, found);
  }
}

async function fileAt(base: string): Promise<string | undefined> {
  for (const ending of endings) {
    const found = await stat(base + ending).catch(() => undefined);
    if (found?.isFile()) return base + ending;
  }
  return undefined;
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
