// install, status, doctor and uninstall for other clients than Claude Code, as a person runs them.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { registerAgain } from "../../../src/cli/plugins/after-change.ts";
import { status } from "../../../src/cli/server/status.ts";
import type { InstallOptions } from "../../../src/cli/setup/claude-code.ts";
import { doctor } from "../../../src/cli/setup/doctor.ts";
import { install as runInstall } from "../../../src/cli/setup/install.ts";
import {
  uninstall as runUninstall,
  type UninstallOptions,
} from "../../../src/cli/setup/uninstall.ts";
import { allAdapters } from "../../../src/clients/index.ts";
import { version } from "../../../src/home/version.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";

let root: string;
let binary: string;
let env: Record<string, string>;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "memoir-others-"));
  binary = join(root, "memoir-download");
  env = { HOME: root, MEMOIR_HOME: join(root, "home"), PATH: "/usr/bin:/bin" };
  const script = `#!/bin/sh\n[ "$1" = version ] && echo '{"version":"${version}"}' || echo "memoir 9 started (pid 1)."\n`;
  await writeFile(binary, script, { mode: 0o755 });
  process.env.MEMOIR_HOME = env.MEMOIR_HOME;
});
afterEach(async () => {
  delete process.env.MEMOIR_HOME;
  await rm(root, { recursive: true, force: true });
});

async function install(names: readonly string[], options: Partial<InstallOptions> = {}) {
  const terminal = plainTerminal({ env, cwd: root });
  const code = await runInstall(names, { scope: "user", binary, ...options }, terminal);
  return { code, out: terminal.out.join("\n").replaceAll(root, "ROOT") };
}
async function uninstall(names: readonly string[], options: UninstallOptions = { yes: true }) {
  const terminal = plainTerminal({ env, cwd: root });
  const code = await runUninstall(names, options, terminal);
  return { code, out: terminal.out.join("\n").replaceAll(root, "ROOT") };
}
async function said(command: typeof status | typeof doctor) {
  const terminal = plainTerminal({ env, cwd: root });
  await command({}, terminal);
  return terminal.out.join("\n").replaceAll(root, "ROOT");
}
async function statusInJson() {
  const terminal = plainTerminal({ env, cwd: root });
  await status({ json: true }, terminal);
  return JSON.parse(terminal.out.join("\n").replaceAll(root, "ROOT"));
}
const qwenSettings = () => join(root, ".qwen/settings.json");
const claudeSettings = () => join(root, ".claude/settings.json");
const read = (path: string) => readFile(path, "utf8");

test("a client alone: its hooks and tools, and nothing of Claude Code's", async () => {
  const { code, out } = await install(["qwen"]);
  expect([code, out]).toEqual([
    0,
    expect.stringContaining("✓ Qwen Code: ROOT/.qwen/settings.json"),
  ]);
  const { hooks, mcpServers } = JSON.parse(await read(qwenSettings()));
  expect(Object.keys(hooks)).toEqual(expect.arrayContaining(["SessionStart", "PostToolUse"]));
  expect(hooks.Stop[0].hooks[0].command).toEndWith(`memoir" hook qwen --home "${root}/home"`);
  expect(mcpServers.memoir).toEqual({
    command: join(root, "home/bin/memoir"),
    args: ["mcp"],
    env: { MEMOIR_HOME: join(root, "home") },
  });
  expect(existsSync(claudeSettings())).toBe(false);
  expect(await said(status)).toContain("clients   Qwen Code");
  expect(out).toContain("Work in Qwen Code as usual; the next session knows");
  const told = await said(doctor);
  expect(told).toContain("✓ qwen      Qwen Code: ROOT/.qwen/settings.json");
  expect(told).toContain(
    "✓ hooks     for other clients; `memoir install` adds memoir to Claude Code",
  );
  expect(told).not.toMatch(/not told to run memoir|no memoir tools|SKILL\.md|`claude` is not/);
});

test("without names it is Claude Code, and who else is here is said", async () => {
  await mkdir(join(root, ".factory"));
  const { out } = await install([]);
  expect(existsSync(claudeSettings())).toBe(true);
  expect(out).toContain("Also on this machine: Factory droid; `memoir install droid` adds memoir");
  expect(await said(doctor)).toContain("also here: Factory droid without memoir");
  expect(await said(status)).not.toContain("clients");
  expect((await statusInJson()).clients).toEqual([]);
});

test("all: every client that is here, and no other", async () => {
  await mkdir(join(root, ".factory"));
  const { out } = await install([], { all: true });
  expect(out).toContain("Factory droid: ROOT/.factory/settings.json, ROOT/.factory/mcp.json");
  expect([existsSync(claudeSettings()), existsSync(qwenSettings())]).toEqual([true, false]);
  expect(out).not.toContain("Also on this machine");
});

