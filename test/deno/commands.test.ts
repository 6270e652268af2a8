// The command itself under Deno, as a user of the source runs it: every hook is taken or kept, and each kind of command does its work.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { outcomeOf } from "../support/outcome-of.ts";
import { deno, denoEnv } from "./deno.ts";
import { miniSession } from "./mini-session.ts";

const root = resolve(import.meta.dirname, "../..");
const answered = 60_000;

let folder = "";
let home = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-deno-"));
  home = join(folder, "home");
  await mkdir(home);
  // Else the first server compiles its source for longer than anybody waits.
  await underDeno(["cache", main]);
}, answered);
afterAll(async () => {
  await memoir(["server", "stop"]);
  await rm(folder, { recursive: true, force: true });
}, answered);

const main = join(root, "src/cli/main.ts");
const memoir = (args: readonly string[], stdin = "", env: Record<string, string> = {}) =>
  underDeno(["run", "-A", "--no-prompt", main, ...args], stdin, env);

async function underDeno(args: readonly string[], stdin = "", env: Record<string, string> = {}) {
  const child = Bun.spawn([deno, ...args], {
    cwd: folder,
    env: denoEnv(folder, { MEMOIR_HOME: home, ...env }),
    stdin: new Blob([stdin]),
    stdout: "pipe",
    stderr: "pipe",
  });
  return outcomeOf(child);
}

const quiet = { code: 0, out: "", err: "" };
const hook = (payload: object, env?: Record<string, string>) =>
  memoir(["hook", "claude-code"], JSON.stringify(payload), env);

/** Hooks wait for Deno to compile the source, and for the other work of this machine. */
async function patience(): Promise<void> {
  const names = ["SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SessionEnd"];
  const deadlines = Object.fromEntries(names.map((name) => [name, 30_000]));
  await writeFile(join(home, "hook.json"), JSON.stringify(deadlines));
}

const spooled = async () =>
  (await readdir(join(home, "spool")).catch(() => [])).filter((name) => name.endsWith(".json"));

test(
  "a hook without a server keeps its event in the spool, and the server that starts takes it in",
  async () => {
    const [, , failure] = miniSession(folder);
    // Somebody is starting the server: this hook starts none.
    await writeFile(join(home, "server.starting"), "1");
    expect(await hook(failure ?? {})).toEqual(quiet);
    expect(await spooled()).toHaveLength(1);
    await rm(join(home, "server.starting"));

    expect(await memoir(["server", "start"])).toMatchObject({ code: 0 });
    const status = await memoir(["status", "--json"]);
    expect(status.code).toBe(0);
    expect(JSON.parse(status.out)).toMatchObject({ running: true });
    expect(await spooled()).toEqual([]);
    expect(status.out).toContain('"event:PostToolUseFailure":1');
  },
  answered * 3,
);

test(
  "hooks hand a session to the server, and it is found",
  async () => {
    await patience();
    for (const payload of miniSession(folder)) {
      const { code, err } = await hook(payload);
      expect([code, err]).toEqual([0, ""]);
    }
    expect(await spooled()).toEqual([]);
    let found = "";
    for (let tries = 0; tries < 10 && !found.includes("src/greet.ts"); tries++)
      found = (await memoir(["search", "greeting", "tests", "--json"])).out;
    expect(found).toContain("src/greet.ts");
    const next = await hook({ ...miniSession(folder)[0], session_id: "another" });
    expect(next.out).toContain("src/greet.ts");
  },
  answered * 3,
);

test(
  "a hook reaches the server over TCP where a socket will not do",
  async () => {
    const long = join(folder, "h".repeat(110));
    await mkdir(long);
    expect(await memoir(["server", "start"], "", { MEMOIR_HOME: long })).toMatchObject({ code: 0 });
    await copyFile(join(home, "hook.json"), join(long, "hook.json"));
    const [, prompt] = miniSession(folder);
    expect((await hook(prompt ?? {}, { MEMOIR_HOME: long })).code).toBe(0);
    const { out } = await memoir(["status", "--json"], "", { MEMOIR_HOME: long });
    expect(out).toContain('"event:UserPromptSubmit":1');
    expect(await memoir(["server", "stop"], "", { MEMOIR_HOME: long })).toMatchObject({ code: 0 });
  },
  answered * 3,
);

test(
  "doctor looks at everything, and install says what hooks need",
  async () => {
    const checked = await memoir(["doctor"]);
    expect(checked.out).toContain("✓ server");
    expect(checked.err).toBe("");
    const refused = await memoir(["install", "--yes"]);
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining("hooks need the compiled binary"),
    ]);
    const binary = join(folder, "memoir-built");
    await writeFile(binary, `#!/bin/sh\necho '{"version":"0.1.0"}'\n`, { mode: 0o755 });
    const installed = await memoir(["install", "--yes", "--binary", binary]);
    expect([installed.code, installed.err]).toEqual([0, ""]);
    const settings = await readFile(join(folder, ".claude/settings.json"), "utf8");
    expect(settings).toContain("hook claude-code");
  },
  answered * 2,
);

test(
  "plugin test runs the promises and the author's own tests",
  async () => {
    const plugins = join(home, "plugins");
    await mkdir(plugins, { recursive: true });
    const example = join(root, "test/examples/customer-redactor.ts");
    await copyFile(example, join(plugins, "customer-redactor.ts"));
    const own = `import assert from "node:assert/strict";
import { test } from "node:test";
import redactor from "./customer-redactor.ts";
test("has a name", () => assert.equal(redactor.name, "customer-redactor"));
`;
    await writeFile(join(plugins, "customer-redactor.test.ts"), own);
    const tested = await memoir(["plugin", "test", "customer-redactor"]);
    expect(tested).toMatchObject({ code: 0, err: "" });
    expect(tested.out).toMatch(/promises of capture: \d+ kept/);
    expect(tested.out).toContain("its own tests: 1 pass, 0 fail");

    await writeFile(
      join(plugins, "customer-redactor.test.ts"),
      own.replace("(redactor.name", "(redactor.sdk"),
    );
    expect(await memoir(["plugin", "test", "customer-redactor"])).toMatchObject({ code: 1 });
  },
  answered * 2,
);
