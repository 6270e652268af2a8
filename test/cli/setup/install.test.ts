// install and uninstall as a person runs them, with a throw-away home, settings and a binary that is a small script.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { switchPlugin } from "../../../src/cli/plugins/change.ts";
import { status } from "../../../src/cli/server/status.ts";
import { doctor } from "../../../src/cli/setup/doctor.ts";
import { install } from "../../../src/cli/setup/install.ts";
import { uninstall } from "../../../src/cli/setup/uninstall.ts";
import type { Terminal } from "../../../src/cli/terminal/terminal.ts";
import { memoirPaths } from "../../../src/home/paths.ts";
import { version } from "../../../src/home/version.ts";
import { skillText } from "../../../src/install/agent-tools.ts";
import { deafened } from "../../../src/install/hook-command.ts";
import { publishSdk } from "../../../src/runtime/plugins/sdk-module.ts";
import { cannedServer } from "../../support/canned-server.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";
import { quietStatus } from "../../support/quiet-status.ts";
import { busySession } from "../../support/recorded-session.ts";

let root: string;
let settings: string;
let binary: string;
let env: Record<string, string>;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "memoir install $x "));
  settings = join(root, "claude", "settings.json");
  binary = join(root, "download", "memoir-linux-x64");
  env = {
    HOME: root,
    MEMOIR_HOME: join(root, "home"),
    CLAUDE_CONFIG_DIR: join(root, "claude"),
    PATH: "/usr/bin:/bin",
  };
  await mkdir(dirname(binary));
  const script = `#!/bin/sh\n[ "$1" = version ] && echo '{"version":"${version}"}' || echo "memoir 9 started (pid 1)."\n`;
  // As a download leaves it: not to be run yet.
  await writeFile(binary, script, { mode: 0o644 });
  // The commands under test find their server, which there is none of, by this.
  process.env.MEMOIR_HOME = env.MEMOIR_HOME;
});
afterEach(async () => {
  delete process.env.MEMOIR_HOME;
  await chmod(root, 0o700);
  await rm(root, { recursive: true, force: true });
});

const at = (more: Partial<Terminal> = {}) => plainTerminal({ env, cwd: join(root), ...more });
const doInstall = async (options: Partial<Parameters<typeof install>[1]> = {}, terminal = at()) => {
  const code = await install([], { scope: "user", binary, ...options }, terminal);
  return { code, out: terminal.out.join("\n") };
};
const read = (path: string) => readFile(path, "utf8");
const hooksIn = async (path: string) =>
  JSON.parse(await read(path)).hooks as Record<string, unknown[]>;

test("an install from before an event was needed is told so by status and doctor, and install adds it", async () => {
  await doInstall();
  const lines = async () => {
    const terminal = at();
    expect(await status({}, terminal)).toBe(3);
    return terminal.out.join("\n");
  };
  expect(await lines()).not.toContain("hooks");
  const { hooks, ...others } = JSON.parse(await read(settings));
  const { PostCompact: _, ...older } = hooks;
  await writeFile(settings, JSON.stringify({ ...others, hooks: older }));
  expect(await lines()).toContain("hooks     not registered: PostCompact; run `memoir install`");
  const told = at();
  expect(await doctor({}, told)).toBe(1);
  expect(told.out.join("\n")).toContain("missing PostCompact");
  await doInstall();
  expect(await lines()).not.toContain("hooks");
  expect(Object.keys(await hooksIn(settings))).toContain("PostCompact");
});

