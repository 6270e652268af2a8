// `memoir install`: the binary into memoir's home, its hooks into Claude Code's settings, the server into life.

import { claudeCode } from "../../clients/claude-code/client.ts";
import { errorMessage } from "../../home/describe-error.ts";
import { prepareHome } from "../../home/make-home.ts";
import { memoirHome } from "../../home/paths.ts";
import { readLedger } from "../../install/ledger.ts";
import {
  type McpRegistration,
  mcpEntry,
  planMcp,
  registerMcp,
  unregisterMcp,
} from "../../install/mcp.ts";
import { placeBinary } from "../../install/place-binary.ts";
import { applyRegistration, planRegistration } from "../../install/register.ts";
import { type Scope, settingsPath } from "../../install/settings-file.ts";
import { putSkill, skillPath, skillState, takeSkill } from "../../install/skill.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { stopServer } from "../server/stop.ts";
import { printDiff } from "../terminal/print-diff.ts";
import { reportError } from "../terminal/report-error.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type Chosen, clientsReport, othersHere, planClients, registerClients } from "./clients.ts";
import type { InstallOptions } from "./install-clients.ts";
import { checkBinary, nameToType, startServer } from "./installed-binary.ts";
import { afterwards, intentions, printDone, printPlans } from "./say-clients.ts";
import { type Setup, setupOf, sourceBinary, wantedRegistration } from "./setup.ts";

/**
 * Installs for Claude Code and `others`; gives exit code 0, or 1 when the person at the terminal said no or a client could
 * not be registered. Safe to repeat. Long because its steps stand in the order in which the person meets them.
 */
export async function install(
  options: InstallOptions,
  terminal: Terminal,
  others: Chosen["others"] = [],
): Promise<number> {
  const setup = setupOf(terminal);
  const { paths, binary } = setup;
  const source = await sourceBinary(options.binary, terminal.cwd);
  const { wanted, viaPlugin } = await wantedRegistration(setup, terminal);
  const path = settingsPath(options.scope, terminal.env, terminal.cwd);
  const server = mcpRegistration(options.scope, setup, terminal);
  const [mcpFile, isTaken] = viaPlugin ? [undefined, true] : await planned(server);
  // Somebody else's server of that name gets no rule; a project's settings are not for one person to decide.
  const allows = !isTaken && options.allowTools !== false && options.scope !== "project";
  const known = (await readLedger(paths.home)).find(({ settings }) => settings === path)?.allowed;
  const change = await planRegistration(path, wanted, { wish: allows ? "add" : "remove", known });
  const skill = viaPlugin ? "current" : await skillState(paths.home, terminal.env);
  const skillFile = skill === "missing" || skill === "old" ? skillPath(terminal.env) : undefined;
  const plans = await planClients(others, setup, terminal);
  const report = {
    home: paths.home,
    binary,
    settings: path,
    scope: options.scope,
    events: [...wanted.keys()],
    changed: change.diff.length > 0,
    mcp: mcpFile ?? null,
    allowed: change.newRules,
    skill: skillFile ?? null,
    viaPlugin: viaPlugin?.plugin ?? null,
    clients: clientsReport(plans),
  };

  if (options.dryRun) {
    if (options.json)
      terminal.print(JSON.stringify({ ...report, dryRun: true, diff: change.diff }));
    else {
      terminal.print(`Would copy ${source} to ${binary}.`);
      if (viaPlugin) terminal.print(pluginNote(viaPlugin.plugin));
      printDiff(path, change.diff, terminal);
      if (mcpFile) terminal.print(`Would add the MCP server memoir to ${mcpFile}.`);
      if (skillFile) terminal.print(`Would write the skill ${skillFile}.`);
      printPlans(plans, terminal);
      terminal.print("Nothing was changed.");
    }
    return 0;
  }

  const adds = intentions(plans);
  const changes = report.changed || adds.length > 0;
  const asks = terminal.interactive && !options.yes && !options.json && changes;
  if (asks) {
    terminal.print(`memoir will live in ${paths.home} and add its hooks to ${path}.`);
    for (const line of adds) terminal.print(line);
    if (mcpFile) terminal.print(`Its tools for the agent (MCP) go into ${mcpFile}.`);
    if (change.newRules.length > 0)
      terminal.print(
        "Those that only read will not ask you each time (`--no-allow-tools` leaves that to you).",
      );
    if (skillFile) terminal.print(`A skill that says when to search goes to ${skillFile}.`);
    if (!(await terminal.confirm("Go on?"))) {
      terminal.print("Nothing was changed.");
      return 1;
    }
  }

  await prepareHome(paths);
  const placed = await placeBinary(source, binary, (copy) => checkBinary(copy, source, terminal));
  const backup = await applyRegistration(paths.home, options.scope, change);
  const tools = await putMcp(server, viaPlugin !== undefined);
  // The client's plugin brings the skill with it.
  const skillPut = viaPlugin
    ? undefined
    : await putSkill(paths.home, terminal.env).catch((error: unknown) => {
        // Memory works without it.
        terminal.warn(`${terminal.colors.yellow("!")} skill: ${errorMessage(error)}`);
        return undefined;
      });
  if (viaPlugin) await takeSkill(paths.home);
  const registered = await registerClients(plans, setup);
  const code = registered.some(({ problem }) => problem !== null) ? 1 : 0;
  // What runs must be what was installed, also where both say the same version.
  const replaced = placed === "copied" && (await stopServer(paths));
  const started = await startServer(setup, terminal);
  const serverState = replaced ? started.replace(/^started/, "restarted") : started;
  if (options.json) {
    const done = { ...report, placed, backup: backup ?? null, server: serverState };
    terminal.print(JSON.stringify({ ...done, clients: registered }));
    return code;
  }

  const { green, dim } = terminal.colors;
  const done = (text: string) => terminal.print(`${green("✓")} ${text}`);
  done(
    placed === "copied" ? `binary: ${binary}` : `binary: ${binary} ${dim("(was there already)")}`,
  );
  if (viaPlugin) done(pluginNote(viaPlugin.plugin));
  else if (!report.changed) done(`hooks: ${path} ${dim("(were there already)")}`);
  else done(`hooks: ${wanted.size} events in ${path}`);
  if (backup) done(`backup: ${backup}`);
  if (options.scope === "project")
    terminal.print(
      dim("  The hooks name a path of this machine; `--scope local` keeps them to yourself."),
    );
  if (tools.file) done(`agent's tools: MCP server memoir in ${tools.file}`);
  if (change.newRules.length > 0)
    done(`reading tools ask nothing: ${change.newRules.length} allow rules in ${path}`);
  if (skillPut) done(`skill: ${skillPut}`);
  if (tools.problem)
    terminal.warn(`${terminal.colors.yellow("!")} agent's tools: ${tools.problem}`);
  printDone(registered, terminal);
  done(`server: ${serverState}`);
  if (terminal.interactive && !options.yes) await offerModel(terminal);
  const { offerHistory } = await import("./offer-history.ts");
  const unread = await offerHistory(terminal, terminal.interactive && !options.yes);
  await sayWhoElse(others, terminal);
  terminal.print("");
  terminal.print(afterwards([claudeCode, ...others], registered, terminal));
  const name = nameToType(setup, terminal);
  terminal.print(`See it happen with   ${name} status`);
  terminal.print(`Look something up    ${name} search <words>`);
  if (unread) terminal.print(`Remember the past    ${name} backfill`);
  terminal.print(`If nothing happens   ${name} doctor`);
  if (name !== "memoir")
    terminal.print(dim(`(Put ${paths.bin} into your PATH to write just \`memoir\`.)`));
  return code;
}

