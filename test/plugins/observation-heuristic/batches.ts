// Small makers of tool uses and batches in the client's shapes, for the observer's tests.
import type { ObservationBatch, ToolUse } from "../../../src/sdk/work.ts";

/** The checkout all made-up paths lie in. */
export const root = "/home/kim/shop";

let count = 0;
function use(name: string, input: unknown, rest: Partial<ToolUse>): ToolUse {
  count++;
  return {
    id: `t${count}`,
    name,
    input,
    time: 1_700_000_000_000 + count * 1_000,
    cwd: root,
    ...rest,
  };
}

/** A command that ended well, with its output. */
export function bash(command: string, stdout = "", rest: Partial<ToolUse> = {}): ToolUse {
  return use(
    "Bash",
    { command },
    { response: { stdout, stderr: "", interrupted: false, isImage: false }, ...rest },
  );
}

/** A command that failed. */
export function bashFailure(command: string, error: string, rest: Partial<ToolUse> = {}): ToolUse {
  return use("Bash", { command }, { error, ...rest });
}

/** An edit with the structured patch that the client reports. */
export function edit(
  path: string,
  before: string,
  after: string,
  rest: Partial<ToolUse> = {},
): ToolUse {
  const lines = [
    ...before.split("\n").map((line) => `-${line}`),
    ...after.split("\n").map((line) => `+${line}`),
  ];
  const filePath = `${root}/${path}`;
  return use(
    "Edit",
    { file_path: filePath, old_string: before, new_string: after },
    {
      response: {
        filePath,
        oldString: before,
        newString: after,
        originalFile: before,
        structuredPatch: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines }],
      },
      ...rest,
    },
  );
}

/** A file that is written new. */
export function write(path: string, content: string, rest: Partial<ToolUse> = {}): ToolUse {
  const filePath = `${root}/${path}`;
  return use(
    "Write",
    { file_path: filePath, content },
    { response: { type: "create", filePath, content, structuredPatch: [] }, ...rest },
  );
}

/** A file that is read whole. */
export function read(path: string, content: string, rest: Partial<ToolUse> = {}): ToolUse {
  const filePath = `${root}/${path}`;
  const numLines = content.split("\n").length;
  return use(
    "Read",
    { file_path: filePath },
    {
      response: {
        type: "text",
        file: { filePath, content, numLines, startLine: 1, totalLines: numLines },
      },
      ...rest,
    },
  );
}

/** A search with matching lines. */
export function grep(pattern: string, content: string, rest: Partial<ToolUse> = {}): ToolUse {
  return use(
    "Grep",
    { pattern, output_mode: "content" },
    { response: { mode: "content", filenames: [], numFiles: 0, content }, ...rest },
  );
}

/** Any other tool. */
export function other(name: string, input: unknown, rest: Partial<ToolUse> = {}): ToolUse {
  return use(name, input, rest);
}

/** A batch of one prompt. */
export function batch(
  prompt: string,
  toolUses: ToolUse[],
  closing = "",
  rest: Partial<ObservationBatch> = {},
): ObservationBatch {
  return {
    key: "k1",
    session: {
      id: "s1",
      client: "claude-code",
      project: { id: "github.com/kim/shop", name: "shop", root },
    },
    prompt: { number: 1, text: prompt },
    toolUses,
    ...(closing === "" ? {} : { lastAssistantMessage: closing }),
    waiting: false,
    ...rest,
  };
}
