// Payloads as Claude Code sends them, one of each kind: what the harnesses here bend and repeat.

/** Every kind, of a session in `cwd`. `serial` makes each a different happening. */
export function payloadsOf(
  session: string,
  serial: number,
  cwd = "/nonexistent/shop",
): Array<Record<string, unknown>> {
  const common = {
    session_id: session,
    transcript_path: `/nonexistent/${session}.jsonl`,
    cwd,
    permission_mode: "default",
  };
  const tool = (name: string, input: object, response: unknown) => ({
    ...common,
    hook_event_name: "PostToolUse",
    tool_name: name,
    tool_input: input,
    tool_response: response,
    tool_use_id: `toolu_${session}_${serial}_${name}`,
    duration_ms: 12,
  });
  const file = { filePath: "/nonexistent/shop/a.ts", content: "export {};\n", numLines: 1 };
  return [
    { ...common, hook_event_name: "SessionStart", source: "startup", model: "claude" },
    {
      ...{ ...common, hook_event_name: "UserPromptSubmit", prompt_id: `p-${session}-${serial}` },
      prompt: `Why does the zebra counter ${serial} stop?`,
    },
    tool("Read", { file_path: file.filePath }, { type: "text", file }),
    tool("Bash", { command: `make ${serial}` }, { stdout: "ok", stderr: "", interrupted: false }),
    tool(
      "Edit",
      { file_path: file.filePath, old_string: "{}", new_string: `{ ${serial} }` },
      { filePath: file.filePath, structuredPatch: [], userModified: false },
    ),
    { ...common, hook_event_name: "PreCompact", trigger: "auto", custom_instructions: "" },
    { ...common, hook_event_name: "SubagentStop", stop_hook_active: false },
    { ...common, hook_event_name: "Notification", message: "waiting" },
    { ...common, hook_event_name: "Stop", last_assistant_message: `Counter ${serial} counts.` },
    { ...common, hook_event_name: "SessionEnd", reason: "other" },
  ];
}
