// What lies in a plugins folder: single files, and folders with an entry. Nothing is loaded here.
import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { entryOf, readManifest } from "./locate.ts";

/** A plugin that somebody put into a plugins folder. */
export interface Dropped {
  /** The file's or the folder's name, without ending: how it may be named in config. */
  name: string;
  /** Its module, absolute. */
  path: string;
  /** The folder that is its own; absent for a single file. */
  folder?: string;
}

/** More than anybody has; a folder with more is no plugins folder. */
const maxEntries = 500;
const endings = /\.(ts|js|mjs)$/;

/** True for a file name that may be a plugin: tests, declarations and what begins with a dot or `_` are none. */
function isPluginFile(name: string): boolean {
  return (
    endings.test(name) &&
    !/^[._]/.test(name) &&
    !/\.(test|spec)\.(ts|js|mjs)$/.test(name) &&
    !name.endsWith(".d.ts")
  );
}

/** Everything in `folder` that looks like a plugin, by name. A folder that cannot be read holds none. */
export async function discoverPlugins(folder: string): Promise<Dropped[]> {
  const entries = (await readdir(folder).catch(() => [])).sort().slice(0, maxEntries);
  const found = await Promise.all(entries.map((name) => look(folder, name)));
  return found.filter((one) => one !== undefined);
}

/** Something in a plugins folder that looks as if somebody took it for a plugin. */
export interface Overlooked {
  name: string;
  /** Why it is none, with what to change. */
  why: string;
}

/** What `discoverPlugins` passes over although it holds code; tests, declarations and the like are meant to be passed over. */
export async function overlookedIn(folder: string): Promise<Overlooked[]> {
  const entries = (await readdir(folder).catch(() => [])).sort().slice(0, maxEntries);
  const found = await Promise.all(
    entries.map(async (name): Promise<Overlooked | undefined> => {
      if (/^[._]/.test(name) || name === "node_modules") return undefined;
      const path = join(folder, name);
      const kind = await stat(path).catch(() => undefined);
      if (kind?.isFile() && isOtherCode(name))
        return { name, why: "a plugin's file ends in .ts, .js or .mjs" };
      if (!kind?.isDirectory() || (await entryIn(path)) !== undefined) return undefined;
      const inside = await readdir(path).catch(() => []);
      if (!inside.some((file) => isPluginFile(file) || isOtherCode(file))) return undefined;
      return {
        name,
        why: "its folder has no index.ts, and no package.json whose `main` or `exports` names a file there is",
      };
    }),
  );
  return found.filter((one) => one !== undefined);
}

function isOtherCode(name: string): boolean {
  return /\.([cm]ts|cjs|[jt]sx)$/.test(name) && !/\.(test|spec|d)\.\w+$/.test(name);
}

async function look(parent: string, entry: string): Promise<Dropped | undefined> {
  const path = join(parent, entry);
  const kind = await stat(path).catch(() => undefined);
  if (kind?.isFile() && isPluginFile(entry))
    return { name: basename(entry).replace(endings, ""), path };
  if (!kind?.isDirectory() || /^[._]/.test(entry) || entry === "node_modules") return undefined;
  const module = await entryIn(path);
  return module === undefined ? undefined : { name: entry, path: module, folder: path };
}

/** A folder's module: what its package.json says, else its index; undefined when there is neither. */
export async function entryIn(folder: string): Promise<string | undefined> {
  const manifest = await readManifest(join(folder, "package.json"));
  const said = manifest ? [entryOf(manifest)] : [];
  for (const name of [...said, "index.ts", "index.js", "index.mjs"]) {
    const path = join(folder, name);
    if ((await stat(path).catch(() => undefined))?.isFile()) return path;
  }
  return undefined;
}
