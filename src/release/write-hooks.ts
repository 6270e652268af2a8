// `bun run src/release/write-hooks.ts`: writes hooks/hooks.json, the MCP command and the skill of the Claude Code plugin, for the built-in plugins' events.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { deafened } from "../install/hook-command.ts";
import { hooksDocument, registration } from "../install/settings.ts";
import { skillText } from "../install/skill.ts";
import { describePlugins } from "../runtime/plugins/describe.ts";
import { formatted } from "./reference.ts";

// The command by which the client's plugin runs memoir's MCP server, also on a machine where memoir is not installed yet.

const binary = 'm="$' + '{MEMOIR_HOME:-$HOME/.memoir}/bin/memoir"; [ -x "$m" ] && exec "$m" mcp';
const instructions =
  "memoir is not installed on this machine yet. Its tools are there in sessions that start after `memoir install`.";

/**
 * Without the binary it is a server without tools: a server that fails to start is given up by the client for a quarter
 * of an hour, in new sessions too, also when memoir is installed a minute later.
 */
export const pluginMcpCommand: string = [
  binary,
  "while IFS= read -r l",
  'do i=$(printf %s "$l" | sed -n \'s/.*"id":\\([0-9][0-9]*\\).*/\\1/p\')',
  '[ -n "$i" ] || continue',
  'case "$l" in',
  ...[
    `*'"initialize"'*) v=$(printf %s "$l" | sed -n 's/.*"protocolVersion":"\\([0-9-]*\\)".*/\\1/p')`,
    `r="{\\"protocolVersion\\":\\"\${v:-2025-06-18}\\",\\"capabilities\\":{\\"tools\\":{}},\\"serverInfo\\":{\\"name\\":\\"memoir\\",\\"version\\":\\"0\\"},\\"instructions\\":\\"${instructions.replaceAll("`", "\\`")}\\"}";;`,
    `*'"tools/list"'*) r='{"tools":[]}';;`,
    `*) r='{}';;`,
  ],
  "esac",
  `printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "$i" "$r"`,
  "done",
].join("\n");

// The hooks of the Claude Code plugin: the same groups that install writes, for the events of the built-in plugins.

/**
 * The repository cannot know the absolute path of an installed binary; the shell can. Where there is none, the hook
 * ends silently with 0.
 */
export const pluginCommand = `m="\${MEMOIR_HOME:-$HOME/.memoir}/bin/memoir"; [ -x "$m" ] || exit 0; ${deafened} exec "$m" hook claude-code`;

/** Config is not known here: as long as a built-in plugin can be set to wait. The hook command ends itself long before. */
const longest = { PostToolUse: 630_000 };

/** The document for hooks/hooks.json. */
export async function pluginHooks() {
  // A home that does not exist has no config: every default is in force.
  const { events } = await describePlugins("/nowhere", {});
  return {
    description: "Hands the session's events to memoir and gives back what it remembers.",
    hooks: hooksDocument(registration(events, pluginCommand, longest)),
  };
}

if (import.meta.main) {
  const root = resolve(import.meta.dir, "../..");
  const write = async (file: string, text: string): Promise<void> => {
    const path = join(root, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    console.log(`${path} written`);
  };
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  const plugin = ".claude-plugin/plugin.json";
  const manifest = JSON.parse(await readFile(join(root, plugin), "utf8"));
  const mcpServers = { memoir: { command: "sh", args: ["-c", pluginMcpCommand] } };
  await write("hooks/hooks.json", json(await pluginHooks()));
  await write(plugin, await formatted(json({ ...manifest, mcpServers }), plugin));
  await write("skills/memoir/SKILL.md", skillText);
}
