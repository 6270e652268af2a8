// Hook payloads of a realistic size, each a different happening.

const line = "  return request.headers.get(name) ?? defaults[name]; // the caller decides\n";

function payload(fields: Record<string, unknown>, session: string): string {
  return JSON.stringify({
    session_id: session,
    transcript_path: `/home/dev/.claude/projects/-home-dev-shop/${session}.jsonl`,
    cwd: "/home/dev/shop",
    prompt_id: prompts.get(session) ?? "4f0c1c1e-7d0b-4a55-9a43-000000000001",
    permission_mode: "default",
    ...fields,
  });
}

/** The prompts that sessions work on: as with the client, all events until the next prompt carry its id. */
const prompts = new Map<string, string>();

/** A prompt. */
export function promptPayload(session: string, prompt: string): string {
  const prompt_id = crypto.randomUUID();
  prompts.set(session, prompt_id);
  return payload({ hook_event_name: "UserPromptSubmit", prompt, prompt_id }, session);
}

/** A file read of about 4.5 KB, the usual tool use; `serial` makes it a different one. */
export function readPayload(session: string, serial: number): string {
  const filePath = `/home/dev/shop/src/routes/part-${serial % 97}.ts`;
  const file = { filePath, content: line.repeat(50), numLines: 50, startLine: 1, totalLines: 50 };
  const fields = {
    hook_event_name: "PostToolUse",
    tool_name: "Read",
    tool_input: { file_path: filePath },
    tool_response: { type: "text", file },
    tool_use_id: `toolu_${session}_${serial}`,
    duration_ms: 12,
  };
  return payload(fields, session);
}
