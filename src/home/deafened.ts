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
