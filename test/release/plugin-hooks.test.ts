// hooks/hooks.json is what install would write, and its command is harmless where memoir is not installed.
import { expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import manifest from "../../hooks/.claude-plugin/plugin.json" with { type: "json" };
import hooks from "../../hooks/hooks.json" with { type: "json" };
import { version } from "../../package.json";
import { skillText } from "../../src/install/agent-tools.ts";
import {
  fetchScript,
  pluginCommand,
  pluginHooks,
  pluginMcpCommand,
  pluginStartCommand,
} from "../../src/release/write-hooks.ts";
import { estimateTokens } from "../../src/text/text.ts";

test("hooks.json is up to date (`bun run src/release/write-hooks.ts` writes it)", async () => {
  expect(hooks as unknown).toEqual(await pluginHooks());
  expect(manifest.version).toBe(version);
  const script = join(import.meta.dir, "../../hooks/fetch.sh");
  expect(await Bun.file(script).text()).toBe(await fetchScript());
});

test("the command runs the installed binary, and ends silently with 0 without one", async () => {
  const home = await mkdtemp(join(tmpdir(), "memoir plugin "));
  const run = async (command = pluginCommand) => {
    const child = Bun.spawn(["/bin/sh", "-c", command], {
      env: { HOME: home, PATH: "/usr/bin:/bin" },
      stdin: new Blob(["{}"]),
      stdout: "pipe",
      stderr: "pipe",
    });
    const output = await new Response(child.stdout).text();
    return [await child.exited, output, await new Response(child.stderr).text()];
  };
  try {
    expect(await run()).toEqual([0, "", ""]);
    expect(await run(pluginStartCommand)).toEqual([0, "", ""]);
    const binary = join(home, ".memoir/bin/memoir");
    await mkdir(dirname(binary), { recursive: true });
    await writeFile(binary, '#!/bin/sh\necho "$@" "$(cat)"\n', { mode: 0o755 });
    expect(await run()).toEqual([0, "hook claude-code {}\n", ""]);
    expect(await run(pluginStartCommand)).toEqual([0, "hook claude-code {}\n", ""]);
  } finally {
    await rm(home, { recursive: true });
  }
});

test("plugin.json runs the MCP command (`bun run src/release/write-hooks.ts` writes it)", () => {
  expect(manifest.mcpServers.memoir).toEqual({ command: "sh", args: ["-c", pluginMcpCommand] });
});

test("the plugin ships the skill that install writes (`bun run src/release/write-hooks.ts`)", async () => {
  const shipped = join(import.meta.dir, "../../hooks/skills/memoir/SKILL.md");
  expect(await Bun.file(shipped).text()).toBe(skillText);
  const [, name, description = ""] =
    /^---\nname: (.+)\ndescription: (.+)\n---\n/.exec(skillText) ?? [];
  expect(name).toBe("memoir");
  // The client cuts longer ones.
  expect(description.length).toBeLessThan(1_024);
  expect(estimateTokens(skillText)).toBeLessThan(700);
});

test("the MCP command runs the installed binary; without one it is a server without tools", async () => {
  const home = await mkdtemp(join(tmpdir(), "memoir plugin mcp "));
  const messages = [
    { method: "initialize", params: { protocolVersion: "2025-11-25" }, jsonrpc: "2.0", id: 0 },
    { method: "notifications/initialized", jsonrpc: "2.0" },
    { method: "tools/list", jsonrpc: "2.0", id: 1 },
    { method: "ping", jsonrpc: "2.0", id: 2 },
  ];
  const run = async () => {
    const child = Bun.spawn(["sh", "-c", pluginMcpCommand], {
      env: { HOME: home, PATH: "/usr/bin:/bin" },
      stdin: new Blob([messages.map((message) => `${JSON.stringify(message)}\n`).join("")]),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [output, errors] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    expect(errors).toBe("");
    return output.trim().split("\n");
  };
  try {
    const answers = (await run()).map((line) => JSON.parse(line));
    expect(answers).toMatchObject([
      { id: 0, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} } } },
      { id: 1, result: { tools: [] } },
      { id: 2, result: {} },
    ]);
    expect(answers[0].result.instructions).toContain("`memoir install`");
    const binary = join(home, ".memoir/bin/memoir");
    await mkdir(dirname(binary), { recursive: true });
    await writeFile(binary, '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
    expect(await run()).toEqual(["mcp"]);
  } finally {
    await rm(home, { recursive: true });
  }
});
