// A reference in config → the file to import: a path, or a package installed in the home.
import { readFile, stat } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
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
  for (const extension of extensions)
    if (await isFile(base + extension)) return { origin: "file", path: base + extension };
  throw new MemoirError("plugin_not_found", `there is no plugin file ${base}`, {
    fix: "Correct the path in the config file; a relative path begins at the file's own folder.",
  });
}

async function locatePackage(name: string, { home, known = [] }: Places): Promise<Located> {
  if (!/^(@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*$/i.test(name))
    throw new MemoirError("plugin_not_found", `"${name}" names no plugin, file or package`);
  for (const folder of [join(home, "plugins", "node_modules"), join(home, "node_modules")]) {
    const root = join(folder, name);
    const manifest = await readManifest(join(root, "package.json"));
    if (!manifest) continue;
    // As for a folder that was dropped in: what it names, else its index.
    for (const entry of [entryOf(manifest), "index.ts", "index.mjs"]) {
      const path = join(root, entry);
      if (await isFile(path)) return { origin: "package", path };
    }
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

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
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
