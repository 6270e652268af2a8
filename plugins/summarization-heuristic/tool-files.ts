// Files that tool uses read and edited, and to-do items they left open.

import type { SummaryInput } from "../../src/sdk/index.ts";
import type { Paths } from "../../src/text/index.ts";

type ToolUse = SummaryInput["toolUses"][number];

const editing = new Set(["Edit", "MultiEdit", "Write", "NotebookEdit"]);
const reading = new Set(["Read", "NotebookRead"]);

/** Project-relative paths of successful reads and edits, in order, each once; an edited file is not listed as read. */
export function toolFiles(
  toolUses: readonly ToolUse[],
  paths: Paths,
): { read: string[]; edited: string[] } {
  const read = new Set<string>();
  const edited = new Set<string>();
  for (const use of toolUses) {
    if (use.error !== undefined || use.withheld === true) continue;
    const path = field(use.input, "file_path") || field(use.input, "notebook_path");
    if (path === "" || /\/\.claude\/(?:plans|projects)\//.test(path)) continue;
    if (editing.has(use.name)) edited.add(paths.relative(path));
    else if (reading.has(use.name)) read.add(paths.relative(path));
  }
  return { read: [...read].filter((path) => !edited.has(path)), edited: [...edited] };
}

/** All text that edits took out and put in, with paths and commands: what a summary's claims can be checked against. */
export function editedText(toolUses: readonly ToolUse[]): string[] {
  return toolUses.flatMap((use) => {
    if (use.name === "Bash") return [field(use.input, "command")];
    if (!editing.has(use.name)) return [];
    const input: unknown = use.input;
    const edits =
      typeof input === "object" && input !== null && "edits" in input && Array.isArray(input.edits)
        ? input.edits
        : [input];
    return [
      field(input, "file_path"),
      ...edits.flatMap((edit: unknown) =>
        ["old_string", "new_string", "content", "new_source"].map((name) => field(edit, name)),
      ),
    ];
  });
}

/** Open items of the last to-do list written, when the skip list let it through. */
export function openTodos(toolUses: readonly ToolUse[]): string[] {
  const last = toolUses.findLast((use) => use.name === "TodoWrite" && use.error === undefined);
  const input: unknown = last?.input;
  const todos =
    typeof input === "object" && input !== null && "todos" in input ? input.todos : undefined;
  if (!Array.isArray(todos)) return [];
  return todos
    .flatMap((todo: unknown) =>
      field(todo, "status") === "completed" ? [] : [field(todo, "content")],
    )
    .filter((text) => text !== "");
}

function field(value: unknown, name: string): string {
  if (typeof value !== "object" || value === null) return "";
  const found = (value as Record<string, unknown>)[name];
  return typeof found === "string" ? found : "";
}
