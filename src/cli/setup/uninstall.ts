// `memoir uninstall [clients…]`: settings as they were; without names also the server stopped and the binary gone. The memory stays unless it is asked for.
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { FileReturn } from "../../install/file-change.ts";
import { readGatewayRecord } from "../../install/gateway-settings.ts";
import { unregisterMcp } from "../../install/mcp.ts";
import { enabledAsPlugin } from "../../install/plugin-presence.ts";
import { applyRestoration, planRestoration } from "../../install/register.ts";
import { removeMemory, removeProgram } from "../../install/remove-home.ts";
import { takeSkill } from "../../install/skill.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { size } from "../../text/amounts.ts";
import type { OptionsOf } from "../commands/declared.ts";
import type { setupCommands } from "../commands/setup.ts";
import { takeGatewayBack } from "../endless/gateway.ts";
import { gatewaySessions, standInNote, standInTookOver, startStandIn } from "../server/stand-in.ts";
import { stopServer } from "../server/stop.ts";
import { agreed, inJson, sayDone } from "../terminal/agree.ts";
import { printDiff } from "../terminal/print-diff.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { planSettingsBack } from "./claude-code.ts";
import { type Chosen, chosenClients, planReturns, returnClients } from "./clients.ts";
import { type Setup, setupOf } from "./setup.ts";

export type UninstallOptions = OptionsOf<(typeof setupCommands)["uninstall"]>;

/** Uninstalls memoir, or takes it out of the clients that are named. Gives exit code 0, or 1 when the person at the terminal said no. Safe to repeat. */
export async function uninstall(
  names: readonly string[],
  options: UninstallOptions,
  terminal: Terminal,
): Promise<number> {
  if (names.length === 0) return uninstallAll(options, terminal);
  return uninstallClients(await chosenClients(names, false, terminal), options, terminal);
}

// The files of clients, for both.

/** What becomes of a file, in words. */
const words: Record<FileReturn["how"], string> = {
  restored: "given back byte for byte",
  removed: "removed: install had made it",
  cleaned: "freed of memoir; somebody changed it since the install",
  untouched: "has nothing of memoir's",
};

/** What the files of these clients become; absent: of all in which memoir stands. */
async function planFiles(setup: Setup, terminal: Terminal, chosen?: Chosen) {
  const { home } = setup.paths;
  const returns = await planReturns(setup, terminal, chosen?.others);
  const isOurs = chosen === undefined || chosen.claudeCode;
  const settings = isOurs ? await planSettingsBack(home, terminal) : [];
  const others = returns.flatMap((plan) => plan.returns);
  return {
    settings,
    returns,
    all: [...settings, ...others],
    /** Gives what else was freed of memoir, in words. */
    async giveBack(): Promise<string[]> {
      await returnClients(home, returns);
      if (!isOurs) return [];
      // Before the settings: their folder may have been made by install, and must be empty to go.
      const skill = await takeSkill(home);
      for (const { path } of settings)
        await applyRestoration(home, await planRestoration(home, path));
      const mcp = await unregisterMcp(home);
      return [
        ...(skill === undefined ? [] : [`${skill}: removed`]),
        ...mcp.map((file) => `${file}: freed of the MCP server memoir`),
      ];
    },
  };
}

type Files = Awaited<ReturnType<typeof planFiles>>;

const withoutDiff = ({ path, how }: Files["all"][number]) => ({ path, how });

function printFiles({ all }: Files, terminal: Terminal): void {
  for (const { path, how, diff } of all) {
    terminal.print(`${path}: ${words[how]}`);
    if (diff.length > 0) printDiff(path, diff, terminal);
  }
}

async function uninstallClients(
  chosen: Chosen,
  options: UninstallOptions,
  terminal: Terminal,
): Promise<number> {
  if (options.deleteMemory)
    throw new MemoirError("usage", "The memory belongs to all clients together.", {
      fix: "Name no client to uninstall all of memoir, or leave `--delete-memory` out.",
    });
  const files = await planFiles(setupOf(terminal), terminal, chosen);
  const report = { files: files.all.map(withoutDiff) };
  if (options.dryRun) {
    if (options.json) terminal.print(JSON.stringify({ ...report, dryRun: true }));
    else {
      printFiles(files, terminal);
      terminal.print("Nothing was changed.");
    }
    return 0;
  }
  const named = chosen.others.map(({ title }) => title).join(", ") || "Claude Code";
  if (!(await agreed(`Take memoir out of ${named}?`, options, terminal, howAsked))) {
    terminal.print("Nothing was changed.");
    return 1;
  }
  const freed = await files.giveBack();
  if (inJson({ ...report, freed: freed.map((one) => one.split(": ")[0]) }, options, terminal))
    return 0;
  for (const { path, how } of files.all) sayDone(`${path}: ${words[how]}`, terminal);
  for (const one of freed) sayDone(one, terminal);
  if (files.all.length + freed.length === 0) sayDone("settings: had nothing of memoir's", terminal);
  terminal.print("The program, the memory and other clients stay as they are.");
  return 0;
}

