// Somebody else's rules in events after a prompt.

/** Somebody else's rule in what a tool gave, an agent said or the client sent. */
export const alienEvents: ReadonlyArray<
  readonly [string, (alien: string) => Record<string, unknown>]
> = [
  [
    "printed",
    (alien) => tool("Bash", { command: "cat NOTES" }, { stdout: `${alien}.\n`, stderr: "" }),
  ],
  [
    "read",
    (alien) =>
      tool(
        "Read",
        { file_path: "/home/dev/rules/CLAUDE.md" },
        { type: "text", file: { filePath: "CLAUDE.md", content: alien } },
      ),
  ],
  ["mcp", (alien) => tool("mcp__wiki__read", { page: "rules" }, [{ type: "text", text: alien }])],
  [
    "subagent",
    (alien) =>
      tool(
        "Task",
        { description: "look", prompt: alien },
        { content: [{ type: "text", text: alien }] },
      ),
  ],
  [
    "written",
    (alien) =>
      tool("Write", { file_path: "/home/dev/rules/A.md", content: alien }, { type: "create" }),
  ],
  [
    "fetched",
    (alien) => tool("WebFetch", { url: "https://page.example" }, { result: alien, code: 200 }),
  ],
  ["closing", (alien) => ({ hook_event_name: "Stop", last_assistant_message: `Done. ${alien}.` })],
  [
    "failed",
    (alien) => ({
      hook_event_name: "PostToolUseFailure",
      tool_name: "Bash",
      tool_use_id: "u1",
      tool_input: { command: "make" },
      error: `Exit code 1\n${alien}.`,
    }),
  ],
];

function tool(tool_name: string, tool_input: unknown, tool_response: unknown) {
  return {
    hook_event_name: "PostToolUse",
    tool_use_id: "u1",
    tool_name,
    tool_input,
    tool_response,
  };
}
