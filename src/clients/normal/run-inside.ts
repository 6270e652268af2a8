// How a client runs memoir: the variables that it must not hand on, and text for a file of memoir's inside the client, which stands
// alone and must never harm it.

import runMemoir from "./run-inside.js.txt" with { type: "text" };

// What every program made with Bun obeys before its own first line.

/**
 * Variables set to nothing for what runs memoir inside a client. With a debugger's address or options of somebody's in the
 * environment it would wait for ever, run another's code or print its help. `BUN_JSC_*` has too many names, and is refused
 * by Bun itself where one is wrong.
 */
export const deafened: readonly string[] = [
  "BUN_BE_BUN",
  "BUN_OPTIONS",
  "BUN_INSPECT",
  "BUN_INSPECT_CONNECT_TO",
  "BUN_CONFIG_VERBOSE_FETCH",
];

/** Without `node:`, as the release build gives that name another meaning wherever it stands. */
export const spawnImport = 'import { spawn } from "child_process";';

/** A function of the file's own; it needs the import. */
export const runInside = runMemoir;
