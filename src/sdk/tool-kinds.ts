// What the coding client's own tools do, by their names. Apart from the contract: clients differ, and `memoir/strategy` hands it out.

/** Tools that change a file. */
export const changingTools: ReadonlySet<string> = new Set([
  "Edit",
  "MultiEdit",
  "Write",
  "NotebookEdit",
]);

/** Tools that read one. */
export const readingTools: ReadonlySet<string> = new Set(["Read", "NotebookRead"]);

/** Tools that look at something and do nothing. */
export const lookingTools: ReadonlySet<string> = new Set([
  ...readingTools,
  ...["Grep", "Glob", "LS", "BashOutput", "TaskOutput", "TaskGet", "TaskList", "ToolSearch"],
]);

/** Tools that run a command line. */
export const shellTools: ReadonlySet<string> = new Set(["Bash", "PowerShell"]);

/**
 * Below the client's own folder: its plans, the memory that it keeps of a project, outputs that it put aside. In a folder of
 * another name the part below it tells.
 */
const clientFile =
  /[\\/]\.claude[\\/](?:plans|todos|tasks)[\\/]|[\\/]projects[\\/]-[^\\/]*[\\/](?:memory|[\w-]+[\\/]tool-results)[\\/]/;

/** True for the absolute path of a file that the client writes for itself: none of the project's. */
export function isClientFile(path: string): boolean {
  return /^(?:[\\/~]|[A-Za-z]:)/.test(path) && clientFile.test(path);
}
