// Which tools are meant: names in config, and memoir's own tools by each name that a client gives them.

/** Whether one of the patterns names the tool; a trailing `*` matches any ending. */
export function namesTool(patterns: readonly string[], tool: string): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith("*") ? tool.startsWith(pattern.slice(0, -1)) : tool === pattern,
  );
}

/** Whether it is a tool of memoir's own MCP server, installed through settings or as a client's plugin. */
export function isOwnTool(tool: string): boolean {
  return namesTool(["mcp__memoir__*", "mcp__plugin_memoir_*"], tool);
}
