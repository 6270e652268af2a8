// What a file loads as soon as it is loaded itself.
import { readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";

const transpiler = new Bun.Transpiler({ loader: "ts" });

/** Every file (relative to `root`) and package reached from a file through static imports; types do not count. */
export function staticImports(root: string, file: string, seen = new Set<string>()): Set<string> {
  const name = relative(root, file);
  if (seen.has(name)) return seen;
  seen.add(name);
  if (!name.endsWith(".ts")) return seen;
  for (const { kind, path } of transpiler.scanImports(readFileSync(file, "utf8"))) {
    if (kind !== "import-statement") continue;
    if (path.startsWith(".")) staticImports(root, resolve(dirname(file), path), seen);
    else seen.add(path);
  }
  return seen;
}
