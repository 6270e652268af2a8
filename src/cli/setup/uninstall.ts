// `memoir uninstall [clients…]`: restores settings; without names it also stops the server and removes the binary. The memory stays unless it is asked for.
import { readdir, rm, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { ledgerFile } from "../../home/database/intact.ts";
import { findingsFile, rebuildFile } from "../../home/findings.ts";
import type { Paths } from "../../home/paths.ts";
import {
  mcpPlacesPath,
  skillRecordPath,
  takeSkill,
  unregisterMcp,
} from "../../install/agent-tools.ts";
import { clientLedgerPath, type FileReturn, ledgerPath } from "../../install/file-change.ts";
import { readGatewayRecord } from "../../install/gateway-settings.ts";
import { applyRestoration, enabledAsPlugin, planRestoration } from "../../install/settings.ts";
import { withdrawSdk } from "../../runtime/plugins/sdk-module.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { size } from "../../text/amounts.ts";
import type { OptionsOf } from "../commands/declared.ts";
import type { setupCommands } from "../commands/setup.ts";
import { takeGatewayBack } from "../endless/gateway.ts";
import { gatewaySessions, standInNote, stopForSessions } from "../server/start-stop.ts";
import { agreed, answer, printDiff, sayDone } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { planSettingsBack } from "./claude-code.ts";
import { type Chosen, chosenClients, planReturns, returnClients } from "./clients.ts";
import { type Setup, setupOf } from "./setup.ts";

export type UninstallOptions = OptionsOf<(typeof setupCommands)["uninstall"]>;

/** Uninstalls memoir, or removes it from the clients that are named. Gives exit code 0, or 1 when the person at the terminal said no. Safe to repeat. */
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
  restored: "restored byte for byte",
  removed: "removed: install created it",
  cleaned: "memoir removed; the rest was changed since the install and stays",
  untouched: "nothing of memoir in it",
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
    /** Gives in words what else memoir was removed from. */
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
        ...mcp.map((file) => `${file}: MCP server memoir removed`),
      ];
    },
  };
}

type Files = Awaited<ReturnType<typeof planFiles>>;

const withoutDiff = ({ path, how }: Files["all"][number]) => ({ path, how });

async function uninstallClients(
  chosen: Chosen,
  options: UninstallOptions,
  terminal: Terminal,
): Promise<number> {
  if (options.deleteMemory)
    throw new MemoirError("usage", "All clients share one memory.", {
      fix: "Name no client to uninstall all of memoir, or leave out `--delete-memory`.",
    });
  const files = await planFiles(setupOf(terminal), terminal, chosen);
  const report = { files: files.all.map(withoutDiff) };
  if (options.dryRun) return dryRun(report, files, [], options, terminal);
  const named = chosen.others.map(({ title }) => title).join(", ") || "Claude Code";
  if (!(await agreed(`Remove memoir from ${named}?`, options, terminal, howAsked)))
    return unchanged(terminal, 1);
  const freed = await files.giveBack();
  const done = { ...report, freed: freed.map((one) => one.split(": ")[0]) };
  return answer(terminal, options, done, () => {
    const lines = doneLines(files, freed);
    for (const line of lines) sayDone(line, terminal);
    if (lines.length === 0) sayDone("settings: nothing of memoir in them", terminal);
    return ["The program, the memory and other clients stay as they are."];
  });
}

const howAsked = {
  onEnter: true,
  fix: "Pass --yes to confirm: the memory stays. --dry-run shows what would change.",
};

function unchanged({ print }: Terminal, code: number): number {
  print("Nothing was changed.");
  return code;
}

/** Prints what would become of the files, and of the rest in words. Gives 0. */
function dryRun(
  report: object,
  { all }: Files,
  rest: readonly string[],
  options: UninstallOptions,
  terminal: Terminal,
): Promise<number> {
  return answer(terminal, options, { ...report, dryRun: true }, () => {
    terminal.print("Uninstalling would change:");
    for (const { path, how, diff } of all) {
      terminal.print(`${path}: ${words[how]}`);
      if (diff.length > 0) printDiff(path, diff, terminal);
    }
    return [...rest, "Nothing was changed."];
  });
}

function doneLines({ all }: Files, freed: readonly string[]): string[] {
  return [...all.map(({ path, how }) => `${path}: ${words[how]}`), ...freed];
}

// All of it.

/** Of what a report tells, what is put into words here. */
interface Going {
  gateway: string | null;
  skill: string | null;
  mcp: readonly string[];
  /** The home, where it stays. */
  memory: string | null;
  plugin: string | null;
}

