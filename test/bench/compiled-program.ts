// Compiles a program with the flags of the shipped binary, to compare memoir with.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

const flags = [
  "--compile",
  "--minify",
  "--splitting",
  "--bytecode",
  "--format=esm",
  "--no-compile-autoload-dotenv",
  "--no-compile-autoload-bunfig",
];

/** Compiles `source`, hands the binary's path to `use`, and removes it. */
export async function withProgram<Value>(
  source: string,
  use: (path: string) => Promise<Value>,
): Promise<Value> {
  const folder = await mkdtemp(join(tmpdir(), "memoir-bench-program-"));
  const file = join(folder, "program.ts");
  const path = join(folder, "program");
  try {
    await writeFile(file, source);
    const command = [process.execPath, "build", ...flags, file, "--outfile", path];
    const build = Bun.spawnSync(command, { cwd: folder });
    if (build.exitCode !== 0) throw new Error(build.stderr.toString());
    return await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
