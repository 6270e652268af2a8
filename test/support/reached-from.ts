// Which files importing one leads to, and which packages they name.
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** Every file that importing `file` leads to, itself included, lazy imports too. */
export async function reachedFrom(file: string, found = new Set<string>()): Promise<Set<string>> {
  if (found.has(file)) return found;
  found.add(file);
  for (const path of await importsOf(file))
    if (path.startsWith(".") && path.endsWith(".ts"))
      await reachedFrom(resolve(dirname(file), path), found);
  return found;
}

/** The packages that those files import, without the runtime's own modules. */
export async function packagesReachedFrom(file: string): Promise<string[]> {
  const all = await Promise.all([...(await reachedFrom(file))].map(importsOf));
  return [...new Set(all.flat())].filter((path) => !/^\.|^\w+:/.test(path)).sort();
}

async function importsOf(file: string): Promise<string[]> {
  const scanned = new Bun.Transpiler({ loader: "ts" }).scanImports(await readFile(file, "utf8"));
  return scanned.map(({ path }) => path);
}
