// The walls that carry weight: plugins know the published entries only, src knows plugins in one table only, the contract knows nobody.
import { describe, expect, test } from "bun:test";
import { dirname, join, relative } from "node:path";
import { builtins } from "../src/runtime/builtins.ts";
import { checkPlugin } from "../src/runtime/plugins/check-plugin.ts";
import { entryNames } from "../src/runtime/plugins/packed.ts";
import { defaultSlots } from "../src/runtime/plugins/registry.ts";

const root = join(import.meta.dir, "..");
const imports =
  /(?:^|\n)\s*(?:import|export)\b[^"'`;]*?from\s*["']([^"']+)["']|(?:^|\n)\s*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/g;

/** Every relative import below a folder: who, and what file, both relative to the root. */
async function importsBelow(folder: string): Promise<Array<[string, string]>> {
  const found: Array<[string, string]> = [];
  for await (const file of new Bun.Glob("**/*.ts").scan(join(root, folder))) {
    const path = join(root, folder, file);
    const source = await Bun.file(path).text();
    for (const [, a, b, c] of source.matchAll(imports)) {
      const target = a ?? b ?? c ?? "";
      if (target.startsWith("."))
        found.push([relative(root, path), relative(root, join(dirname(path), target))]);
    }
  }
  return found;
}

const wrong = (list: Array<[string, string]>, allowed: (from: string, to: string) => boolean) =>
  list.filter(([from, to]) => !allowed(from, to)).map((pair) => pair.join(" → "));

test("the scanner sees all kinds of import", () => {
  const source =
    'import a from "./a.ts";\nimport {\n  b,\n} from "./b.ts";\nimport "./c.ts";\nexport * from "./d.ts";\nexport type { E } from "./e.ts";\nconst f = () => import("./f.ts");\n';
  expect([...source.matchAll(imports)].map(([, a, b, c]) => a ?? b ?? c)).toEqual([
    "./a.ts",
    "./b.ts",
    "./c.ts",
    "./d.ts",
    "./e.ts",
    "./f.ts",
  ]);
});

/** The index files of what plugins may import; `memoir/testing` is for their tests. */
const published = new Set(
  entryNames.filter((name) => name !== "testing").map((name) => `src/${name}/index.ts`),
);

test("a plugin imports its own files and the published entries, nothing else of ours", async () => {
  const list = await importsBelow("plugins");
  expect(list.length).toBeGreaterThan(10);
  expect(
    wrong(list, (from, to) => {
      const own = from.split("/").slice(0, 2).join("/");
      return published.has(to) || to.startsWith(`${own}/`);
    }),
  ).toEqual([]);
});

test("memoir itself imports the files it needs; only what hands the entries out knows them whole", async () => {
  const list = [...(await importsBelow("src")), ...(await importsBelow("test"))];
  expect(
    wrong(list, (from, to) => !published.has(to) || from === "src/runtime/plugins/sdk-module.ts"),
  ).toEqual([]);
});

test("only the table of built-ins imports plugins", async () => {
  const list = await importsBelow("src");
  expect(
    wrong(list, (from, to) => !to.startsWith("plugins/") || from === "src/runtime/builtins.ts"),
  ).toEqual([]);
});

test("dependencies point inward", async () => {
  const contract = ["src/sdk", "src/text"];
  const shared = [...contract, "src/privacy", "src/home", "src/provider"];
  const layers: Record<string, string[]> = {
    "src/sdk": ["src/sdk"],
    "src/host": ["src/host"],
    "src/text": ["src/text", "src/sdk/work.ts", "src/sdk/errors.ts"],
    "src/privacy": ["src/privacy", "src/home/read-file.ts", ...contract],
    "src/home": [
      "src/home",
      "src/host/sqlite.ts",
      "src/sdk/errors.ts",
      // Types alone: what a plugin says of its database.
      "src/sdk/context.ts",
      "src/sdk/within.ts",
      "package.json",
    ],
    "src/search": ["src/search", "src/host/sqlite.ts", ...contract],
    "src/records": [
      "src/records",
      "src/search",
      "src/home/database",
      "src/host/sqlite.ts",
      "src/host/write-anew.ts",
      "src/host/spawn-worker.ts",
      ...contract,
    ],
    "src/provider": [
      "src/provider",
      "src/privacy",
      "src/home/read-file.ts",
      "src/host/programs.ts",
      ...contract,
    ],
    "src/strategy": ["src/strategy", "src/privacy", "src/transcript/rewrite-index.ts", ...contract],
    "src/transcript": ["src/transcript", ...contract],
    "src/evidence": ["src/evidence", "src/privacy", "src/transcript", ...contract],
    "src/runtime": [
      "src/runtime",
      "src/evidence",
      ...shared,
      "src/transcript",
      "src/host",
      "plugins",
      "package.json",
      "node_modules/valibot/package.json",
    ],
    // Types alone: what a server says of itself.
    "src/health": [
      "src/health",
      "src/runtime",
      ...shared,
      "src/server/schemas/status.ts",
      "src/server/gateway/gateway.ts",
      "src/backfill/rebuild.ts",
    ],
    "src/testing": [
      "src/testing",
      "src/records/record-store.ts",
      "src/clients/described",
      ...shared,
      "src/runtime/hooks",
      "src/runtime/plugins",
      "src/runtime/ports.ts",
    ],
    // A client's history may be a database.
    "src/clients": [
      "src/clients",
      ...shared,
      "src/transcript",
      "src/host/sqlite.ts",
      "src/host/index.ts",
      "src/host/programs.ts",
    ],
    "src/backfill": [
      "src/backfill",
      "src/clients",
      "src/evidence",
      "src/runtime",
      "src/transcript",
      ...shared,
    ],
    // Whoever goes over all that is stored has to know every form of it.
    "src/stored": [
      "src/stored",
      "src/records",
      "src/search",
      "src/runtime",
      "src/transcript",
      "src/host",
      ...shared,
    ],
    "src/sync": [
      "src/sync",
      "src/runtime",
      "src/home",
      "src/host/sqlite.ts",
      "src/provider/keys.ts",
      ...contract,
    ],
    "src/install": ["src/install", "src/clients", "src/runtime", ...shared],
    "src/features": [
      "src/features",
      // Named there, loaded when called.
      "src/cli",
      "src/clients",
      "src/runtime/own-operation.ts",
      ...contract,
    ],
    "src/server": [
      "src/server",
      "src/features",
      "src/health",
      "src/backfill",
      "src/clients",
      "src/runtime",
      "src/host",
      "src/strategy",
      "src/sync",
      ...shared,
    ],
  };
  for (const [folder, allowed] of Object.entries(layers))
    expect(
      wrong(
        await importsBelow(folder),
        (from, to) =>
          allowed.some((wall) => to === wall || to.startsWith(`${wall}/`)) ||
          // The table of built-ins.
          (from === "src/runtime/builtins.ts" && to.startsWith("src/features/")) ||
          // It hands all of them to users' plugins.
          (from === "src/runtime/plugins/sdk-module.ts" && published.has(to)),
      ),
    ).toEqual([]);
});

test("what differs between Bun and Deno is in src/host alone; only the build needs Bun", async () => {
  const found: string[] = [];
  for (const folder of ["src", "plugins"])
    for await (const file of new Bun.Glob("**/*.ts").scan(join(root, folder))) {
      const path = `${folder}/${file}`;
      if (/^src\/(host|release)\//.test(path)) continue;
      const source = await Bun.file(join(root, path)).text();
      if (/\bBun\.\w|typeof Bun\b|["']bun(:\w+)?["']\)?;|\bDeno\.\w/.test(source)) found.push(path);
    }
  expect(found).toEqual([]);
});

describe("built-ins", () => {
  test.each(Object.keys(builtins))(
    "%s is a plugin and bears the name it is listed under",
    async (name) => {
      const plugin = checkPlugin((await builtins[name]?.())?.default, name);
      expect(plugin.name).toBe(name);
      expect(plugin.description).toMatch(/^[A-Z].*\.$/);
    },
  );

  test("every default is one of them", () => {
    const missing = Object.values(defaultSlots)
      .flat()
      .filter((name) => !(name in builtins));
    expect(missing).toEqual([]);
  });

  test("every folder of plugins, and every feature, is one of them", async () => {
    const folders = await Array.fromAsync(new Bun.Glob("*/index.ts").scan(join(root, "plugins")));
    const features = await Array.fromAsync(new Bun.Glob("*.ts").scan(join(root, "src/features")));
    const others = ["feature.ts", "memory.ts"];
    const all = [...folders, ...features.filter((name) => !others.includes(name))];
    expect(all).toHaveLength(Object.keys(builtins).length);
  });
});

/** A command's declaration names the file that does its work, which is loaded when the command is called and takes types alone from it. */
function isLoadedWhenCalled(from: string, to: string): boolean {
  const declares = (file: string) => /^src\/(?:cli\/commands|features)\//.test(file);
  return declares(from) && !declares(to);
}

test("no files import each other in a circle", async () => {
  const imported = new Map<string, string[]>();
  for (const folder of ["src", "plugins"])
    for (const [from, to] of await importsBelow(folder))
      if (!isLoadedWhenCalled(from, to)) imported.set(from, [...(imported.get(from) ?? []), to]);
  const circles: string[] = [];
  const done = new Set<string>();
  function follow(file: string, way: readonly string[]): void {
    const at = way.indexOf(file);
    if (at >= 0) circles.push([...way.slice(at), file].join(" → "));
    if (at >= 0 || done.has(file)) return;
    for (const to of imported.get(file) ?? []) follow(to, [...way, file]);
    done.add(file);
  }
  for (const file of imported.keys()) follow(file, []);
  expect(circles).toEqual([]);
});
