// Which files tool uses read, changed and made, as their inputs and results say.
import type { ToolUse } from "../../src/sdk/index.ts";
import type { Paths } from "../../src/text/index.ts";

/** Paths relative to the project, in the order they were touched. */
export interface Touched {
  read: string[];
  changed: string[];
  /** Of the changed ones, those that were not there before. */
  made: string[];
}

const writing = /^(?:write|edit|multiedit|notebookedit|str_replace|create|apply_patch|update)/i;
const reading = /^(?:read|notebookread|view)/i;
const pathKeys = ["file_path", "notebook_path", "path", "filePath"];

/** A failed tool use changed nothing; a file that was changed is not listed as read. */
export function touchedBy(uses: readonly ToolUse[], paths: Paths): Touched {
  const read = new Set<string>();
  const changed = new Set<string>();
  const made = new Set<string>();
  for (const { name, input, response, error } of uses) {
    const path = pathKeys.map((key) => fieldOf(input, key)).find((one) => one !== "");
    if (path === undefined || error !== undefined) continue;
    const shown = paths.relative(path);
    if (writing.test(name)) {
      changed.add(shown);
      if (fieldOf(response, "type") === "create") made.add(shown);
    } else if (reading.test(name)) read.add(shown);
  }
  return {
    read: [...read].filter((path) => !changed.has(path)),
    changed: [...changed],
    made: [...made],
  };
}

/** A text in a value of unknown shape; "" where there is none. */
export function fieldOf(value: unknown, key: string): string {
  if (typeof value !== "object" || value === null) return "";
  const found: unknown = Reflect.get(value, key);
  return typeof found === "string" ? found : "";
}
