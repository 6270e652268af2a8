// What an install says of clients beside Claude Code: before it asks, instead of doing it, and when it is done.
import type { Client } from "../../clients/adapter.ts";
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

/** What becomes of the work in these clients from now on; those that could not be registered are left out. */
export function afterwards(
  wanted: readonly Client[],
  done: readonly ClientDone[],
  terminal: Terminal,
): string {
  const failed = new Set(done.flatMap(({ client, problem }) => (problem === null ? [] : client)));
  const clients = wanted.filter(({ name }) => !failed.has(name));
  if (clients.length === 0)
    return "No client runs memoir by this; what is said above keeps it out.";
  const titles = (way: "hooks" | "tools") =>
    clients.filter(({ abilities }) => abilities.way === way).map(({ title }) => title);
  const { bold } = terminal.colors;
  const heard = titles("hooks");
  return heard.length > 0
    ? `Work in ${joined(heard)} as always; ${bold("the next session knows what this one did")}.`
    : `In ${joined(titles("tools"))} your agent can now ask what other agents did; what it does itself is not kept.`;
}

function joined(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
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