describe("install", () => {
  test("copies the binary, registers its absolute path, starts the server, and says so", async () => {
    const { code, out } = await doInstall();
    expect(code).toBe(0);
    expect(out).toContain("✓ server: started (pid 1)");
    const installed = join(root, "home/bin/memoir");
    expect((await stat(installed)).mode & 0o777).toBe(0o755);
    const hooks = await hooksIn(settings);
    expect(Object.keys(hooks)).toEqual(
      expect.arrayContaining([
        "SessionStart",
        "UserPromptSubmit",
        "PostToolUse",
        "Stop",
        "SessionEnd",
      ]),
    );
    const home = join(root, "home").replaceAll("$", "\\$");
    expect(hooks.PostToolUse).toEqual([
      {
        matcher: "*",
        hooks: [
          {
            type: "command",
            command: `${deafened} "${home}/bin/memoir" hook claude-code --home "${home}"`,
            timeout: 10,
          },
        ],
      },
    ]);
  });

  test("twice is once, and uninstall gives everything back but the memory", async () => {
    await mkdir(dirname(settings));
    await writeFile(settings, '{ "model" : "opus" }');
    await doInstall();
    const first = await read(settings);
    const again = await doInstall();
    expect(again.out).toContain("were there already");
    expect(await read(settings)).toBe(first);
    await writeFile(join(root, "home/memory.db"), "memory");
    await publishSdk(memoirPaths(join(root, "home")));
    const terminal = at();
    expect(await uninstall([], { yes: true }, terminal)).toBe(0);
    expect(terminal.out.join("\n")).toContain("restored byte for byte");
    expect(await read(settings)).toBe('{ "model" : "opus" }');
    expect((await readdir(join(root, "home"))).sort()).toEqual([
      "logs",
      "memory.db",
      "plugins",
      "spool",
    ]);
  });

  test.each([
    [1, "1 open session reaches the model through memoir's gateway"],
    [2, "2 open sessions reach the model through memoir's gateway"],
  ])("of %d that the gateway serves it is said before anybody agrees", async (sessions, said) => {
    await doInstall();
    const gateway = { ...{ url: "http://127.0.0.1:1", requests: 9 }, sessions };
    const served = await cannedServer(join(root, "home"), {
      "/api/status": { ...quietStatus, gateway },
    });
    const terminal = at({ interactive: true, confirm: async () => false });
    await uninstall([], {}, terminal);
    await served.stop();
    expect(terminal.out[0]).toStartWith(said);
    expect(terminal.out).toContain("Nothing was changed.");
  });

  test("the reading tools ask nothing, and a skill says when to search; uninstall takes both back", async () => {
    await mkdir(dirname(settings));
    const before = '{\n  "permissions": {\n    "allow": ["Bash(ls:*)"] // mine\n  }\n}\n';
    await writeFile(settings, before);
    const { out } = await doInstall();
    expect(out).toContain("4 allow rules");
    expect(await read(settings)).toContain(
      '"allow": ["Bash(ls:*)","mcp__memoir__search","mcp__memoir__timeline","mcp__memoir__get","mcp__memoir__recall"]',
    );
    expect(await read(settings)).not.toMatch(/mcp__memoir__(?:remember|forget|\*)/);
    const skill = join(root, "claude/skills/memoir/SKILL.md");
    expect(await read(skill)).toBe(skillText);
    expect((await doInstall()).out).not.toContain("skill:");
    expect(await uninstall([], { yes: true }, at())).toBe(0);
    expect(await read(settings)).toBe(before);
    expect(await readdir(join(root, "claude"))).toEqual(["settings.json"]);
    expect(existsSync(join(root, "home/install-skill.json"))).toBe(false);
  });

  test("what stood beside the skill stays, and so does a skill that somebody changed", async () => {
    const skills = join(root, "claude/skills");
    await mkdir(join(skills, "mine"), { recursive: true });
    await doInstall();
    await writeFile(join(skills, "memoir/SKILL.md"), "changed");
    await doInstall();
    expect(await read(join(skills, "memoir/SKILL.md"))).toBe("changed");
    await uninstall([], { yes: true }, at());
    expect((await readdir(skills)).sort()).toEqual(["memoir", "mine"]);
    await rm(join(skills, "memoir"), { recursive: true });
    await doInstall();
    await uninstall([], { yes: true }, at());
    expect(await readdir(skills)).toEqual(["mine"]);
  });

  test("no rule is written where that is not wanted, for a whole project, or for somebody else's server", async () => {
    await doInstall();
    await doInstall({ allowTools: false });
    expect(await read(settings)).not.toContain("mcp__memoir");
    await doInstall({ scope: "project" });
    expect(await read(join(root, ".claude/settings.json"))).not.toContain("mcp__memoir");
    await uninstall([], { yes: true }, at());
    await mkdir(join(root, "claude"), { recursive: true });
    await writeFile(
      join(root, "claude/.claude.json"),
      JSON.stringify({ mcpServers: { memoir: { command: "other" } } }),
    );
    await doInstall();
    expect(await read(settings)).not.toContain("mcp__memoir");
  });

  test("a dry run of either changes nothing", async () => {
    const terminal = at();
    await install([], { scope: "user", binary, dryRun: true }, terminal);
    expect(terminal.out.join("\n")).toContain('+   "hooks": {');
    expect((await readdir(root)).sort()).toEqual(["download"]);
    await doInstall();
    const before = await read(settings);
    await uninstall([], { dryRun: true }, at());
    expect(await read(settings)).toBe(before);
    expect(await readdir(join(root, "home/bin"))).toEqual(["memoir"]);
  });

  test("asks a person, and takes no for an answer", async () => {
    const asked: string[] = [];
    const terminal = at({
      interactive: true,
      confirm: (question) => {
        asked.push(question);
        return Promise.resolve(false);
      },
    });
    expect((await doInstall({}, terminal)).code).toBe(1);
    expect(asked).toHaveLength(1);
    expect((await readdir(root)).sort()).toEqual(["download"]);
    expect((await doInstall({ yes: true }, at({ interactive: true }))).code).toBe(0);
  });

  test("with --yes a person is asked nothing: not to go on, not about a model, not about the past", async () => {
    await busySession("s1", "/gone/shop", 0, 1).write(join(root, "claude", "projects"));
    // Whoever asks here fails.
    const terminal = at({ interactive: true });
    const { code, out } = await doInstall({ yes: true }, terminal);
    expect([code, terminal.err]).toEqual([0, []]);
    expect(out).not.toContain("May memoir ask a model?");
    expect(out).toContain("Import old sessions");
  });

  test("a project's settings are its own", async () => {
    const cwd = join(root, "project");
    await mkdir(cwd);
    await doInstall({ scope: "local" }, at({ cwd }));
    expect(Object.keys(await hooksIn(join(cwd, ".claude/settings.local.json")))).toContain("Stop");
    await uninstall([], { yes: true }, at());
    expect(await readdir(cwd)).toEqual([]);
  });

  test("broken settings: nothing at all is changed", async () => {
    await mkdir(dirname(settings));
    await writeFile(settings, "{ nope");
    await expect(doInstall()).rejects.toThrow("line 1");
    expect((await readdir(root)).sort()).toEqual(["claude", "download"]);
    expect(await read(settings)).toBe("{ nope");
  });

  test("what is no memoir leaves the installed one in place", async () => {
    await doInstall();
    const installed = await read(join(root, "home/bin/memoir"));
    const other = join(root, "other");
    await writeFile(other, "#!/bin/sh\nexit 0\n");
    await expect(doInstall({ binary: other })).rejects.toMatchObject({
      code: "binary_missing",
      message: expect.stringContaining("is no memoir program that runs here"),
    });
    await expect(doInstall({ binary: "nowhere" })).rejects.toMatchObject({
      code: "binary_missing",
      message: `There is no file ${join(root, "nowhere")}.`,
    });
    expect(await readdir(join(root, "home/bin"))).toEqual(["memoir"]);
    expect(await read(join(root, "home/bin/memoir"))).toBe(installed);
  });

  test("from source it wants a binary", async () => {
    await expect(install([], { scope: "user" }, at())).rejects.toThrow("runs from source");
  });

  test("where the Claude Code plugin is enabled, settings hold no hook", async () => {
    await doInstall();
    const text = JSON.parse(await read(settings));
    await writeFile(
      settings,
      JSON.stringify({ ...text, enabledPlugins: { "memoir@memoir": true } }),
    );
    const wrong = at();
    expect(await doctor({}, wrong)).toBe(1);
    expect(wrong.out.join("\n")).toContain(
      "registered twice: by the Claude Code plugin memoir@memoir",
    );
    const { out } = await doInstall();
    expect(out).toContain("come from the Claude Code plugin");
    expect(JSON.parse(await read(settings))).toEqual({ enabledPlugins: { "memoir@memoir": true } });
    const gone = at();
    await uninstall([], { yes: true }, gone);
    expect(gone.out.join("\n")).toContain(
      "Remove it in Claude Code: `/plugin uninstall memoir@memoir`",
    );
    expect(JSON.parse(await read(settings))).toEqual({ enabledPlugins: { "memoir@memoir": true } });
  });

  test("switching a plugin registers exactly the events that are needed then", async () => {
    await doInstall();
    const all = Object.keys(await hooksIn(settings));
    expect(all).toContain("SessionStart");
    const atStart = ["context-handover", "context-relevant", "context-moments", "memory-files"];
    for (const name of atStart) await switchPlugin(false, name, {}, at());
    const fewer = Object.keys(await hooksIn(settings));
    expect(fewer).not.toContain("SessionStart");
    // Turns are kept whatever plugins there are.
    expect(fewer).toContain("PostToolUseFailure");
    for (const name of atStart) await switchPlugin(true, name, {}, at());
    expect(Object.keys(await hooksIn(settings)).sort()).toEqual(all.sort());
    await expect(switchPlugin(true, "heuristics", {}, at())).rejects.toThrow(
      "no plugin heuristics",
    );
  });

  test("the doctor is content after an install, and not when the binary is gone", async () => {
    await doInstall();
    const content = at();
    await doctor({ json: true }, content);
    const { checks } = JSON.parse(content.out[0] ?? "") as {
      checks: Array<{ name: string; state: string }>;
    };
    const state = (wanted: string) => checks.find(({ name }) => name === wanted)?.state;
    expect(["home", "binary", "hooks", "config"].map(state)).toEqual(["ok", "ok", "ok", "ok"]);
    const switched = { ...JSON.parse(await read(settings)), disableAllHooks: true };
    await writeFile(settings, JSON.stringify(switched));
    const told = at();
    expect(await doctor({}, told)).toBe(1);
    expect(told.out.join(" ").replace(/\s+/g, " ")).toContain(
      `${settings} says "disableAllHooks": true`,
    );
    await rm(join(root, "home/bin/memoir"));
    const worried = at();
    expect(await doctor({}, worried)).toBe(1);
    expect(worried.out.join(" ").replace(/\s+/g, " ")).toContain("which is not there to be run");
  });

  test("deleting the memory wants a clear word, and spares what is not memoir's", async () => {
    await doInstall();
    for (const name of [
      "memory.db",
      "usage.db",
      "usage.db-wal",
      "endless.db",
      "endless.db-wal",
      "keys.json",
    ])
      await writeFile(join(root, "home", name), "memory");
    await publishSdk(memoirPaths(join(root, "home")));
    await writeFile(join(root, "home/mine.txt"), "mine");
    for (const options of [{}, { deleteMemory: true }])
      await expect(uninstall([], options, at())).rejects.toThrow("Can't ask for confirmation");
    expect(await readdir(join(root, "home/bin"))).toEqual(["memoir"]);
    expect(await uninstall([], { deleteMemory: true, yes: true }, at())).toBe(0);
    expect(await readdir(join(root, "home"))).toEqual(["mine.txt"]);
    const asked: unknown[] = [];
    const confirm: Terminal["confirm"] = async (...args) => asked.push(args) < 0;
    expect(await uninstall([], { deleteMemory: true }, at({ interactive: true, confirm }))).toBe(1);
    expect(asked).toEqual([[expect.stringContaining("delete everything"), false]]);
  });

  test.each([
    ["the memory stays unless the second question is answered with yes", false, ["memory.db"]],
    ["the memory goes with a second yes", true, []],
  ] as const)("%s", async (_name, second, left) => {
    await doInstall();
    await writeFile(join(root, "home", "memory.db"), "memory");
    const answers = [true, second];
    const asked: string[] = [];
    const confirm: Terminal["confirm"] = async (question) => {
      asked.push(question);
      return answers.shift() ?? false;
    };
    expect(await uninstall([], {}, at({ interactive: true, confirm }))).toBe(0);
    expect(asked[1]).toContain("Delete the memory");
    const there = await readdir(join(root, "home")).catch(() => []);
    expect(there.filter((name) => name.endsWith(".db"))).toEqual([...left]);
  });
});
