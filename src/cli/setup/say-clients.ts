// What an install says of clients beside Claude Code: before it asks, instead of doing it, and when it is done.
import { printDiff } from "../terminal/print-diff.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { ClientDone, ClientPlan } from "./clients.ts";

/** What an install is about to do, before it asks. */
export function intentions(plans: readonly ClientPlan[]): string[] {
  return plans.flatMap(({ client, changes, problem }) => {
    if (problem !== undefined) return [`${client.title}: ${problem}`];
    const files = changes.filter(({ diff }) => diff.length > 0).map(({ path }) => path);
    return files.length === 0 ? [] : [`${client.title}: adds itself to ${files.join(" and ")}.`];
  });
}

/** What `--dry-run` shows. */
export function printPlans(plans: readonly ClientPlan[], terminal: Terminal): void {
  for (const { client, changes, notes, problem } of plans) {
    if (problem !== undefined) terminal.print(`${client.title}: ${problem}`);
    for (const { path, diff } of changes) printDiff(path, diff, terminal);
    for (const note of notes) terminal.print(`${client.title}: ${note}`);
  }
}

/** What was done. */
export function printDone(done: readonly ClientDone[], terminal: Terminal): void {
  const { green, yellow, dim } = terminal.colors;
  for (const { title, files, backups, notes, problem } of done) {
    if (problem !== null) {
      terminal.warn(`${yellow("!")} ${title}: ${problem}`);
      continue;
    }
    const changed = files.filter(({ changed: isChanged }) => isChanged).map(({ path }) => path);
    const where = changed.length > 0 ? changed.join(", ") : dim("(was there already)");
    terminal.print(`${green("✓")} ${title}: ${where}`);
    for (const backup of backups) terminal.print(`${green("✓")} backup: ${backup}`);
    for (const note of notes) terminal.print(`${yellow("!")} ${title}: ${note}`);
  }
}
