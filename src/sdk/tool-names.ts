// Tools by their names: which a config means, memoir's own by each name that a client gives them, and what the client's own do.

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

// What the coding client's own tools do. Apart from the contract: clients differ, and `memoir/strategy` hands it out.

/** Tools that change a file. */
export const changingTools: ReadonlySet<string> = new Set([
  "Edit",
  "MultiEdit",
  "Write",
  "NotebookEdit",
]);

/** Tools that read one. */
export const readingTools: ReadonlySet<string> = new Set(["Read", "NotebookRead"]);

/** Tools that look at something and do nothing. */
export const lookingTools: ReadonlySet<string> = new Set([
  ...readingTools,
  ...["Grep", "Glob", "LS", "BashOutput", "TaskOutput", "TaskGet", "TaskList", "ToolSearch"],
]);

/** Tools that run a command line. */
export const shellTools: ReadonlySet<string> = new Set(["Bash", "PowerShell"]);
