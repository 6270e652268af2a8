// `memoir uninstall`: settings as they were, server stopped, binary gone; the memory stays unless it is asked for.
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { readGatewayRecord } from "../../install/gateway-settings.ts";
import { unregisterMcp } from "../../install/mcp.ts";
import { enabledAsPlugin } from "../../install/plugin-presence.ts";
import { applyRestoration, planRestoration, type Restoration } from "../../install/register.ts";
import { removeMemory, removeProgram } from "../../install/remove-home.ts";
import { takeSkill } from "../../install/skill.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { size } from "../../text/amounts.ts";
import { takeGatewayBack } from "../endless/gateway.ts";
import { gatewaySessions, standInNote, standInTookOver, startStandIn } from "../server/stand-in.ts";
import { stopServer } from "../server/stop.ts";
import { printDiff } from "../terminal/print-diff.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type ClientReturn, planReturns, returnClients } from "./clients.ts";
import { planAll, type UninstallOptions, words } from "./settings-back.ts";
import { setupOf } from "./setup.ts";

/** Uninstalls; gives exit code 0, or 1 when the person at the terminal said no. Safe to repeat. Long because it is the order of what is given back. */
export async function uninstall(options: UninstallOptions, terminal: Terminal): Promise<number> {
  const setup = setupOf(terminal);
  const { paths, binary } = setup;
  const returns = await planReturns(setup, terminal);
  const plans = (await planAll(paths.home, terminal)).filter(
    ({ how, entry }) => how !== "untouched" || entry,
  );
  const mcp = await unregisterMcp(paths.home, true).catch(() => []);
  const skill = await takeSkill(paths.home, true);
  const gateway = await readGatewayRecord(paths.home);
  const open = await gatewaySessions(paths);
  const plugin = (await enabledAsPlugin(terminal.env, terminal.cwd))?.plugin;
  const report = {
    mcp,
    skill: skill ?? null,
    gatewaySessions: open,
    gateway: gateway?.settings ?? null,
    plugin: plugin ?? null,
    settings: plans.map(({ file, how }) => ({ path: file.path, how })),
    clients: returns.map(({ client, returns: files }) => ({
      client: client.name,
      files: files.map(({ path, how }) => ({ path, how })),
    })),
    memory: options.deleteMemory ? null : paths.home,
  };

  if (options.dryRun) {
    if (options.json) terminal.print(JSON.stringify({ ...report, dryRun: true }));
    else
      printPlan({ ...report, plans, returns, open, binary, home: paths.home }, options, terminal);
    return 0;
  }

  if (open > 0 && !options.json) terminal.print(standInNote(open, true));
  const agreement = await agreementOf(options, terminal, paths.home);
  if (agreement === "no") {
    terminal.print("Nothing was changed.");
    return 1;
  }
  const deleteMemory = agreement === "all";
  // First: what install wrote stands below what the gateway wrote.
  if (gateway) await takeGatewayBack(paths.home);
  // Before the settings: their folder may have been made by install, and must be empty to go.
  const unskilled = await takeSkill(paths.home);
  for (const { file } of plans)
    await applyRestoration(paths.home, await planRestoration(paths.home, file.path));
  await returnClients(paths.home, returns);
  const freed = await unregisterMcp(paths.home);
  // Before the binary goes: it is what stands in for open sessions.
  const came = open > 0 && (await startStandIn(paths));
  // Before the stop: a session that is still open would start the server again.
  await rm(binary, { force: true }).catch(() => undefined);
  const stopped = await stopServer(paths);
  const standsIn = came && (await standInTookOver(paths));
  await removeProgram(paths);
  const left = await programsIn(paths.bin);
  if (deleteMemory) await removeMemory(paths);

  if (options.json) {
    terminal.print(
      JSON.stringify({ ...report, standsIn, stopped, binaryLeft: left.length > 0, left }),
    );
    return 0;
  }
  const done = (text: string) => terminal.print(`${terminal.colors.green("✓")} ${text}`);
  for (const { file, how } of plans) done(`${file.path}: ${words[how]}`);
  for (const { path, how } of returns.flatMap((plan) => plan.returns))
    done(`${path}: ${words[how]}`);
  if (gateway) done(`${gateway.settings}: leads past memoir's gateway again`);
  if (unskilled) done(`${unskilled}: removed`);
  for (const file of freed) done(`${file}: freed of the MCP server memoir`);
  if (plans.length === 0) done("settings: had no hook of memoir's");
  done(stopped ? "server: stopped" : "server: none was running");
  if (open > 0 && !standsIn) terminal.print(standInNote(open, false));
  if (left.length === 0) done("binary: removed");
  for (const { path, bytes } of left)
    done(`binary: in use; delete ${path} (${size(bytes)}) once no session runs it any more`);
  terminal.print(memoryNote(deleteMemory, paths.home));
  if (plugin !== undefined) terminal.print(pluginNote(plugin));
  return 0;
}