/** What goes beside the clients' files, and what stays; `home` and `binary` are paths. */
function sayingOf(
  { gateway, skill, mcp, memory, plugin }: Going,
  home: string,
  binary: string,
): { changes: string[]; stays: string[] } {
  return {
    changes: [
      ...(gateway ? [`${gateway}: no longer uses memoir's gateway`] : []),
      ...(skill === null ? [] : [`${skill}: removed`]),
      ...mcp.map((file) => `${file}: MCP server memoir removed`),
      "server: stopped",
      `${binary}: removed`,
      ...(memory === null
        ? [`${home}: the memory deleted, with config, keys, logs and backups`]
        : []),
    ],
    stays: [
      ...(memory === null
        ? []
        : [
            `The memory stays in ${home}, with config, plugins, logs and backups; \`memoir install\` uses it again.`,
          ]),
      // The client keeps its plugins itself.
      ...(plugin === null
        ? []
        : [
            `The Claude Code plugin ${plugin} stays; it does nothing without the binary. Remove it in Claude Code: \`/plugin uninstall ${plugin}\`.`,
          ]),
    ],
  };
}

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
  const openNote = open > 0 ? [standInNote({ gatewaySessions: open, standsIn: true })] : [];
  const { changes, stays } = sayingOf(report, home, binary);
  if (options.dryRun)
    return dryRun(report, files, [...changes, ...openNote, ...stays], options, terminal);
  // A warning is said also to whoever agreed beforehand; what goes, to whoever is asked.
  if (!options.json) for (const note of openNote) terminal.print(note);
  if (!options.yes && !options.json)
    for (const line of [
      "Uninstalling changes:",
      ...doneLines(files, changes).map((line) => `  ${line}`),
      ...stays,
    ])
      terminal.print(line);
  const agreement = await agreementOf(options, terminal, home);
  if (agreement === "no") return unchanged(terminal, 1);
  const wasThere = (await programsIn(paths.bin)).length > 0;
  // First: what install wrote is below what the gateway wrote.
  if (gateway) await takeGatewayBack(home);
  const freed = await files.giveBack();
  // Before the stop: a session that is still open would start the server again.
  const stop = await stopForSessions(paths, () =>
    rm(binary, { force: true }).catch(() => undefined),
  );
  await removeProgram(paths);
  const left = await programsIn(paths.bin);
  if (agreement === "all") await removeMemory(paths);

  const { stopped, standsIn } = stop;
  const done = { ...report, standsIn, stopped, binaryLeft: left.length > 0, left };
  return answer(terminal, options, done, () => {
    const lines = [
      ...doneLines(files, []),
      ...(gateway ? [`${gateway.settings}: no longer uses memoir's gateway`] : []),
      ...freed,
      ...(files.settings.length === 0 ? ["settings: no hook of memoir in them"] : []),
      stopped ? "server: stopped" : "server: not running",
    ];
    for (const line of lines) sayDone(line, terminal);
    if (open > 0 && !standsIn) terminal.print(standInNote(stop));
    if (left.length === 0) sayDone(`binary: ${wasThere ? "removed" : "not there"}`, terminal);
    for (const { path, bytes } of left)
      sayDone(
        `binary: in use; delete ${path} (${size(bytes)}) when no session runs it any more`,
        terminal,
      );
    return [...(agreement === "all" ? [`The memory in ${home} is deleted.`] : []), ...stays];
  });
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
  const question = `Delete the memory in ${home} too? You can't do that with memoir afterwards.`;
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

// Removes what memoir keeps, by name: a home that holds somebody else's files keeps them.

/** Removes the program and what only a running server needs; memory, config, plugins, logs and backups stay. */
export async function removeProgram(paths: Paths): Promise<void> {
  const { bin, nodeModules, hookDeadlines, token, serverInfo, serverLock, socket } = paths;
  const { inFlight, cache } = paths;
  await withdrawSdk(paths).catch(() => undefined);
  for (const path of [bin, hookDeadlines, token, serverInfo, serverLock, socket, inFlight, cache])
    await rm(path, { recursive: true, force: true }).catch(() => undefined);
  for (const folder of [nodeModules, `${paths.home}/backups`])
    await rmdir(folder).catch(() => undefined);
}

/** Removes all the rest of what is memoir's own, and the home when nothing else is in it. */
export async function removeMemory(paths: Paths): Promise<void> {
  const { home, config, lastConfig, keys, spool, logs, plugins, pauses, trust, trusted } = paths;
  for (const path of [
    config,
    lastConfig,
    keys,
    spool,
    logs,
    trust,
    trusted,
    pauses,
    ledgerPath(home),
    mcpPlacesPath(home),
    clientLedgerPath(home),
    skillRecordPath(home),
    `${home}/backups`,
    findingsFile(home),
    rebuildFile(home),
    // The memory files, undo logs of transcripts, outcomes of moments, hashes of what was forgotten, counts of what was lost, by
    // which rules was redacted, the newest release seen.
    ...[
      "memory",
      "endless",
      "moments.json",
      "forgotten",
      "forgetting.json",
      "unkept",
      "redacted.json",
      "upgrade.json",
    ].map((name) => `${home}/${name}`),
    // Which sessions the gateway led; what stands in for it has read it by now.
    ...["sessions.json", "proxy.json", "stand-in.json", "stand-in.leave"].map(
      (name) => `${home}/gateway-${name}`,
    ),
    ledgerFile(home),
  ])
    await rm(path, { recursive: true, force: true });
  // Databases have companions: a write-ahead log, shared memory, and files that were put aside as damaged.
  for (const name of await readdir(home).catch(() => []))
    if (
      /^(?:journal|memory|usage|endless|endless-gateway|semantic-search)\.db|^server\./.test(name)
    )
      await rm(join(home, name), { force: true });
  for (const folder of [plugins, home]) await rmdir(folder).catch(() => undefined);
}