test("a dry run shows each file and changes none", async () => {
  const { code, out } = await install(["claude-code", "qwen"], { dryRun: true });
  expect(code).toBe(0);
  expect(out).toContain("ROOT/.claude/settings.json");
  expect(out).toContain("ROOT/.qwen/settings.json");
  expect(out).toContain('"mcpServers"');
  expect([existsSync(qwenSettings()), existsSync(claudeSettings())]).toEqual([false, false]);
  const alone = await install(["qwen"], { dryRun: true, json: true });
  expect(JSON.parse(alone.out).clients).toEqual([
    expect.objectContaining({
      client: "qwen",
      files: [{ path: "ROOT/.qwen/settings.json", changed: true }],
    }),
  ]);
});

test("one client that cannot be changed does not keep the other from being registered", async () => {
  await mkdir(join(root, ".qwen"));
  await writeFile(qwenSettings(), "{ broken");
  const { code, out } = await install(["qwen", "droid"], { json: true });
  const [qwen, droid] = JSON.parse(out).clients;
  expect([code, qwen.problem, droid.problem]).toEqual([
    1,
    expect.stringContaining("not valid JSON"),
    null,
  ]);
  expect(await read(qwenSettings())).toBe("{ broken");
  expect(existsSync(join(root, ".factory/settings.json"))).toBe(true);
});

test("a client that could not be registered is not said to remember from now on", async () => {
  await mkdir(join(root, ".qwen"));
  await writeFile(qwenSettings(), "{ broken");
  const { out } = await install(["qwen", "droid"]);
  expect(out).toContain("Work in Factory droid as usual;");
  const alone = await install(["qwen"]);
  expect([alone.code, alone.out]).toEqual([1, expect.stringContaining("No client runs memoir")]);
  expect(alone.out).not.toContain("as usual");
  expect((await install(["claude-code", "qwen"])).out).toContain("Work in Claude Code as usual;");
});

test("what is no file in a settings file's place is named, with what helps", async () => {
  await mkdir(qwenSettings(), { recursive: true });
  await mkdir(join(root, ".factory"));
  await symlink("settings.json", join(root, ".factory/settings.json"));
  const { code, out } = await install(["qwen", "droid"], { json: true });
  const fix = "Put a plain file that you may read in its place, then run the command again.";
  const problems = JSON.parse(out).clients.map(({ problem }: { problem: string }) => problem);
  expect([code, ...problems]).toEqual([
    ...[1, `ROOT/.qwen/settings.json cannot be read: it is no regular file. ${fix}`],
    `ROOT/.factory/settings.json is a link that leads nowhere. ${fix}`,
  ]);
});

test("an unknown client is refused with the known ones", async () => {
  await expect(install(["emacs"])).rejects.toMatchObject({
    code: "usage",
    fix: expect.stringContaining("qwen"),
  });
  await expect(uninstall(["emacs"])).rejects.toMatchObject({ code: "usage" });
});

test("uninstall of one leaves the others, uninstall gives every file back", async () => {
  await mkdir(join(root, ".qwen"));
  await writeFile(qwenSettings(), '{ "theme" : "dark" }');
  await install(["claude-code", "qwen", "droid"]);
  const { out } = await uninstall(["droid"]);
  expect(out).toContain("ROOT/.factory/settings.json: removed: install created it");
  expect(existsSync(join(root, ".factory"))).toBe(false);
  const nothing = "settings: nothing of memoir in them";
  expect(out).not.toContain(nothing);
  expect((await uninstall(["droid"])).out).toContain(nothing);
  expect(existsSync(join(root, "home/bin/memoir"))).toBe(true);
  expect(JSON.parse(await read(qwenSettings())).hooks).toBeObject();
  await expect(uninstall(["qwen"], { yes: true, deleteMemory: true })).rejects.toMatchObject({
    code: "usage",
  });
  const all = await uninstall([]);
  expect(all.out).toContain("ROOT/.qwen/settings.json: restored byte for byte");
  expect(await read(qwenSettings())).toBe('{ "theme" : "dark" }');
  expect(existsSync(claudeSettings())).toBe(false);
  expect(existsSync(join(root, "home/install-clients.json"))).toBe(false);
});

test("folders that install made go with a file that somebody changed in between", async () => {
  await install(["pi"]);
  const extension = join(root, ".pi/agent/extensions/memoir.js");
  await writeFile(extension, `${await read(extension)}// mine\n`);
  await install(["pi"]);
  expect(await read(extension)).not.toContain("// mine");
  await uninstall([]);
  expect(existsSync(join(root, ".pi"))).toBe(false);
});

