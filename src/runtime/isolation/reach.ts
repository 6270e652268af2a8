// What a plugin says that it reaches, in its package.json's `memoir`: hosts, files, programs. Shown before its code runs; its worker is held to it.
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Reach, ReachField } from "../../host/hold-to.ts";
import { MemoirError } from "../../sdk/errors.ts";

/** The fields, and what a plugin does with what they name. */
export const reachFields = { hosts: "reaches", files: "touches", programs: "runs" } as const;

/** What is declared, by field, as it is written there; a field that is absent is not said. Throws `plugin_invalid`. */
export function declaredIn(manifest: unknown, path: string): Partial<Record<ReachField, string[]>> {
  const declared: Record<string, unknown> = { ...(manifest as { memoir?: object })?.memoir };
  const found: Partial<Record<ReachField, string[]>> = {};
  for (const field of Object.keys(reachFields) as ReachField[]) {
    const names = declared[field];
    if (names === undefined) continue;
    if (!Array.isArray(names) || !names.every((one) => typeof one === "string" && one !== ""))
      throw new MemoirError(
        "plugin_invalid",
        `${path}: memoir.${field} is no list of names: ${JSON.stringify(names)}.`,
      );
    found[field] = names;
  }
  return found;
}

/** What Deno takes as a worker's permissions. */
type Permissions = Readonly<Record<string, boolean | "inherit" | readonly string[]>>;

/** What the nearest package.json above a plugin's module declares; undefined where there is none. Throws `plugin_invalid`. */
export function declaredNear(module: string) {
  for (let folder = dirname(module); ; folder = dirname(folder)) {
    const path = join(folder, "package.json");
    const manifest = manifestAt(path);
    if (manifest !== undefined) return { path, folder, ...declaredIn(manifest, path) };
    if (folder === dirname(folder)) return undefined;
  }
}

/** What a plugin's worker is held to; undefined where its package.json declares nothing of it. Throws `plugin_invalid`. */
export function reachOf(module: string, home: string): Reach | undefined {
  const near = declaredNear(module);
  if (!near?.hosts && !near?.files && !near?.programs) return undefined;
  const { path, folder, hosts, files, programs } = near;
  const absolute = (file: string) =>
    file === "*" ? file : resolve(folder, file.replace(/^~(?=[/\\]|$)/, homedir()));
  return {
    manifest: path,
    ...(hosts && { hosts }),
    ...(files && { files: files.map(absolute) }),
    // Another program goes wherever it likes: who is held to anything runs only what it names.
    programs: programs ?? [],
    readable: [folder, join(home, "node_modules"), join(home, "plugins", "node_modules")],
    data: "",
  };
}

/** The same as Deno's permissions, which hold all code of a worker. memoir's own files are read there too. */
export function permissionsOf(
  { hosts, files, programs, readable }: Reach,
  home: string,
): Permissions {
  const all = (names: readonly string[] | undefined, more: readonly string[] = []) => {
    if (names === undefined) return "inherit";
    const list = [...names, ...more];
    // Deno takes an empty list for all.
    return names.includes("*") || (list.length > 0 && list);
  };
  const data = join(home, "data");
  const program = fileURLToPath(new URL("../../../", import.meta.url));
  return {
    net: all(hosts?.filter((host) => !host.startsWith("unix:"))),
    read: all(files, [...readable, data, program]),
    write: all(files, [data]),
    run: all(programs),
    ffi: false,
    env: "inherit",
    sys: "inherit",
    import: "inherit",
  };
}

function manifestAt(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8").replace(/^\ufeff/, ""));
  } catch {
    return undefined;
  }
}
