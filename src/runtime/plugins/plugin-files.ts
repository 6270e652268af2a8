// The files that a plugin is made of: its module, what that imports by a relative path, and everything in its own folder.
import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

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
export async function readText(path: string): Promise<string | undefined> {
  try {
    return (await stat(path)).size > maxTextBytes ? undefined : await readFile(path, "utf8");
  } catch {
    return undefined;
  }
}
