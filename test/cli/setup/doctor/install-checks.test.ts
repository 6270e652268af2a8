// Whether memoir is installed, as the doctor sees it: the binary, and the hooks in the settings that count here.
import { expect, test } from "bun:test";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  checkBinary,
  checkRelease,
  claudeCodeChecks,
  clientFinding,
} from "../../../../src/cli/setup/doctor/install-checks.ts";
import { setupOf, wantedRegistration } from "../../../../src/cli/setup/setup.ts";
import { checked } from "../../../../src/health/check.ts";
import { keepSeen } from "../../../../src/home/seen-releases.ts";
import { version } from "../../../../src/home/version.ts";
import { putSkill, skillPath, skillRecordPath } from "../../../../src/install/agent-tools.ts";
import { textHash, writeLedger } from "../../../../src/install/file-change.ts";
import { withHooks } from "../../../../src/install/settings.ts";
import { inFolder } from "../../../support/in-folder.ts";
import { plainTerminal } from "../../../support/plain-terminal.ts";

/** A home with a binary that says it is of `says`, and what the doctor says about it. */
function withHome(
  work: (room: {
    binary(says: string, mode?: number): Promise<void>;
    /** Writes settings of a scope, with our hooks but those left out, and `more`. */
    settings(scope: "user" | "project", leftOut?: string[], more?: object): Promise<string>;
    /** What a check says; the folder is the project's unless told. */
    said(name: string, cwd?: string): Promise<string[]>;
    folder: string;
    home: string;
    path: string;
  }) => Promise<void>,
): Promise<void> {
  return inFolder(async (folder) => {
    const home = join(folder, ".memoir");
    const cwd = join(folder, "shop");
    const terminal = plainTerminal({ cwd, env: { HOME: folder } });
    const setup = setupOf(terminal);
    const put = async (path: string, text: string) => {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
      return path;
    };
    await work({
      home,
      path: setup.binary,
      async binary(says, mode = 0o755) {
        await put(setup.binary, `#!/bin/sh\necho '{"version":"${says}"}'\n`);
        await chmod(setup.binary, mode);
      },
      async settings(scope, leftOut = [], more = {}) {
        const path = join(scope === "user" ? folder : cwd, ".claude", "settings.json");
        const { wanted } = await wantedRegistration(setup, terminal);
        const kept = new Map([...wanted].filter(([event]) => !leftOut.includes(event)));
        return put(path, withHooks(JSON.stringify(more), kept, path));
      },
      async said(name, at = cwd) {
        const asked = { setup, terminal: { ...terminal, cwd: at } };
        const found = await checked(
          { binary: checkBinary, release: checkRelease, ...claudeCodeChecks },
          asked,
        );
        return found
          .filter((one) => one.name === name)
          .map(({ state, message }) => `${state} ${message}`);
      },
      folder,
    });
  });
}

test("a newer release that the daily look saw is said, while it is asked for", () =>
  withHome(async ({ home, said }) => {
    await mkdir(home);
    const daily = (on: boolean) =>
      writeFile(join(home, "config.json"), JSON.stringify({ upgrade: { daily: on } }));
    const found: string[][] = [];
    for (const [newest, on] of [
      ["9.0.0", true],
      ["9.0.0", false],
      ["0.0.1", true],
      [version.replace(/\+.*/, ""), true],
    ] as const) {
      await daily(on);
      await keepSeen(home, { newest: { version: newest } });
      found.push(await said("release"));
    }
    const line = "ok memoir 9.0.0 is available; `memoir upgrade` installs it";
    expect(found).toEqual([[line], [], [], []]);
  }));

test("the binary: there and of this version, of another, not to be run, or missing", () =>
  withHome(async ({ binary, said, path }) => {
    const missing = [`fail ${path} is missing or cannot be run`];
    expect(await said("binary")).toEqual(missing);
    await binary(version);
    expect(await said("binary")).toEqual([`ok ${path} (memoir ${version})`]);
    await binary("0.0.1");
    expect(await said("binary")).toEqual([
      `warn ${path} is memoir 0.0.1, this is memoir ${version}`,
    ]);
  }));

test("hooks that are all there, once, and call a binary that is there, are well", () =>
  withHome(async ({ binary, settings, said }) => {
    await binary(version);
    const path = await settings("user");
    const [only = "", ...others] = await said("hooks");
    expect(others).toEqual([]);
    expect(only).toMatch(/^ok \d+ events in /);
    expect(only).toEndWith(path);
  }));

test("in the user's own folder the same settings are not taken for two", () =>
  withHome(async ({ binary, settings, said, folder }) => {
    await binary(version);
    await settings("user");
    const [only = "", ...others] = await said("hooks", folder);
    expect(others).toEqual([]);
    expect(only).toMatch(/^ok \d+ events in /);
  }));

