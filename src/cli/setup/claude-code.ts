// Claude Code's own files: hooks and rules in its settings, the MCP server in its state, the skill. What an install does to them, and says of it.

import { settingsPath } from "../../clients/claude-code/folders.ts";
import { errorMessage, errorWithFix } from "../../home/describe-error.ts";
import {
  mcpEntry,
  planMcp,
  putSkill,
  registerMcp,
  skillPath,
  skillState,
  takeSkill,
  unregisterMcp,
} from "../../install/agent-tools.ts";
import { type FileReturn, readLedger } from "../../install/file-change.ts";
import { applyRegistration, planRegistration, planRestoration } from "../../install/settings.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { OptionsOf } from "../commands/declared.ts";
import type { setupCommands } from "../commands/setup.ts";
import { markOf, printDiff, sayDone } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type Setup, wantedRegistration } from "./setup.ts";

export type InstallOptions = OptionsOf<(typeof setupCommands)["install"]>;

/** What an install would change. Throws where the settings cannot be changed safely. */
export async function planClaudeCode(options: InstallOptions, setup: Setup, terminal: Terminal) {
  const { home } = setup.paths;
  const { env, cwd } = terminal;
  const { scope } = options;
  const { wanted, viaPlugin } = await wantedRegistration(setup, terminal);
  const settings = settingsPath(scope, env, cwd);
  const server = { home, scope, env, cwd, entry: mcpEntry(setup.binary, setup.ownHome) };
  // The client's plugin brings the server and the skill with it; twice is once too often.
  const [mcpFile, isTaken] = viaPlugin
    ? [undefined, true]
    : await planMcp(server).then(
        (file) => [file, false] as const,
        () => [undefined, true] as const,
      );
  // Somebody else's server of that name gets no rule; a project's settings are not for one person to decide.
  const allows = !isTaken && options.allowTools !== false && scope !== "project";
  const known = (await readLedger(home)).find((entry) => entry.settings === settings)?.allowed;
  const wish = allows ? "add" : "remove";
  const change = await planRegistration(settings, wanted, { wish, known });
  const skill = viaPlugin ? "current" : await skillState(home, env);
  const report = {
    settings,
    scope,
    events: [...wanted.keys()],
    changed: change.diff.length > 0,
    mcp: mcpFile ?? null,
    allowed: change.newRules,
    skill: skill === "missing" || skill === "old" ? skillPath(env) : null,
    viaPlugin: viaPlugin?.plugin ?? null,
  };
  return { report, change, server };
}

type ClaudeCodePlan = Awaited<ReturnType<typeof planClaudeCode>>;

/** What `--dry-run` shows. */
export function printPlan({ report, change }: ClaudeCodePlan, terminal: Terminal): void {
  const { settings, mcp, skill, viaPlugin } = report;
  if (viaPlugin !== null) terminal.print(pluginNote(viaPlugin));
  printDiff(settings, change.diff, terminal);
  if (mcp !== null) terminal.print(`Would add the MCP server memoir to ${mcp}.`);
  if (skill !== null) terminal.print(`Would write the skill ${skill}.`);
}

/** What is about to be done, beside the hooks, before a person is asked. */
export function intentionsOf({ report: { mcp, allowed, skill } }: ClaudeCodePlan): string[] {
  const lines: string[] = [];
  if (mcp !== null) lines.push(`Its tools for the agent (MCP) go into ${mcp}.`);
  if (allowed.length > 0)
    lines.push(
      "Those that only read will not ask you each time (`--no-allow-tools` leaves that to you).",
    );
  if (skill !== null) lines.push(`A skill that says when to search goes to ${skill}.`);
  return lines;
}

/** What became of Claude Code's files. */
interface Registered {
  backup: string | undefined;
  /** The file that the tools were added to. */
  tools: string | undefined;
  toolsProblem: string | undefined;
  skill: string | undefined;
}

/** Carries the plan out. Memory works without tools and skill: what is wrong with them does not undo the install. */
export async function registerClaudeCode(
  { report, change, server }: ClaudeCodePlan,
  { paths: { home } }: Setup,
  terminal: Terminal,
): Promise<Registered> {
  const backup = await applyRegistration(home, report.scope, change);
  const done: Registered = { backup, tools: undefined, toolsProblem: undefined, skill: undefined };
  const isViaPlugin = report.viaPlugin !== null;
  try {
    if (isViaPlugin) await unregisterMcp(home);
    else done.tools = await registerMcp(server);
  } catch (error) {
    if (!(error instanceof MemoirError)) throw error;
    done.toolsProblem = errorWithFix(error);
  }
  if (isViaPlugin) await takeSkill(home);
  else
    done.skill = await putSkill(home, terminal.env).catch((error: unknown) => {
      terminal.warn(`${markOf("warn", terminal)} skill: ${errorMessage(error)}`);
      return undefined;
    });
  return done;
}

/** What was done. */
export function printRegistered(
  { report, change }: ClaudeCodePlan,
  { backup, tools, toolsProblem, skill }: Registered,
  terminal: Terminal,
): void {
  const { dim } = terminal.colors;
  const { settings, viaPlugin } = report;
  const rules = change.newRules.length;
  if (viaPlugin !== null) sayDone(pluginNote(viaPlugin), terminal);
  else if (report.changed)
    sayDone(`hooks: ${report.events.length} events in ${settings}`, terminal);
  else sayDone(`hooks: ${settings} ${dim("(were there already)")}`, terminal);
  if (backup) sayDone(`backup: ${backup}`, terminal);
  if (report.scope === "project")
    terminal.print(
      dim("  The hooks name a path of this machine; `--scope local` keeps them to yourself."),
    );
  if (tools) sayDone(`agent's tools: MCP server memoir in ${tools}`, terminal);
  if (rules > 0)
    sayDone(`read-only tools run without asking: ${rules} allow rules in ${settings}`, terminal);
  if (skill) sayDone(`skill: ${skill}`, terminal);
  if (toolsProblem) terminal.warn(`${markOf("warn", terminal)} agent's tools: ${toolsProblem}`);
}

function pluginNote(plugin: string): string {
  return `hooks: come from the Claude Code plugin ${plugin}, so none are in the settings`;
}

/**
 * What becomes of every settings file that memoir wrote to, and of your own ones; a project's shared ones may be a
 * colleague's. Files that have nothing of memoir's and never had are left out.
 */
export async function planSettingsBack(
  home: string,
  { env, cwd }: Terminal,
): Promise<FileReturn[]> {
  const known = (await readLedger(home)).map(({ settings }) => settings);
  const own = (["user", "local"] as const).map((scope) => settingsPath(scope, env, cwd));
  const plans: FileReturn[] = [];
  for (const path of new Set([...known, ...own])) plans.push(await planRestoration(home, path));
  return plans.filter(({ how, entry }) => how !== "untouched" || entry);
}
