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
