// `bun run build [--all] [--only <target>] [--outdir <folder>]`: compiles the binary, for this machine or for all.
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { atomicWrite } from "../home/atomic-write.ts";
import { version } from "../home/version.ts";
import { packed } from "./packed.ts";
import { type Target, targets } from "./targets.ts";

const root = resolve(import.meta.dir, "../..");
const entries = [
  join(root, "src/cli/main.ts"),
  // What a plugin's worker runs, found by its place below src.
  join(root, "src/runtime/isolation/worker-main.ts"),
];

/**
 * `--splitting` keeps imports lazy, which the hook command's speed rests on; fewer, larger chunks make every start a
 * little faster. Without the two `--no-…-autoload`s a binary that runs inside somebody's repository would run that
 * repository's preload and read its `.env`.
 */
const flags = [
  "--compile",
  "--minify",
  "--splitting",
  "--min-chunk-size=65536",
  "--bytecode",
  "--format=esm",
  "--sourcemap",
  "--no-compile-autoload-dotenv",
  "--no-compile-autoload-bunfig",
  "--compile-autoload-package-json",
];

const { values } = parseArgs({
  options: {
    all: { type: "boolean", default: false },
    only: { type: "string", multiple: true, default: [] },
    outdir: { type: "string", default: join(root, "dist") },
  },
});
process.exitCode = await main(values.all, values.only, resolve(values.outdir));

async function main(all: boolean, only: readonly string[], outdir: string): Promise<number> {
  await mkdir(outdir, { recursive: true });
  // What the binary writes into the home for authors' own tests; it is taken in as a text.
  await atomicWrite(join(root, "src/runtime/packed.txt"), await packed());
  if (!all && only.length === 0) {
    const file = join(outdir, process.platform === "win32" ? "memoir.exe" : "memoir");
    const problem = await compile(file);
    console.log(problem === undefined ? await built(file) : `failed: ${problem}`);
    return problem === undefined ? 0 : 1;
  }
  const unknown = only.find((name) => !targets.some((target) => target.name === name));
  if (unknown !== undefined) {
    console.error(`There is no target ${unknown}; known: ${targets.map((t) => t.name).join(", ")}`);
    return 2;
  }
  const wanted = all ? targets : targets.filter(({ name }) => only.includes(name));
  const sums: string[] = [];
  for (const [index, target] of wanted.entries()) {
    const file = join(outdir, target.file);
    process.stdout.write(`[${index + 1}/${wanted.length}] ${target.name} … `);
    const problem = await compile(file, target);
    console.log(problem === undefined ? await built(file) : `skipped: ${problem}`);
    if (problem === undefined) sums.push(`${await sha256(file)}  ${target.file}\n`);
  }
  await writeFile(join(outdir, "SHA256SUMS"), sums.join(""));
  console.log(
    `${sums.length} of ${wanted.length} built; sums in ${shown(join(outdir, "SHA256SUMS"))}`,
  );
  return sums.length > 0 ? 0 : 1;
}

/** Gives what went wrong, or undefined. The binary appears in one step; maps, which it holds as well, stay behind. */
async function compile(file: string, target?: Target): Promise<string | undefined> {
  const folder = await mkdtemp(join(dirname(file), ".build-"));
  try {
    const draft = join(folder, basename(file));
    const problem = await runCompiler(draft, target);
    if (problem === undefined) await rename(draft, file);
    return problem;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runCompiler(file: string, target?: Target): Promise<string | undefined> {
  const command = [process.execPath, "build", ...flags, ...entries, "--outfile", file];
  if (target) command.push(`--target=${target.bun}`);
  const child = Bun.spawn(command, { cwd: root, stdout: "pipe", stderr: "pipe" });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code === 0) return undefined;
  const lines = `${err}\n${out}`.split("\n").map((line) => line.trim());
  return (
    lines.find((line) => /error/i.test(line)) ?? lines.find((line) => line !== "") ?? `code ${code}`
  );
}

async function built(file: string): Promise<string> {
  const megabytes = (await stat(file)).size / 1_000_000;
  return `${shown(file)} (memoir ${version}, ${megabytes.toFixed(0)} MB)`;
}

async function sha256(file: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(file))
    .digest("hex");
}

function shown(path: string): string {
  return relative(process.cwd(), path) || path;
}
