// What a build bundles on its way to the binary: packs for authors and the page, libraries as files, source maps, licenses.

import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import process from "node:process";
import { brotliCompressSync, constants } from "node:zlib";
import type { BuildOutput, BunPlugin } from "bun";
import { mapsFile, type SourceMaps } from "../home/describe-error.ts";
import type { PackName } from "../host/packs.ts";
import { type Packed, packedTexts } from "../runtime/plugins/packed.ts";
import { editorDeclarations, ownModules } from "./authors.ts";
import { filesIn } from "./packages.ts";
import { bundlePage } from "./page.ts";

const root = resolve(import.meta.dir, "../..");

/**
 * The folder for what is bundled on the way; the caller removes it. Chunks are named after where their parts lie, so it is
 * the same place below every checkout, and one commit gives the same bytes. Waits while another build has it.
 */
export async function takePartsFolder(): Promise<string> {
  const folder = join(root, "node_modules/.memoir-build");
  const owner = join(folder, "pid");
  for (;;) {
    const isMine = await mkdir(folder).then(
      () => true,
      () => false,
    );
    if (isMine) {
      await writeFile(owner, String(process.pid));
      return folder;
    }
    const pid = Number(await readFile(owner, "utf8").catch(() => "0"));
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Date.now() }));
    const isLeftOver = pid === 0 ? Date.now() - mtimeMs > 10_000 : !isAlive(pid);
    if (isLeftOver) await rm(folder, { recursive: true, force: true });
    else await Bun.sleep(100);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

// The maps that a build left, as one file in the binary: `src/home/describe-error.ts` reads them.

/**
 * Writes the maps into `folder`, and gives the file; `sourceFiles` gets their names. Without the sources' text: places
 * need files, lines and columns.
 */
export async function packSourceMaps(
  built: BuildOutput,
  folder: string,
  sourceFiles: Set<string>,
): Promise<string> {
  const files = built.outputs.filter(({ kind }) => kind === "sourcemap");
  const maps = await Promise.all(
    files.map(async (file): Promise<[string, SourceMaps[string]]> => {
      const { sources, mappings } = await file.json();
      for (const source of sources) sourceFiles.add(source);
      return [basename(file.path, ".map"), { version: 3, sources, names: [], mappings }];
    }),
  );
  const packed = join(folder, mapsFile);
  await writePacked(packed, Object.fromEntries(maps));
  return packed;
}

// Packs what the binary holds for authors of plugins and for the page: `src/host/packs.ts` reads it back.

/** Writes the packs into `folder`, and gives the plugin that finds them there; `files` gets the names of what was bundled. */
export async function packForAuthors(folder: string, files: Set<string>): Promise<BunPlugin> {
  const authors: Packed = { modules: await ownModules(files), ...(await packedTexts()) };
  await write(folder, "authors", authors);
  await write(folder, "editor", await editorDeclarations(files));
  await write(folder, "page", await bundlePage(files));
  return {
    name: "packs",
    setup(build) {
      build.onResolve({ filter: /\/packs\/\w+\.br$/ }, ({ path }) => ({
        path: join(folder, basename(path)),
      }));
    },
  };
}

async function write(folder: string, name: PackName, content: unknown): Promise<void> {
  await writePacked(join(folder, `${name}.br`), content);
}

/** Writes the value as JSON, as small as it can be. */
export async function writePacked(file: string, content: unknown): Promise<void> {
  const json = Buffer.from(JSON.stringify(content));
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: json.length,
  };
  await writeFile(file, brotliCompressSync(json, { params }));
}

// Keeps what few starts need out of the program's bytecode: a library becomes one compressed file in the binary, a module of Bun's own stays only there.

const loader = join(root, "src/host/load-apart.ts");

/** Loaded whole at their first import: no hook waits for them, and but for Elysia no start does. */
export const librariesApart: readonly string[] = [
  "@anthropic-ai/sdk",
  "@modelcontextprotocol/server",
  "@valibot/to-json-schema",
  "age-encryption",
  "elysia",
  "openai",
  "postgres",
  "re2js",
];

/** Our own, where it is data and rests on nothing else of ours: as code every kilobyte of it would cost five. */
const dataApart = ["src/cli/setup/demo/session.json"];

/** What starts other programs rests on half a megabyte of sockets and terminals; few commands need it. */
const spawning = "node:child_process";
const spawningImport = new RegExp(`(?<=\\bfrom )(["'])${spawning}\\1`, "g");
const spawningApart = "memoir:child_process";

/** Bundles the libraries into `folder`, and gives the plugin that hands their importers what was bundled; `files` gets its names. */
export async function keepApart(folder: string, files: Set<string>): Promise<BunPlugin> {
  const modules = await Promise.all(
    [...librariesApart, ...dataApart.map((path) => join(root, path))].map(async (name, at) => {
      const entry = Bun.resolveSync(name, root);
      const file = join(folder, `library-${at}.zst`);
      await writeFile(file, Bun.zstdCompressSync(await bundled(entry, files), { level: 22 }));
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

async function bundled(entry: string, files: Set<string>): Promise<string> {
  const { outputs, metafile } = await Bun.build({
    entrypoints: [entry],
    target: "bun",
    format: "esm",
    minify: true,
    // Elysia asks for it to look into uploaded files, which memoir does not take.
    external: ["file-type"],
    metafile: true,
  });
  for (const file of metafile ? filesIn(metafile) : []) files.add(file);
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