test("hooks that are nowhere, or for another folder alone", () =>
  withHome(async ({ said, home }) => {
    expect(await said("hooks")).toEqual(["fail memoir is not registered with Claude Code"]);
    await mkdir(home, { recursive: true });
    const before = { state: "absent" as const, folders: [] };
    const entry = { scope: "project", settings: "/w/blog/.claude/settings.json" } as const;
    await writeLedger(home, [{ ...entry, before, written: "x" }]);
    expect(await said("hooks")).toEqual([
      "warn registered in /w/blog/.claude/settings.json, and not for this folder",
    ]);
  }));

test("an event that is missing is named", () =>
  withHome(async ({ binary, settings, said }) => {
    await binary(version);
    await settings("user", ["Stop", "PostToolUse"]);
    const [only = ""] = await said("hooks");
    expect(only).toStartWith("fail not the events that plugins need: missing ");
    expect(only.match(/\b(?:Stop|PostToolUse)\b/g)?.sort()).toEqual(["PostToolUse", "Stop"]);
  }));

test("hooks in two settings that both count run twice", () =>
  withHome(async ({ binary, settings, said }) => {
    await binary(version);
    const [user, project] = [await settings("user"), await settings("project")];
    const [only = ""] = await said("hooks");
    expect(only).toMatch(/^fail \w+ is registered more than once, in /);
    expect([only.includes(user), only.includes(project)]).toEqual([true, true]);
  }));

test("hooks that call a binary that is gone, and a switch that turns all hooks off", () =>
  withHome(async ({ settings, said, path }) => {
    const file = await settings("user", [], { disableAllHooks: true });
    expect(await said("hooks")).toEqual([
      `fail Claude Code runs no hook at all: ${file} says "disableAllHooks": true`,
      `fail hooks call ${path}, which is not there to be run`,
    ]);
  }));

test("the tools: nowhere, for the user or this project, another binary's, somebody else's, or the plugin's", () =>
  withHome(async ({ said, folder, path }) => {
    const file = join(folder, ".claude.json");
    const server = { memoir: { type: "stdio", command: path, args: ["mcp"] } };
    const cwd = join(folder, "shop");
    const rows: Array<[object, string]> = [
      [{}, "warn the agent has no memoir tools (MCP)"],
      [{ mcpServers: server }, `ok MCP server in ${file}`],
      [{ projects: { [cwd]: { mcpServers: server } } }, `ok MCP server in ${file}`],
      [
        { projects: { "/code/other": { mcpServers: server } } },
        "warn the agent has no memoir tools (MCP)",
      ],
      [
        { mcpServers: { memoir: { command: "/old/memoir", args: ["mcp"] } } },
        `warn the MCP server in ${file} runs /old/memoir, not ${path}`,
      ],
      [
        { mcpServers: { memoir: { type: "http", url: "https://memoir.example" } } },
        `warn ${file} has another MCP server named memoir`,
      ],
    ];
    for (const [state, wanted] of rows) {
      await writeFile(file, JSON.stringify(state));
      expect(await said("tools")).toEqual([wanted]);
    }
    await mkdir(join(folder, ".claude"), { recursive: true });
    const plugin = { enabledPlugins: { "memoir@memoir": true } };
    await writeFile(join(folder, ".claude/settings.json"), JSON.stringify(plugin));
    await rm(file);
    expect(await said("tools")).toEqual(["ok MCP server of the Claude Code plugin memoir@memoir"]);
    await writeFile(file, JSON.stringify({ mcpServers: server }));
    expect(await said("tools")).toEqual([
      `warn listed twice: by the Claude Code plugin memoir@memoir and in ${file}`,
    ]);
  }));

test("the skill is missing, in place, old, or somebody else's", () =>
  withHome(async ({ said, folder, home }) => {
    const env = { HOME: folder };
    const path = skillPath(env);
    await mkdir(home);
    expect(await said("skill")).toEqual([`warn there is no ${path}`]);
    expect(await putSkill(home, env)).toBe(path);
    expect(await putSkill(home, env)).toBeUndefined();
    expect(await said("skill")).toEqual([`ok ${path}`]);
    await writeFile(path, "of old");
    expect(await said("skill")).toEqual([`warn ${path} was written or changed by somebody else`]);
    expect(await putSkill(home, env)).toBeUndefined();
    const record = { path, written: textHash("of old"), folders: [dirname(path)] };
    await writeFile(skillRecordPath(home), JSON.stringify(record));
    expect(await said("skill")).toEqual([`warn ${path} is of another version`]);
    expect(await putSkill(home, env)).toBe(path);
    expect(await said("skill")).toEqual([`ok ${path}`]);
  }));

test.each([
  ["2.1.138 (Claude Code)\n", "win32", "warn"],
  ["2.1.9 (Claude Code)", "win32", "warn"],
  ["2.1.139 (Claude Code)", "win32", "ok"],
  ["3.0.0 (Claude Code)", "win32", "ok"],
  ["2.1.138 (Claude Code)", "linux", "ok"],
  ["1.0.0 (Claude Code)", "darwin", "ok"],
])("Claude Code %p on %s: %s", (said, platform, state) => {
  const finding = clientFinding(said, platform);
  expect(finding.state).toBe(state as typeof finding.state);
  expect(finding.message).toContain(said.trim());
});
