// `bun run build [--all] [--only <target>] [--outdir <folder>]`: compiles the binary, for this machine, those named or all.

import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import type { BunPlugin } from "bun";
import manifest from "../../package.json" with { type: "json" };
import { licensesFile } from "../home/version.ts";
import { signAdHoc } from "./code-signing.ts";
import { type BundledPackage, notice, packagesOf } from "./packages.ts";
import {
  keepApart,
  packForAuthors,
  packSourceMaps,
  takePartsFolder,
  writePacked,
} from "./parts.ts";
import { runScript } from "./script.ts";
import { type Target, targets, targetsNamed } from "./targets.ts";

const root = resolve(import.meta.dir, "../..");
const entries = [
  join(root, "src/cli/main.ts"),
  // What a plugin's worker runs, found by its place below src.
  join(root, "src/runtime/isolation/worker-entry.ts"),
];

/**
 * What the binary's megabytes were, of 116.8 on Linux x64; it has 117.8 since it sees proxies, checks rows, goes over what is
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
    const plugins = [await keepApart(parts, files), await packForAuthors(parts, files)];
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
