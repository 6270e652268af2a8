// `bun run src/release/write-hooks.ts`: writes hooks/hooks.json and the MCP command of the Claude Code plugin, for the built-in plugins' events.
import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
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
