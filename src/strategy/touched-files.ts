// Which files tool uses read and changed, as their inputs say; and which paths a text may rightly name.
import { isClientFile } from "../sdk/tool-names.ts";
import type { ToolUse } from "../sdk/work.ts";
import type { Paths } from "../text/prose/plain.ts";
import { baseName, dropOldest, textField } from "../text/text.ts";

const pathKeys = ["file_path", "notebook_path", "path", "filePath"];
const writing = /^(?:write|edit|multiedit|notebookedit|str_replace|create|apply_patch|update)/i;
const reading = /^(?:read|notebookread|view)/i;

/** Paths relative to the project, in the order they were touched. */
export interface TouchedFiles {
  read: string[];
  modified: string[];
}

/** A file that is modified is not listed as read; `made` were not there before. A failed tool use touched nothing. */
export function touchedFiles(
  toolUses: readonly ToolUse[],
  paths: Paths,
): TouchedFiles & { made: string[] } {
  const read = new Set<string>();
  const modified = new Set<string>();
  const made = new Set<string>();
  for (const { name, input, response, error } of toolUses) {
    const path = textField(input, ...pathKeys);
    if (path === "" || error !== undefined || isClientFile(path)) continue;
    const shown = paths.relative(path);
    if (writing.test(name)) {
      modified.add(shown);
      if (textField(response, "type") === "create") made.add(shown);
    } else if (reading.test(name)) read.add(shown);
  }
  return {
    read: [...read].filter((path) => !modified.has(path)),
    modified: [...modified],
    made: [...made],
  };
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

// Remembers what each session got, so that nothing is said twice. Bounded; lost on restart without harm.

/** What was said (ids, or keys of a plugin's own), by session. */
export interface Said {
  has(session: string, what: string): boolean;
  add(session: string, whats: readonly string[]): void;
  /** True the first time; from then on it counts as said. */
  isNew(session: string, what: string): boolean;
  /** The session's context was cleared: all may be said again. */
  forget(session: string): void;
}

/** Of at most `mostSessions` sessions, `most` things each; the oldest go first. */
export function createSaid(mostSessions = 300, most = 500): Said {
  const sessions = new Map<string, Set<string>>();

  const has = (session: string, what: string) => sessions.get(session)?.has(what) ?? false;

  function add(session: string, whats: readonly string[]): void {
    const said = sessions.get(session) ?? new Set<string>();
    for (const what of whats) said.add(what);
    dropOldest(said, most);
    sessions.delete(session);
    sessions.set(session, said);
    dropOldest(sessions, mostSessions);
  }

  return {
    has,
    add,
    isNew(session, what) {
      if (has(session, what)) return false;
      add(session, [what]);
      return true;
    },
    forget: (session) => void sessions.delete(session),
  };
}