/** Clients that are here and were not asked for. */
async function sayWhoElse(asked: Chosen["others"], terminal: Terminal): Promise<void> {
  const here = (await othersHere(terminal)).filter((client) => !asked.includes(client));
  if (here.length === 0) return;
  const titles = here.map(({ title }) => title).join(", ");
  const names = here.map(({ name }) => name).join(" ");
  terminal.print(`Also on this machine: ${titles}; \`memoir install ${names}\` adds memoir there.`);
}

function mcpRegistration(scope: Scope, { paths, binary }: Setup, { env, cwd }: Terminal) {
  const usual = memoirHome({ ...env, MEMOIR_HOME: undefined });
  const entry = mcpEntry(binary, paths.home === usual ? undefined : paths.home);
  return { home: paths.home, scope, env, cwd, entry };
}

/** The file that would change for the tools, and whether their name is taken or cannot be looked for. */
async function planned(wanted: McpRegistration): Promise<[string | undefined, boolean]> {
  try {
    return [await planMcp(wanted), false];
  } catch {
    return [undefined, true];
  }
}

/** Memory works without its tools: what is wrong with the client's state is shown, and does not undo the install. */
async function putMcp(
  wanted: McpRegistration,
  viaPlugin: boolean,
): Promise<{ file?: string | undefined; problem?: string }> {
  try {
    // The client's plugin brings the server with it; twice is once too often.
    if (viaPlugin) await unregisterMcp(wanted.home);
    return viaPlugin ? {} : { file: await registerMcp(wanted) };
  } catch (error) {
    if (!(error instanceof MemoirError)) throw error;
    return { problem: `${error.message} ${error.fix}` };
  }
}

/** What goes wrong with a model is shown, and does not undo the install. */
async function offerModel(terminal: Terminal): Promise<void> {
  try {
    const { chooseProvider } = await import("./choose-provider.ts");
    await chooseProvider(terminal);
  } catch (error) {
    reportError(error, terminal, false);
  }
}

function pluginNote(plugin: string): string {
  return `hooks: come from the Claude Code plugin ${plugin}, so none stand in the settings`;
}
