// `bun run src/release/write-hooks.ts`: writes hooks/hooks.json, the MCP command and the skill of the Claude Code plugin, for the built-in plugins' events.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { skillText } from "../install/skill-text.ts";
import { pluginHooks } from "./plugin-hooks.ts";
import { pluginMcpCommand } from "./plugin-mcp.ts";

async function write(file: string, value: unknown): Promise<void> {
  const path = resolve(import.meta.dir, "../..", file);
  await writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
  console.log(`${path} written`);
}

const plugin = resolve(import.meta.dir, "../../.claude-plugin/plugin.json");
const manifest = JSON.parse(await readFile(plugin, "utf8"));
await write("hooks/hooks.json", await pluginHooks());
await write(".claude-plugin/plugin.json", {
  ...manifest,
  mcpServers: { memoir: { command: "sh", args: ["-c", pluginMcpCommand] } },
});

const skill = resolve(import.meta.dir, "../../skills/memoir/SKILL.md");
await mkdir(dirname(skill), { recursive: true });
await writeFile(skill, skillText);
console.log(`${skill} written`);
