// A session in a few hook payloads: a test fails, the greeting is fixed, the test passes.

const session = "5f1f6b9e-0000-4000-8000-00000000d3f0";

/** The payloads in order, for a project at `cwd`. */
export function miniSession(cwd: string): Array<Record<string, unknown>> {
  const file = `${cwd}/src/greet.ts`;
  const common = { session_id: session, transcript_path: `${cwd}/${session}.jsonl`, cwd };
  const tool = (id: number, tool_name: string, tool_input: object) => ({
    ...common,
    prompt_id: "p1",
    tool_name,
    tool_input,
    tool_use_id: `toolu_mini_${id}`,
    duration_ms: 20,
  });
  const command = { command: "bun test test/greet.test.ts", description: "Run the greeting tests" };
  const before = 'export const greet = (name: string) => "Hello" + name;\n';
  const edit = {
    file_path: file,
    old_string: '"Hello" + name',
    new_string: "`Hello, $" + "{name}`",
  };
  const patch = {
    oldStart: 1,
    oldLines: 1,
    newStart: 1,
    newLines: 1,
    lines: [
      `-${before.trimEnd()}`,
      `+${before.trimEnd().replace(edit.old_string, edit.new_string)}`,
    ],
  };
  return [
    { ...common, hook_event_name: "SessionStart", source: "startup" },
    {
      ...common,
      hook_event_name: "UserPromptSubmit",
      prompt_id: "p1",
      prompt: "The greeting tests fail, please fix the greeting",
    },
    {
      ...tool(1, "Bash", command),
      hook_event_name: "PostToolUseFailure",
      error:
        'Exit code 1\nerror: expect(received).toBe(expected)\nExpected: "Hello, Ada"\nReceived: "HelloAda"\n 0 pass\n 1 fail',
      is_interrupt: false,
    },
    {
      ...tool(2, "Read", { file_path: file }),
      hook_event_name: "PostToolUse",
      tool_response: {
        type: "text",
        file: { filePath: file, content: before, numLines: 1, startLine: 1, totalLines: 1 },
      },
    },
    {
      ...tool(3, "Edit", edit),
      hook_event_name: "PostToolUse",
      tool_response: {
        filePath: file,
        oldString: edit.old_string,
        newString: edit.new_string,
        originalFile: before,
        structuredPatch: [patch],
        userModified: false,
        replaceAll: false,
      },
    },
    {
      ...tool(4, "Bash", command),
      hook_event_name: "PostToolUse",
      tool_response: {
        stdout: " 1 pass\n 0 fail\n",
        stderr: "",
        interrupted: false,
        isImage: false,
      },
    },
    {
      ...common,
      hook_event_name: "Stop",
      prompt_id: "p1",
      stop_hook_active: false,
      last_assistant_message:
        "Fixed the greeting in src/greet.ts: it lacked a comma and a space. The greeting tests pass now.",
    },
    { ...common, hook_event_name: "SessionEnd", prompt_id: "p1", reason: "other" },
  ];
}
