// Shows how a file would change.
import type { Terminal } from "./terminal.ts";

/** Prints the lines of a diff below the file's name; says so when there are none. */
export function printDiff(path: string, diff: readonly string[], terminal: Terminal): void {
  const { green, red, dim, bold } = terminal.colors;
  if (diff.length === 0) {
    terminal.print(`${path} would stay as it is.`);
    return;
  }
  terminal.print(bold(path));
  for (const line of diff) {
    const paint = line.startsWith("+") ? green : line.startsWith("-") ? red : dim;
    terminal.print(paint(`  ${line}`));
  }
}