test("uninstall of Claude Code alone leaves the program and the others", async () => {
  await install(["claude-code", "qwen"]);
  await uninstall(["claude-code"]);
  expect(existsSync(claudeSettings())).toBe(false);
  expect(await read(join(root, ".claude.json")).catch(() => "")).not.toContain("memoir");
  expect(JSON.parse(await read(qwenSettings())).hooks).toBeObject();
});

test("doctor says what somebody took out, and install puts it back", async () => {
  await install(["qwen"]);
  const { mcpServers: _, ...rest } = JSON.parse(await read(qwenSettings()));
  await writeFile(qwenSettings(), JSON.stringify(rest));
  const told = await said(doctor);
  expect(told).toContain("✗ qwen      Qwen Code: MCP server in ROOT/.qwen/settings.json: missing");
  expect(told).toContain("fix: Run `memoir install qwen`.");
  expect(await said(status)).toContain("clients   Qwen Code (see `memoir doctor`)");
  await install(["qwen"]);
  expect(await said(doctor)).toContain("✓ qwen");
});

test("clients that only get the tools: what is said of them, and of those beside them", async () => {
  const alone = await install(["kiro"]);
  expect(alone.out).toContain("In Kiro your agent can now look up what other agents did");
  const { out } = await install(["claude-code", "pi", "kiro"]);
  expect(out).toContain("Work in Claude Code and pi as usual;");
  await writeFile(
    join(root, ".kiro/steering/memoir.md"),
    "# Memory of earlier sessions (memoir)\n",
  );
  expect((await statusInJson()).clients).toEqual([
    {
      ...{ client: "pi", title: "pi", whole: true },
      files: ["ROOT/.pi/agent/extensions/memoir.js"],
    },
    {
      ...{ client: "kiro", title: "Kiro", whole: false },
      files: ["ROOT/.kiro/settings/mcp.json", "ROOT/.kiro/steering/memoir.md"],
    },
  ]);
  await uninstall([]);
  expect([".pi", ".kiro"].map((folder) => existsSync(join(root, folder)))).toEqual([false, false]);
});

test("another client's history is offered too", async () => {
  const own = join(root, ".pi/agent/sessions/--shop--");
  await mkdir(own, { recursive: true });
  await writeFile(join(own, "2026-11-22T22-56-58-337Z_01a2.jsonl"), "{}\n");
  expect((await install(["pi"])).out).toContain("Import old sessions  ");
});

test("what a plugin needs from now on is told to every client that is registered", async () => {
  await install(["qwen", "pi", "kiro"]);
  const extension = join(root, ".pi/agent/extensions/memoir.js");
  const [hooks, text] = await Promise.all([read(qwenSettings()), read(extension)]);
  // As an install of before has left them.
  await writeFile(qwenSettings(), hooks.replace('"SessionStart"', '"Elsewhere"'));
  await writeFile(extension, text.replace('"SessionStart":', '"Elsewhere":'));
  const changed = await registerAgain(plainTerminal({ env, cwd: root }));
  expect(changed.toSorted()).toEqual([extension, qwenSettings()].toSorted());
  expect(Object.keys(JSON.parse(await read(qwenSettings())).hooks)).toContain("SessionStart");
  expect(await read(extension)).toBe(text);
  expect(await registerAgain(plainTerminal({ env, cwd: root }))).toEqual([]);
});

/** Every file below the root with its text, and every folder; without memoir's own home. */
async function tree(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (path.startsWith(env.MEMOIR_HOME ?? "")) continue;
    found[path] = entry.isFile() ? await read(path) : "a folder";
  }
  return found;
}

test("all clients at once: each gets memoir, and every file and folder is as it was afterwards", async () => {
  const registered = (await allAdapters()).flatMap(({ registration }) => registration ?? []);
  const place = { env, binary, home: undefined, command: "", events: new Map() };
  const texts = { json: '{ "mine" : [1 ,2] }', toml: 'mine = "x"\n# c', md: "Use tabs." };
  for (const { folder, files } of registered) {
    await mkdir(folder(env), { recursive: true });
    for (const { path, parts } of files(place)) {
      const text = texts[path.split(".").at(-1) as keyof typeof texts];
      if (text === undefined || parts.some(({ kind }) => kind === "whole")) continue;
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    }
  }
  const before = await tree();
  const { code, out } = await install([], { all: true });
  expect([code, out]).toEqual([0, expect.stringContaining("Roo Code: ")]);
  const { clients } = await statusInJson();
  expect(clients.map(({ whole }: { whole: boolean }) => whole)).toEqual(registered.map(() => true));
  expect(await tree()).not.toEqual(before);
  await uninstall([]);
  expect(await tree()).toEqual(before);
});
