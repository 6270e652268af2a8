// A result in its tool's own shape, as a hook would be given it: recorded, or made from the text where only that was kept.
import type { ResultStep, UseStep } from "./endless-threads.ts";

/** The structured result. Undefined for a text that no shape can be made of. */
export function shapeOf(use: UseStep, { structured, text }: ResultStep): unknown {
  if (typeof structured === "object" && structured !== null) return structured;
  if (use.tool.startsWith("mcp__")) return [{ type: "text", text }];
  switch (use.tool) {
    case "Read":
      return readShape(use, text);
    case "Bash":
      return { stdout: text, stderr: "", interrupted: false, isImage: false };
    case "Grep":
      return use.input.output_mode === "content"
        ? { mode: "content", numFiles: 0, filenames: [], content: text }
        : namesShape(text, { mode: "files_with_matches" });
    case "Glob":
      return namesShape(text, { durationMs: 0, truncated: false });
    case "WebFetch":
      return {
        bytes: text.length,
        code: 200,
        codeText: "OK",
        durationMs: 0,
        result: text,
        url: "",
      };
    case "Task":
    case "Agent":
      return { status: "completed", prompt: "", content: [{ type: "text", text }] };
    default:
      return undefined;
  }
}

/** The numbered lines of a Read, back in its shape. */
function readShape({ input }: UseStep, text: string): unknown {
  const lines: string[] = [];
  let startLine: number | undefined;
  for (const line of text.split("\n")) {
    const [, number, content] = /^ *(\d+)(?:→|\t)(.*)$/.exec(line) ?? [];
    if (number === undefined || content === undefined) {
      if (startLine === undefined) return undefined;
      break;
    }
    startLine ??= Number(number);
    lines.push(content);
  }
  const first = startLine ?? 1;
  return {
    type: "text",
    file: {
      filePath: input.file_path,
      content: lines.join("\n"),
      numLines: lines.length,
      startLine: first,
      totalLines: first + lines.length - 1,
    },
  };
}

function namesShape(text: string, more: object): unknown {
  const filenames = text.split("\n").filter((line) => line.startsWith("/"));
  return { ...more, filenames, numFiles: filenames.length };
}