const howAsked = {
  onEnter: true,
  fix: "Pass --yes to confirm: the memory stays. --dry-run shows what would change.",
};

// All of it.

/** Long because it is the order of what is given back. */
async function uninstallAll(options: UninstallOptions, terminal: Terminal): Promise<number> {
  const setup = setupOf(terminal);
  const { paths, binary } = setup;
  const { home } = paths;
  const files = await planFiles(setup, terminal);
  const open = await gatewaySessions(paths);
  const gateway = await readGatewayRecord(home);
  const report = {
    mcp: await unregisterMcp(home, true).catch(() => []),
    skill: (await takeSkill(home, true)) ?? null,
    gatewaySessions: open,
    gateway: gateway?.settings ?? null,
    plugin: (await enabledAsPlugin(terminal.env, terminal.cwd))?.plugin ?? null,
    settings: files.settings.map(withoutDiff),
    clients: files.returns.map(({ client, returns }) => ({
      client: client.name,
      files: returns.map(withoutDiff),
    })),
    memory: options.deleteMemory ? null : home,
  };
  // The client keeps its plugins itself.
  const pluginNote = `The Claude Code plugin ${report.plugin} stays, silent without the binary: \`/plugin uninstall ${report.plugin}\` in Claude Code takes it out.`;
  const memoryStays = `The memory stays in ${home}; \`memoir install\` takes it up again.`;

  if (options.dryRun) {
    if (options.json) terminal.print(JSON.stringify({ ...report, dryRun: true }));
    else {
      printFiles(files, terminal);
      if (open > 0) terminal.print(standInNote(open, true));
      if (gateway) terminal.print(`${gateway.settings}: would lead past memoir's gateway again.`);
      if (report.skill !== null) terminal.print(`Would remove the skill ${report.skill}.`);
      for (const file of report.mcp)
        terminal.print(`Would take the MCP server memoir out of ${file}.`);
      terminal.print(`Would stop the server and remove ${binary}.`);
      terminal.print(options.deleteMemory ? `Would delete the memory in ${home}.` : memoryStays);
      if (report.plugin !== null) terminal.print(pluginNote);
      terminal.print("Nothing was changed.");
    }
    return 0;
  }

  if (open > 0 && !options.json) terminal.print(standInNote(open, true));
  const agreement = await agreementOf(options, terminal, home);
  if (agreement === "no") {
    terminal.print("Nothing was changed.");
    return 1;
  }
  const deleteMemory = agreement === "all";
  // First: what install wrote stands below what the gateway wrote.
  if (gateway) await takeGatewayBack(home);
  const freed = await files.giveBack();
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
    const done = { ...report, standsIn, stopped, binaryLeft: left.length > 0, left };
    terminal.print(JSON.stringify(done));
    return 0;
  }
  for (const { path, how } of files.all) sayDone(`${path}: ${words[how]}`, terminal);
  if (gateway) sayDone(`${gateway.settings}: leads past memoir's gateway again`, terminal);
  for (const one of freed) sayDone(one, terminal);
  if (files.settings.length === 0) sayDone("settings: had no hook of memoir's", terminal);
  sayDone(stopped ? "server: stopped" : "server: none was running", terminal);
  if (open > 0 && !standsIn) terminal.print(standInNote(open, false));
  if (left.length === 0) sayDone("binary: removed", terminal);
  for (const { path, bytes } of left)
    sayDone(
      `binary: in use; delete ${path} (${size(bytes)}) once no session runs it any more`,
      terminal,
    );
  terminal.print(deleteMemory ? `The memory in ${home} is deleted.` : memoryStays);
  if (report.plugin !== null) terminal.print(pluginNote);
  return 0;
}

/** What is agreed to: nothing, all but the memory, or all. Throws `usage` where nobody is there to be asked and nothing was said. */
async function agreementOf(
  options: UninstallOptions,
  terminal: Terminal,
  home: string,
): Promise<"no" | "program" | "all"> {
  const ask = (question: string, onEnter: boolean) =>
    agreed(question, options, terminal, { ...howAsked, onEnter });
  if (options.deleteMemory)
    return (await ask(`Uninstall memoir and delete everything in ${home}?`, false)) ? "all" : "no";
  if (!(await ask("Uninstall memoir?", true))) return "no";
  if (options.yes) return "program";
  const question = `Delete the memory in ${home} too? Afterwards no memoir is here to do it.`;
  return (await ask(question, false)) ? "all" : "program";
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
