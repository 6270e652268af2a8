// Every way by which a text reaches memoir, as the shape in which it comes.
import plugin from "../../../plugins/capture-privacy/index.ts";
import { scrubDeep } from "../../../src/privacy/redact.ts";
import type { ClientEvent } from "../../../src/sdk/events.ts";

/** What is kept of a text that came this way. */
type Channel = (text: string) => unknown;

const about = { client: "claude-code", session: "s1", time: 1_700_000_000_000, cwd: "/work" };

function captured(fields: Record<string, unknown>): unknown {
  const event = { id: "e1", key: "k1", ...about, ...fields } as unknown as ClientEvent;
  const { handler } = plugin.hooks.capture as { handler: (event: ClientEvent) => unknown };
  return handler(event);
}

const used = (toolName: string, toolInput: unknown, toolResponse: unknown): unknown =>
  captured({ name: "PostToolUse", toolName, toolUseId: "t1", toolInput, toolResponse });

const filePath = "/home/ana/notes.txt";

/** By name; each runs what the product runs. */
export const channels: Readonly<Record<string, Channel>> = {
  prompt: (prompt) => captured({ name: "UserPromptSubmit", prompt }),
  "Bash command": (command) => used("Bash", { command }, { stdout: "", stderr: "" }),
  "Bash output": (stdout) => used("Bash", { command: "run" }, { stdout, stderr: "" }),
  Read: (content) =>
    used("Read", { file_path: filePath }, { type: "text", file: { filePath, content } }),
  Edit: (text) =>
    used(
      "Edit",
      { file_path: filePath, old_string: "x", new_string: text },
      {
        filePath,
        structuredPatch: [{ oldStart: 1, lines: text.split("\n").map((line) => `+${line}`) }],
      },
    ),
  Write: (content) => used("Write", { file_path: filePath, content }, { type: "create", content }),
  "MCP result": (text) =>
    used("mcp__acme__fetch", { id: 7 }, [{ type: "text", text: JSON.stringify({ text }) }]),
  transcript: (text) =>
    scrubDeep({
      type: "user",
      message: {
        content: [{ type: "tool_result", content: [{ type: "text", text: numbered(text) }] }],
      },
    }).value,
};

/** As the client numbers the lines of a file that it read. */
function numbered(text: string): string {
  return text
    .split("\n")
    .map((line, at) => `${String(at + 1).padStart(6)}→${line}`)
    .join("\n");
}
