// `memoir uninstall <client>…`: these clients' settings as they were; the program, the memory and the other clients stay.
import type { Client } from "../../clients/adapter.ts";
import { unregisterMcp } from "../../install/mcp.ts";
import { applyRestoration } from "../../install/register.ts";
import { takeSkill } from "../../install/skill.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { printDiff } from "../terminal/print-diff.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type Chosen, planReturns, returnClients } from "./clients.ts";
import { planAll, type UninstallOptions, words } from "./settings-back.ts";
import { setupOf } from "./setup.ts";

/** Gives exit code 0, or 1 when the person at the terminal said no. Safe to repeat. */
export async function uninstallClients(
  chosen: Chosen,
  options: UninstallOptions,
  terminal: Terminal,
): Promise<number> {
  if (options.deleteMemory)
    throw new MemoirError("usage", "The memory belongs to all clients together.", {
      fix: "Name no client to uninstall all of memoir, or leave `--delete-memory` out.",
    });
  const setup = setupOf(terminal);
  const { home } = setup.paths;
  const returns = await planReturns(setup, terminal, chosen.others);
  const settings = chosen.claudeCode
    ? (await planAll(home, terminal)).filter(({ how, entry }) => how !== "untouched" || entry)
    : [];
  const files = [
    ...settings.map(({ file, how, diff }) => ({ path: file.path, how, diff })),
    ...returns.flatMap((plan) => plan.returns),
  ].map(({ path, how, diff }) => ({ path, how, diff }));
  const report = files.map(({ path, how }) => ({ path, how }));
  if (options.dryRun) {
    if (options.json) terminal.print(JSON.stringify({ files: report, dryRun: true }));
    else {
      for (const { path, how, diff } of files) {
        terminal.print(`${path}: ${words[how]}`);
        if (diff.length > 0) printDiff(path, diff, terminal);
      }
      terminal.print("Nothing was changed.");
    }
    return 0;
  }
  if (!options.yes && !(await mayGo(chosen.others, options, terminal))) {
    terminal.print("Nothing was changed.");
    return 1;
  }
  await returnClients(home, returns);
  const freed: string[] = [];
  if (chosen.claudeCode) {
    // Before the settings: their folder may have been made by install, and must be empty to go.
    const skill = await takeSkill(home);
    if (skill !== undefined) freed.push(skill);
    for (const plan of settings) await applyRestoration(home, plan);
    freed.push(...(await unregisterMcp(home)));
  }
  if (options.json) {
    terminal.print(JSON.stringify({ files: report, freed }));
    return 0;
  }
  const done = (text: string) => terminal.print(`${terminal.colors.green("✓")} ${text}`);
  for (const { path, how } of report) done(`${path}: ${words[how]}`);
  for (const path of freed) done(`${path}: freed of memoir`);
  if (report.length + freed.length === 0) done("settings: had nothing of memoir's");
  terminal.print("The program, the memory and other clients stay as they are.");
  return 0;
}

async function mayGo(
  others: readonly Client[],
  { json }: UninstallOptions,
  terminal: Terminal,
): Promise<boolean> {
  if (!terminal.interactive || json)
    throw new MemoirError("usage", "Nobody is here to be asked whether to uninstall.", {
      fix: "Say `--yes`: the memory stays. `--dry-run` shows what would change.",
    });
  const named = others.map(({ title }) => title).join(", ") || "Claude Code";
  return terminal.confirm(`Take memoir out of ${named}?`);
}
