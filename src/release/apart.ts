// Keeps what few starts need out of the program's bytecode: a library becomes one compressed file in the binary, a module of Bun's own stays only there.
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { BunPlugin } from "bun";

const root = resolve(import.meta.dir, "../..");
const loader = join(root, "src/host/load-apart.ts");

/** Loaded whole at their first import: no hook waits for them, and but for Elysia no start does. */
const librariesApart: readonly string[] = [
  "@anthropic-ai/sdk",
  "@modelcontextprotocol/server",
  "@valibot/to-json-schema",
  "elysia",
  "openai",
  "re2js",
];

/** Our own, where it is data and rests on nothing else of ours: as code every kilobyte of it would cost five. */
const dataApart = ["src/cli/setup/demo/session.json", "plugins/context-handover/labels.ts"];

/** What starts other programs rests on half a megabyte of sockets and terminals; few commands need it. */
const spawning = "node:child_process";
const spawningImport = new RegExp(`(?<=\\bfrom )(["'])${spawning}\\1`, "g");
const spawningApart = "memoir:child_process";

/** Bundles the libraries into `folder`, and gives the plugin that hands their importers what was bundled. */
export async function keepApart(folder: string): Promise<BunPlugin> {
  const modules = await Promise.all(
    [...librariesApart, ...dataApart.map((path) => join(root, path))].map(async (name, at) => {
      const entry = Bun.resolveSync(name, root);
      const file = join(folder, `library-${at}.zst`);
      await writeFile(file, Bun.zstdCompressSync(await bundled(entry), { level: 22 }));
      return [entry, handOn(file, Object.keys(await import(entry)))] as const;
    }),
  );
  const contents = new Map(modules);
  return {
    name: "apart",
    setup(build) {
      build.onLoad({ filter: /\.(?:[cm]?[jt]s|json)$/ }, async ({ path, loader }) => {
        const library = contents.get(path);
        if (library !== undefined) return { contents: library, loader: "js" };
        if (path.endsWith(".json")) return undefined;
        // A plugin is not asked about the names of Bun's own modules.
        const text = (await readFile(path, "utf8")).replace(spawningImport, `"${spawningApart}"`);
        return { contents: text, loader };
      });
      build.onResolve({ filter: new RegExp(`^${spawningApart}$`) }, ({ path }) => ({
        path,
        namespace: "apart",
      }));
      build.onLoad({ filter: /./, namespace: "apart" }, () => ({
        contents: lazySpawning,
        loader: "js",
      }));
    },
  };
}

/** Asks for the module at the first call. A name that is not here fails the build. */
const lazySpawning = `
export const spawn = (...given) => process.getBuiltinModule("${spawning}").spawn(...given);
export const execFile = (...given) => process.getBuiltinModule("${spawning}").execFile(...given);
export default { spawn, execFile };
`;

async function bundled(entry: string): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [entry],
    target: "bun",
    format: "esm",
    minify: true,
    // Elysia asks for it to look into uploaded files, which memoir does not take.
    external: ["file-type"],
  });
  const [output, ...others] = outputs;
  if (!output || others.length > 0) throw new Error(`${entry} could not be bundled into one file`);
  return output.text();
}

/** A module with the library's exports, which loads the library itself from `file`. */
function handOn(file: string, names: readonly string[]): string {
  const lines = names.map((name, at) =>
    name === "default"
      ? "export default library.default;"
      : `const _${at} = library.${name}; export { _${at} as ${name} };`,
  );
  return [
    `import { loadApart } from ${JSON.stringify(loader)};`,
    `import file from ${JSON.stringify(file)} with { type: "file" };`,
    "const library = await loadApart(file);",
    ...lines,
  ].join("\n");
}
