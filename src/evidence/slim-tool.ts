// A tool use without what no evidence is made of: whole files before and after a change, what was read, endless output.

import { changingTools, readingTools, shellTools } from "../sdk/tool-kinds.ts";
import { shorten } from "../text/shorten.ts";
import { recordOf, textField } from "../text/values.ts";
import { symbolsLimit } from "./limits.ts";
import type { UsedTool } from "./moment.ts";
import { touchedSymbols } from "./symbols.ts";

/** More than is kept of an output, so that it can be shortened with care. */
const outputLimit = 16_000;

/** The same tool use, small: a turn of many hours fits into memory. */
export function slimTool(tool: UsedTool): UsedTool {
  const { id, name, input, response, error } = tool;
  if (changingTools.has(name) || readingTools.has(name)) {
    const path = textField(input, "file_path", "notebook_path") || textField(response, "filePath");
    const symbols = changingTools.has(name) && touchedSymbols(response, path, symbolsLimit);
    return {
      ...failed({ id, name, input: { file_path: path } }, error),
      ...(symbols && { symbols }),
    };
  }
  if (!shellTools.has(name)) return error === undefined ? tool : failed({ id, name, input }, error);
  const command = textField(input, "command");
  const slim = { id, name, input: { command, description: textField(input, "description") } };
  return error === undefined ? ran(slim, response) : failed(slim, error);
}

function failed(tool: UsedTool, error: string | undefined): UsedTool {
  if (error === undefined) return tool;
  const { text, leftOut } = shorten(error, outputLimit, true);
  return { ...tool, error: text, ...(leftOut > 0 && { omitted: leftOut }) };
}

function ran(tool: UsedTool, response: unknown): UsedTool {
  if (Array.isArray(response)) return { ...tool, response };
  const { backgroundTaskId } = recordOf(response);
  const whole =
    typeof response === "string"
      ? response
      : [textField(response, "stdout"), textField(response, "stderr")].filter(Boolean).join("\n");
  const { text, leftOut } = shorten(whole, outputLimit, true);
  return {
    ...tool,
    response: { stdout: text, ...(backgroundTaskId !== undefined && { backgroundTaskId }) },
    ...(leftOut > 0 && { omitted: leftOut }),
  };
}
