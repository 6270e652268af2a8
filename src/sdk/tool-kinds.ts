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
