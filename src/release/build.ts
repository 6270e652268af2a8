// `bun run build [--all] [--only <target>] [--outdir <folder>]`: compiles the binary, for this machine, those named or all.

import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { brotliCompressSync, constants } from "node:zlib";
import type { BuildOutput, BunPlugin } from "bun";
import manifest from "../../package.json" with { type: "json" };
import { mapsFile, type SourceMaps } from "../home/describe-error.ts";
import { licensesFile } from "../home/version.ts";
import type { PackName } from "../host/packs.ts";
import { type Packed, packedTexts } from "../runtime/plugins/packed.ts";
import { withoutRemarks } from "../text/tables.ts";
import { editorDeclarations, ownModules } from "./authors.ts";
import { signAdHoc } from "./code-signing.ts";
import { type BundledPackage, filesIn, notice, packagesOf } from "./packages.ts";
import { bundlePage } from "./page.ts";
import { runScript } from "./script.ts";
import { type Target, targets, targetsNamed } from "./targets.ts";

const root = resolve(import.meta.dir, "../..");

// What a build bundles on its way to the binary: packs for authors and the page, libraries as files, source maps, licenses.

/**
 * The folder for what is bundled on the way; the caller removes it. Chunks are named after where their parts lie, so it is
 * the same place below every checkout, and one commit gives the same bytes. Waits while another build has it.
 */
