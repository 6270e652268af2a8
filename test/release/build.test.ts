// The binary as it is shipped: one file, and deaf to what lies in the folder it runs in.
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { version } from "../../package.json";
import { compiledBinary } from "../support/compiled.ts";
import { startModelServer } from "../support/model-server.ts";
import { outcomeOf } from "../support/outcome-of.ts";

const script = resolve(import.meta.dir, "../../src/release/build.ts");
let root: string;
let binary: string;

async function run(command: string[], cwd: string, env: Record<string, string> = {}, input = "") {
  const child = Bun.spawn(command, {
    cwd,
    env: { PATH: process.env.PATH ?? "", HOME: root, ...env },
    stdin: new Blob([input]),
    stdout: "pipe",
    stderr: "pipe",
  });
  return outcomeOf(child);
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "memoir-build-"));
  binary = await compiledBinary();
}, 180_000);
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

  test("names its version with the commit that it was built of, and installs itself", async () => {
    const { out } = await run([binary, "version", "--json"], root);
    const git = Bun.spawnSync(["git", "rev-parse", "--short=8", "HEAD"], { cwd: import.meta.dir });
    const commit = git.stdout.toString().trim();
    expect(JSON.parse(out).version).toStartWith(commit ? `${version}+${commit}` : version);
    const licenses = await run([binary, "version", "--licenses"], root);
    for (const name of ["memoir", "Bun", "elysia", "preact", "@anthropic-ai/sdk"])
      expect(licenses.out).toMatch(new RegExp(`^${name} (?:.* )?\\((?:MIT|Apache-2.0)\\)$`, "m"));
    const dry = await run([binary, "install", "--dry-run"], root);
    expect(dry.out).toContain(`Would copy ${binary} to ${root}/.memoir/bin/memoir`);
  });

  test("an error in the log names files and lines of the source", async () => {
    const home = join(root, "traces");
    await mkdir(home);
    await writeFile(join(home, "config.json"), '{ "log": { "level": "debug" } }');
    const event = { session_id: "s", hook_event_name: "SessionEnd", cwd: "/", reason: "other" };
    const input = JSON.stringify({ ...event, transcript_path: "/none.jsonl" });
    try {
      await run([binary, "start"], root, { MEMOIR_HOME: home });
      const journal = new Database(join(home, "journal.db"));
      for (const table of ["work", "events", "sessions"])
        journal.run(`ALTER TABLE ${table} RENAME TO lost_${table}`);
      journal.close();
      await run([binary, "hook", "claude-code"], root, { MEMOIR_HOME: home }, input);
    } finally {
      await run([binary, "stop"], root, { MEMOIR_HOME: home });
    }
    const log = await readFile(join(home, "logs/memoir.log"), "utf8");
    const places = [...log.matchAll(/(src\/runtime\/[\w/-]+\.ts):(\d+):\d+/g)];
    expect(places.length).toBeGreaterThan(0);
    for (const [place, file = "", line] of places) {
      const lines = (await readFile(join(import.meta.dir, "../..", file), "utf8")).split("\n");
      expect([place, lines[Number(line) - 1]]).toEqual([place, expect.stringMatching(/\(/)]);
    }
  });

  test("is at most 10.15 MB larger than an empty program: below 120 MB on Linux x64", async () => {
    const [entry, empty] = [join(root, "empty.ts"), join(root, "empty")];
    await writeFile(entry, "");
    await run([process.execPath, "build", "--compile", entry, "--outfile", empty], root);
    const [own, least] = [await stat(binary), await stat(empty)];
    expect(least.size).toBeGreaterThan(50_000_000);
    expect(own.size - least.size).toBeLessThan(10_150_000);
  });

  test("holds what authors need: a new plugin's types check, and its tests pass", async () => {
    const home = { MEMOIR_HOME: join(root, "authors") };
    await run([binary, "plugin", "new", "observation", "hello"], root, home);
    const check = await run([binary, "plugin", "check", "hello"], root, home);
    expect(check.out).toContain("✓ types");
    expect(check.out).toContain("✓ contract");
    expect(check.code).toBe(0);
    const { out, code } = await run([binary, "plugin", "test", "hello"], root, home);
    expect([code, out]).toEqual([0, expect.stringContaining("2 pass, 0 fail")]);
  }, 180_000);

  test("holds the libraries that are kept apart: models and tools answer through them", async () => {
    const home = join(root, "libraries");
    const model = startModelServer();
    const plugins = {
      anthropic: { baseURL: model.url },
      "openai-compatible": { baseURL: `${model.url}/v1`, model: "m" },
    };
    await mkdir(home);
    await writeFile(join(home, "config.json"), JSON.stringify({ plugins }));
    const keys = { anthropic: "sk-ant-x", "openai-compatible": "sk-x" };
    await writeFile(join(home, "keys.json"), JSON.stringify(keys));
    try {
      for (const name of Object.keys(plugins)) {
        const { out } = await run([binary, "provider", "test", name], root, { MEMOIR_HOME: home });
        expect(out).toStartWith(`✓ ${name}: `);
      }
      const call = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
      const tools = await run(
        [binary, "mcp"],
        root,
        { MEMOIR_HOME: home },
        `${JSON.stringify(call)}\n`,
      );
      expect(tools.out).toContain('"name":"get"');
    } finally {
      await run([binary, "stop"], root, { MEMOIR_HOME: home });
      await model.stop();
    }
  }, 180_000);

  test("an unknown target is named with those there are", async () => {
    const { err, code } = await run([process.execPath, script, "--only", "amiga"], root);
    expect([code, err]).toEqual([1, expect.stringContaining("linux-x64, linux-arm64")]);
  });
});
