// What a tool use says: its command line, the file it touched, and what a command printed whose exit is hidden. Pure.
import type { ClientEvents } from "../../src/sdk/index.ts";
import { changingTools, readingTools, shellTools } from "../../src/strategy/index.ts";
import { textField } from "../../src/text/index.ts";

type ToolEvent = ClientEvents["PostToolUse"] | ClientEvents["PostToolUseFailure"];

/** The command line of a shell. */
export function commandOf({ toolName, toolInput }: ToolEvent): string | undefined {
  return shellTools.has(toolName) ? textField(toolInput, "command") || undefined : undefined;
}

/** A file that was read or changed, relative to its project where it lies inside it. */
export function fileOf({
  toolName,
  toolInput,
  project,
}: ToolEvent): { path: string; changed: boolean } | undefined {
  const changed = changingTools.has(toolName);
  if (!changed && !readingTools.has(toolName)) return undefined;
  const path = textField(toolInput, "file_path", "notebook_path");
  if (path === "") return undefined;
  const root = `${project?.root.replace(/[/\\]$/, "")}`;
  const inside = path.startsWith(`${root}/`) || path.startsWith(`${root}\\`);
  return { path: inside ? path.slice(root.length + 1) : path, changed };
}

/** What a command printed whose exit code is not its own: of a pipe, or of what was tried instead. */
export function printedBy(event: ClientEvents["PostToolUse"]): string | undefined {
  const command = commandOf(event);
  if (command === undefined || !/\||;/.test(command)) return undefined;
  const { toolResponse: response } = event;
  if (typeof response === "string") return response;
  const printed = [textField(response, "stdout"), textField(response, "stderr")];
  return printed.filter(Boolean).join("\n") || undefined;
}