async function takePartsFolder(): Promise<string> {
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
async function packSourceMaps(
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
async function packForAuthors(folder: string, files: Set<string>): Promise<BunPlugin> {
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
async function writePacked(file: string, content: unknown): Promise<void> {
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
async function keepApart(folder: string, files: Set<string>): Promise<BunPlugin> {
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

const entries = [
  join(root, "src/cli/main.ts"),
  // What threads run, found by their places below src.
  join(root, "src/runtime/isolation/worker-entry.ts"),
  join(root, "src/records/bulk-entry.ts"),
];

/**
 * What the binary's megabytes were, of 116.8 on Linux x64; it has 119.3 since it sees proxies, checks rows, goes over what is
 * stored, checks who signed a release, and knows which folders are one repository. A kilobyte of memoir's code, minified, costs
 * about three and a half:
 *
 * | MB    | what                                                                                                    |
 * | ----- | ------------------------------------------------------------------------------------------------------- |
 * | 109.2 | an empty compiled program: Bun, of which 1.8 are the zeros of a section that others would leave out      |
 * | 3.6   | memoir's bytecode, 0.2 of it what functions share; without any, every command starts 20 ms later        |
 * | 1.1   | the bytecode of those of Bun's own modules that memoir imports: node:fs and what it rests on, else 0.1   |
 * | 1.7   | memoir's code with valibot and commander, minified                                                      |
 * | 0.3   | source maps, compressed and without the sources' text: as Bun keeps them they were 2.1                   |
 * | 0.4   | what authors of plugins get, compressed: declarations of Bun and Node, memoir's modules for their tests |
 * | 0.4   | Elysia, the model providers', MCP's and RE2's libraries, compressed: as memoir's code they would be 9.5 |
 *
 * Splitting keeps imports lazy, which the hook command's speed rests on. Functions that stand in others are compiled when
 * they first run, the bodies of async ones among them: ahead of time they cost 1.9 MB and save a command 4 % of its start
 * and the server 6 %. The hook command has none of them on its way.
 *
 * What was tried and is too little for what it asks: maps without columns, 0.2 MB less; bytecode laid out by a profile of
 * starts (`bytecodeOrder`), 0.15 MB less and 1 to 2 % of a hook's processor time, but the build has to run what it builds.
 */
const bundling = {
  define: { MEMOIR_BUILD: JSON.stringify(buildName()) },
  minify: true,
  splitting: true,
  minChunkSize: 65_536,
  bytecode: true,
  bytecodeDepth: 1,
  format: "esm",
  target: "bun",
} as const;

/** Else a binary that runs inside somebody's repository would run that repository's preload and read its `.env`. */
const deaf = { autoloadDotenv: false, autoloadBunfig: false };

/** A binary to be made. */
interface Wanted {
  /** The name of its file. */
  file: string;
  /** This machine's when absent. */
  target?: Target;
}

/** Gives the plugin that leaves out the remarks of tables: they have some ten kilobytes. */
function leaveOutRemarks(): BunPlugin {
  return {
    name: "remarks",
    setup(build) {
      build.onLoad({ filter: /\/(?:rules|text|memory-files)\/[\w-]+\.txt$/ }, async ({ path }) => ({
        contents: withoutRemarks(await readFile(path, "utf8")),
        loader: "text",
      }));
    },
  };
}

/** What went into the binaries. */
export interface Built {
  packages: BundledPackage[];
  notice: string;
}

/** Compiles one after the other into `outdir`; `done` hears of each. Rejects with the first that fails. */
export async function compileAll(
  wanted: readonly Wanted[],
  outdir: string,
  done: (file: string, target?: Target) => void | Promise<void>,
): Promise<Built> {
  await mkdir(outdir, { recursive: true });
  const drafts = await mkdtemp(join(outdir, ".build-"));
  const parts = await takePartsFolder();
  try {
    const files = new Set<string>();
    const plugins = [
      await keepApart(parts, files),
      await packForAuthors(parts, files),
      leaveOutRemarks(),
    ];
    let built: Built | undefined;
    for (const { file, target } of wanted) {
      const made = await compile({ draft: join(drafts, file), parts, plugins, files, target });
      built ??= made;
      if (made.notice !== built.notice) throw new Error(`${file} holds other packages`);
      await rename(join(drafts, file), join(outdir, file));
      await done(join(outdir, file), target);
    }
    return built ?? { packages: [], notice: "" };
  } finally {
    await rm(parts, { recursive: true, force: true });
    await rm(drafts, { recursive: true, force: true });
  }
}

interface Compilation {
  /** Where it is made until it is whole: beside the finished files. */
  draft: string;
  /** Where what goes into it is. */
  parts: string;
  plugins: BunPlugin[];
  /** What the plugins bundled. */
  files: ReadonlySet<string>;
  target?: Target | undefined;
}

/**
 * Compiled twice: for the maps, and to hold them packed instead of as Bun would. Both give the same files by the same names.
 * The maps' sources are what is in the binary, so the licenses are made of them.
 */
async function compile(compilation: Compilation): Promise<Built> {
  const { draft, parts, plugins, target } = compilation;
  const compile = {
    ...deaf,
    // Else users' plugins could not resolve what they install from npm.
    autoloadPackageJson: true,
    outfile: draft,
    ...(target && { target: target.bun as Bun.Build.CompileTarget }),
  };
  const given = { ...bundling, entrypoints: entries, root: join(root, "src"), plugins };
  const files = new Set(compilation.files);
  const mapped = await Bun.build({ ...given, sourcemap: "external", compile });
  const maps = await packSourceMaps(mapped, parts, files);
  const packages = await packagesOf(files);
  const own = await readFile(join(root, "LICENSE"), "utf8");
  const built = { packages, notice: notice(packages, { own, bun: Bun.version }) };
  const licenses = join(parts, licensesFile);
  await writePacked(licenses, built.notice);
  await Bun.build({ ...given, compile: { ...compile, assets: [maps, licenses] } });
  if (target?.os === "darwin") await writeFile(draft, signAdHoc(await readFile(draft), "memoir"));
  return built;
}

/** The commit, with a digest of what was changed since; nothing where there is no repository. */
function buildName(): string {
  const git = (...args: string[]) => {
    const { exitCode, stdout } = Bun.spawnSync(["git", ...args], { cwd: root });
    return exitCode === 0 ? stdout.toString().trim() : undefined;
  };
  // A shorter name that git chooses depends on what else the clone holds.
  const commit = git("rev-parse", "HEAD")?.slice(0, 8);
  if (commit === undefined) return "";
  const changes = git("diff", "HEAD");
  if (!changes) return commit;
  return `${commit}.${createHash("sha256").update(changes).digest("hex").slice(0, 8)}`;
}

async function megabytes(file: string): Promise<string> {
  return `${((await stat(file)).size / 1_000_000).toFixed(0)} MB`;
}

async function built(file: string): Promise<string> {
  const build = JSON.parse(bundling.define.MEMOIR_BUILD);
  const version = [manifest.version, build].filter(Boolean).join("+");
  return `${shown(file)} (memoir ${version}, ${await megabytes(file)})`;
}

function shown(path: string): string {
  return relative(process.cwd(), path) || path;
}

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      all: { type: "boolean", default: false },
      only: { type: "string", multiple: true, default: [] },
      outdir: { type: "string", default: join(root, "dist") },
    },
  });
  const here = { file: process.platform === "win32" ? "memoir.exe" : "memoir" };
  const named = values.all ? targets : targetsNamed(values.only);
  const wanted = named.length > 0 ? named.map((target) => ({ file: target.file, target })) : [here];
  await compileAll(wanted, resolve(values.outdir), async (file) => console.log(await built(file)));
  return 0;
}

if (import.meta.main) await runScript(import.meta.path, main);