interface Plan {
  plans: readonly Restoration[];
  returns: readonly ClientReturn[];
  open: number;
  gateway: string | null;
  skill: string | null;
  mcp: readonly string[];
  plugin: string | null;
  binary: string;
  home: string;
}

/** What would be done. */
function printPlan(plan: Plan, { deleteMemory }: UninstallOptions, terminal: Terminal): void {
  const { plans, returns, open, gateway, skill, mcp, plugin, binary, home } = plan;
  for (const { file, how, diff } of plans) {
    terminal.print(`${file.path}: ${words[how]}`);
    if (diff.length > 0) printDiff(file.path, diff, terminal);
  }
  for (const { path, how, diff } of returns.flatMap((one) => one.returns)) {
    terminal.print(`${path}: ${words[how]}`);
    if (diff.length > 0) printDiff(path, diff, terminal);
  }
  if (open > 0) terminal.print(standInNote(open, true));
  if (gateway !== null) terminal.print(`${gateway}: would lead past memoir's gateway again.`);
  if (skill !== null) terminal.print(`Would remove the skill ${skill}.`);
  for (const file of mcp) terminal.print(`Would take the MCP server memoir out of ${file}.`);
  terminal.print(`Would stop the server and remove ${binary}.`);
  terminal.print(deleteMemory ? `Would delete the memory in ${home}.` : memoryNote(false, home));
  if (plugin !== null) terminal.print(pluginNote(plugin));
  terminal.print("Nothing was changed.");
}

/** The client keeps its plugins itself. */
function pluginNote(plugin: string): string {
  return `The Claude Code plugin ${plugin} stays, silent without the binary: \`/plugin uninstall ${plugin}\` in Claude Code takes it out.`;
}

/** What is agreed to: nothing, all but the memory, or all. Throws `usage` where nobody is there to be asked and nothing was said. */
async function agreementOf(
  { yes, json, deleteMemory = false }: UninstallOptions,
  terminal: Terminal,
  home: string,
): Promise<"no" | "program" | "all"> {
  if (yes) return deleteMemory ? "all" : "program";
  if (!terminal.interactive || json)
    throw new MemoirError("usage", "Nobody is here to be asked whether to uninstall.", {
      fix: "Say `--yes`: the memory stays then. `--dry-run` shows what would change.",
    });
  if (deleteMemory)
    return (await terminal.confirm(`Uninstall memoir and delete everything in ${home}?`, false))
      ? "all"
      : "no";
  if (!(await terminal.confirm("Uninstall memoir?"))) return "no";
  const question = `Delete the memory in ${home} too? Afterwards no memoir is here to do it.`;
  return (await terminal.confirm(question, false)) ? "all" : "program";
}

/** Programs that could not be removed: Windows keeps those that run, and one that was replaced while it ran, as `….old`. */
async function programsIn(bin: string): Promise<Array<{ path: string; bytes: number }>> {
  const names = await readdir(bin).catch(() => []);
  const found = names.sort().map(async (name) => {
    const path = join(bin, name);
    return { path, bytes: (await stat(path)).size };
  });
  return Promise.all(found);
}

function memoryNote(deleted: boolean, home: string): string {
  return deleted
    ? `The memory in ${home} is deleted.`
    : `The memory stays in ${home}; \`memoir install\` takes it up again.`;
}
