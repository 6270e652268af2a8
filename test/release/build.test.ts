// The binary as it is shipped: one file, and deaf to what lies in the folder it runs in.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { version } from "../../src/home/version.ts";

const script = resolve(import.meta.dir, "../../src/release/build.ts");
let root: string;
let binary: string;

async function run(command: string[], cwd: string, env: Record<string, string> = {}) {
  const child = Bun.spawn(command, {
    cwd,
    env: { PATH: process.env.PATH ?? "", HOME: root, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { out, err, code };
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "memoir-build-"));
  const outdir = join(root, "out");
  const { out, code } = await run([process.execPath, script, "--outdir", outdir], root);
  expect([code, out]).toEqual([0, expect.stringContaining(`memoir ${version}`)]);
  const files = await readdir(outdir);
  expect(files).toHaveLength(1);
  binary = join(outdir, files[0] ?? "");
}, 60_000);
afterAll(() => rm(root, { recursive: true, force: true }));

describe("the compiled binary", () => {
  test("runs nothing and reads nothing of a folder that means harm", async () => {
    const folder = join(root, "hostile");
    const trace = join(root, "trace");
    await mkdir(folder);
    await writeFile(join(folder, ".env"), `MEMOIR_HOME=${join(root, "stolen")}\n`);
    await writeFile(join(folder, "bunfig.toml"), 'preload = ["./preload.ts"]\n');
    await writeFile(
      join(folder, "preload.ts"),
      `await Bun.write(${JSON.stringify(trace)}, "ran");`,
    );
    const { out } = await run([binary, "config", "path"], folder);
    expect(out).toBe(`${root}/.memoir/config.json\n`);
    expect(existsSync(trace)).toBe(false);
  });

  test("names its version, and installs itself", async () => {
    const { out } = await run([binary, "version", "--json"], root);
    expect(JSON.parse(out)).toEqual({ version });
    const dry = await run([binary, "install", "--dry-run"], root);
    expect(dry.out).toContain(`Would copy ${binary} to ${root}/.memoir/bin/memoir`);
  });

  test("an unknown target is named with those there are", async () => {
    const { err, code } = await run([process.execPath, script, "--only", "amiga"], root);
    expect([code, err]).toEqual([2, expect.stringContaining("linux-x64, linux-arm64")]);
  });
});
