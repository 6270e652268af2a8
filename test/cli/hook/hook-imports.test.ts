// The hook command's cost is its imports: this is the whole list of what it may load before it has an answer.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const root = join(import.meta.dir, "../../..");
const transpiler = new Bun.Transpiler({ loader: "ts" });

/** Every file and package reached from a file through static imports (types do not count). */
function staticImports(file: string, seen = new Set<string>()): Set<string> {
  const name = relative(root, file);
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const { kind, path } of transpiler.scanImports(readFileSync(file, "utf8"))) {
    if (kind !== "import-statement") continue;
    if (path.startsWith(".")) staticImports(resolve(dirname(file), path), seen);
    else seen.add(path);
  }
  return seen;
}

test("the entry loads nothing before it branches", () => {
  expect([...staticImports(join(root, "src/cli/main.ts"))]).toEqual(["src/cli/main.ts"]);
});

test("the hook command loads two files of names and nothing else", () => {
  expect([...staticImports(join(root, "src/cli/hook/hook.ts"))].sort()).toEqual([
    "src/cli/hook/hook.ts",
    "src/home/paths.ts",
    "src/server/endpoint.ts",
  ]);
});

test("the way to the spool loads no server, no command line and no model library", () => {
  const reached = [...staticImports(join(root, "src/cli/hook/recover.ts"))];
  expect(reached).toContain("valibot");
  for (const heavy of ["elysia", "commander", "@anthropic-ai/sdk", "bun:sqlite", "node:http"]) {
    expect(reached).not.toContain(heavy);
  }
});
