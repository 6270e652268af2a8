// `bun run src/release/write-hooks.ts`: writes the Claude Code plugin, in the folder hooks: hooks for the built-in plugins' events, the MCP
// command, the skill, and the script that fetches the binary. The plugin is a folder of its own, as a client copies all of it.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { version as packageVersion } from "../../package.json" with { type: "json" };
import { skillText } from "../install/agent-tools.ts";
import { deafened } from "../install/hook-command.ts";
import { npmName } from "../install/release-source.ts";
import { hooksDocument, registration } from "../install/settings.ts";
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

/** The same for a session's start, which has npm fetch a binary that is missing. Codex names no folder of the plugin to a shell. */
export const pluginStartCommand: string = pluginCommand.replace(
  "exit 0",
  `{ [ -f "\${CLAUDE_PLUGIN_ROOT:-}/fetch.sh" ] && sh "$CLAUDE_PLUGIN_ROOT/fetch.sh"; exit 0; }`,
);

/** The script, which npm's package is put into; without a name that somebody chose, it fetches nothing. */
export async function fetchScript(name: string = npmName, version: string = packageVersion) {
  const text = await readFile(join(import.meta.dir, "fetch.sh"), "utf8");
  return name === "" ? text : text.replace("package=''", `package='${name}@${version}'`);
}

/** Config is not known here: as long as a built-in plugin can be set to wait. The hook command ends itself long before. */
const longest = { PostToolUse: 630_000 };

/** The document for hooks.json. */
export async function pluginHooks() {
  // A home that does not exist has no config: every default is in force.
  const { events } = await describePlugins("/nowhere", {});
  const hooks = hooksDocument(registration(events, pluginCommand, longest));
  for (const {
    hooks: [hook],
  } of hooks.SessionStart ?? [])
    if (hook) hook.command = pluginStartCommand;
  return {
    description: "Hands the session's events to memoir and gives back what it remembers.",
    hooks,
  };
}

if (import.meta.main) {
  const folder = resolve(import.meta.dir, "../../hooks");
  const write = async (file: string, text: string): Promise<void> => {
    const path = join(folder, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    console.log(`${path} written`);
  };
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  const plugin = ".claude-plugin/plugin.json";
  const manifest = JSON.parse(await readFile(join(folder, plugin), "utf8"));
  const mcpServers = { memoir: { command: "sh", args: ["-c", pluginMcpCommand] } };
  const made = { ...manifest, version: packageVersion, hooks: "./hooks.json", mcpServers };
  await write("hooks.json", json(await pluginHooks()));
  await write("fetch.sh", await fetchScript());
  await write(plugin, await formatted(json(made), plugin));
  await write("skills/memoir/SKILL.md", skillText);
}
