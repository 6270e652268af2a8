// Which files tool uses read and changed, as their inputs say; and which paths a text may rightly name.

import type { ToolUse } from "../sdk/work.ts";
import { baseName } from "../text/base-name.ts";
import type { Paths } from "../text/prose/paths.ts";

const pathKeys = ["file_path", "notebook_path", "path", "filePath"];
const writing = /^(?:write|edit|multiedit|notebookedit|str_replace|create|apply_patch|update)/i;

/** Paths relative to the project, in the order they were touched. */
export interface TouchedFiles {
  read: string[];
  modified: string[];
}

/** A file that is changed is not listed as read. A failed tool use changed nothing. */
export function touchedFiles(toolUses: readonly ToolUse[], paths: Paths): TouchedFiles {
  const read = new Set<string>();
  const modified = new Set<string>();
  for (const use of toolUses) {
    const path = pathOf(use.input);
    if (path === undefined) continue;
    if (writing.test(use.name) && use.error === undefined) modified.add(paths.relative(path));
    else if (/^(?:read|notebookread|view)/i.test(use.name)) read.add(paths.relative(path));
  }
  return { read: [...read].filter((path) => !modified.has(path)), modified: [...modified] };
}

function pathOf(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  for (const key of pathKeys) {
    const value: unknown = Reflect.get(input, key);
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

/**
 * Sorts the files that a model named into read and modified. A path that neither a tool use touched nor the shown
 * text holds is left out. `evidence` is everything that was shown.
 */
export function backedFiles(
  named: readonly string[],
  touched: TouchedFiles,
  evidence: string,
  paths: Paths,
): TouchedFiles {
  const read = new Set<string>();
  const modified = new Set<string>();
  for (const name of named) {
    const path = paths.relative(
      name
        .trim()
        .replace(/^[`'"]|[`'"]$/g, "")
        .replace(/:\d+(?:[-:]\d+)?$/, ""),
    );
    if (path === "" || path.length > 400 || /[\n<>|*?]/.test(path)) continue;
    const same = (other: string) => other === path || other.endsWith(`/${path}`);
    const changed = touched.modified.find(same);
    const looked = touched.read.find(same);
    if (changed !== undefined) modified.add(changed);
    else if (looked !== undefined) read.add(looked);
    else if (/[./]/.test(path) && baseName(path).length > 2 && evidence.includes(path))
      read.add(path);
  }
  return { read: [...read], modified: [...modified] };
}
