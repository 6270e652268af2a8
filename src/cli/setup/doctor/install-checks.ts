// Is memoir installed: the binary in place, Claude Code set to run it, once, for exactly the events that are needed, with its tools and its skill?
import { isAbsolute } from "node:path";
import { scopes, settingsPath } from "../../../clients/claude-code/folders.ts";
import { type Checks, type Finding, fail, ok, warn } from "../../../health/check.ts";
import { isOlder, seenReleases } from "../../../home/seen-releases.ts";
import { version } from "../../../home/version.ts";
import {
  clientStatePath,
  isOwnEntry,
  ownServer,
  serversAt,
  skillPath,
  skillState,
} from "../../../install/agent-tools.ts";
import { readLedger, readSettings } from "../../../install/file-change.ts";
import {
  enabledAsPlugin,
  type OwnHook,
  ownHooks,
  parseSettings,
  type Registration,
  type Settings,
} from "../../../install/settings.ts";
import { readConfig } from "../../../runtime/config/config.ts";
import { errorFixes } from "../../../sdk/errors.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { isExecutable } from "../clients.ts";
import { runInstalled, versionOf } from "../installed-binary.ts";
import { type Setup, wantedRegistration } from "../setup.ts";

/** Where one looks. */
interface Asked {
  setup: Setup;
  terminal: Terminal;
}

const installAgain = "Run `memoir install`.";

/** The installed binary: there, executable, of this version. */
export async function checkBinary({ setup: { binary }, terminal }: Asked): Promise<Finding> {
  if (!(await isExecutable(binary)))
    return fail(`${binary} is missing or cannot be run`, installAgain);
  const installed = await versionOf(binary, terminal);
  if (installed === version) return ok(`${binary} (memoir ${installed})`);
  return warn(
    `${binary} is memoir ${installed}, this is memoir ${version}`,
    "Run `memoir install` with the one that you want.",
  );
}

/** What the daily look found; nothing where there is nothing newer, or nobody looked. */
export async function checkRelease({ setup: { paths } }: Asked): Promise<Finding | undefined> {
  const { newest } = await seenReleases(paths.home);
  if (!newest || !isOlder(version, newest.version)) return undefined;
  const { upgrade } = (await readConfig(paths.home)).config;
  return upgrade.daily
    ? ok(`memoir ${newest.version} is available; \`memoir upgrade\` installs it`)
    : undefined;
}

/** What is registered with Claude Code; memory works without tools and skill, so nothing of them is a failure. */
export const claudeCodeChecks: Checks<Asked> = {
  hooks: checkHooks,
  tools: ({ setup, terminal }) => checkTools(setup, terminal),
  skill: ({ setup, terminal }) => checkSkill(setup, terminal),
  client: checkClient,
};

interface Registered extends OwnHook {
  settings: string;
}

/** The settings in force here: our hooks in them, once, for the events that are needed, calling a binary that is there. */
async function checkHooks({ setup, terminal }: Asked): Promise<Finding[]> {
  const settings = await settingsInForce(terminal);
  // One switch of the client's turns every hook off, ours among them.
  const off = settings
    .filter(({ content }) => content.disableAllHooks === true)
    .map(({ path }) =>
      fail(
        `Claude Code runs no hook at all: ${path} says "disableAllHooks": true`,
        "Take that line out when memoir shall be at work.",
      ),
    );
  return [...off, ...(await checkRegistered(registeredHooks(settings), setup, terminal))];
}

/**
 * Events that plugins need and installed hooks do not bring: those of a version or a plugin that came after the install.
 * Empty where nothing is installed here.
 */
export async function missingEvents(setup: Setup, terminal: Terminal): Promise<string[]> {
  const own = registeredHooks(await settingsInForce(terminal));
  const { wanted, viaPlugin } = await wantedRegistration(setup, terminal);
  return own.length === 0 || viaPlugin ? [] : missingOf(own, wanted);
}

/** memoir was never registered with Claude Code, here or elsewhere: somebody who installs it for other clients alone wants it so. */
export async function isWithoutClaudeCode(setup: Setup, terminal: Terminal): Promise<boolean> {
  if (registeredHooks(await settingsInForce(terminal)).length > 0) return false;
  if ((await readLedger(setup.paths.home)).length > 0) return false;
  return (await wantedRegistration(setup, terminal)).viaPlugin === undefined;
}

async function checkRegistered(
  own: readonly Registered[],
  setup: Setup,
  terminal: Terminal,
): Promise<Finding[]> {
  const { wanted, viaPlugin } = await wantedRegistration(setup, terminal);
  const files = [...new Set(own.map(({ settings }) => settings))].join(", ");
  if (viaPlugin) {
    const source = `the Claude Code plugin ${viaPlugin.plugin}`;
    if (own.length === 0) return [ok(`registered by ${source}`)];
    const fix = "Run `memoir install`: it removes the duplicates from the settings.";
    return [fail(`registered twice: by ${source} and in ${files}`, fix)];
  }
  if (own.length === 0) return [await notRegistered(setup)];
  const found: Finding[] = [];
  for (const path of new Set(own.map(({ binary }) => binary)))
    if (!isAbsolute(path) || !(await isExecutable(path)))
      found.push(fail(`hooks call ${path}, which is not there to be run`, installAgain));
  const events = own.map(({ event }) => event);
  const twice = events.find((event, index) => events.indexOf(event) !== index);
  if (twice !== undefined)
    found.push(
      fail(
        `${twice} is registered more than once, in ${files}`,
        "Run `memoir uninstall`, then `memoir install` with the one scope that you want.",
      ),
    );
  const missing = missingOf(own, wanted);
  const extra = [...new Set(events)].filter((event) => !wanted.has(event));
  const parts: string[] = [];
  if (missing.length > 0) parts.push(`missing ${missing.join(", ")}`);
  if (extra.length > 0) parts.push(`not needed ${extra.join(", ")}`);
  if (parts.length > 0)
    found.push(fail(`not the events that plugins need: ${parts.join("; ")}`, installAgain));
  return found.length > 0 ? found : [ok(`${own.length} events in ${files}`)];
}

interface Found {
  path: string;
  content: Settings;
}

/** The settings files that count in this folder, each once: in the user's own folder two scopes mean the same file. */
async function settingsInForce({ env, cwd }: Terminal): Promise<Found[]> {
  const found: Found[] = [];
  for (const path of new Set(scopes.map((scope) => settingsPath(scope, env, cwd)))) {
    const { text } = await readSettings(path);
    if (text !== undefined) found.push({ path, content: parseSettings(text, path) });
  }
  return found;
}

function registeredHooks(settings: readonly Found[]): Registered[] {
  return settings.flatMap(({ path, content }) =>
    ownHooks(content).map((own) => ({ ...own, settings: path })),
  );
}

async function notRegistered({ paths }: Setup): Promise<Finding> {
  const elsewhere = (await readLedger(paths.home)).map(({ settings }) => settings);
  if (elsewhere.length === 0)
    return fail("memoir is not registered with Claude Code", installAgain);
  return warn(
    `registered in ${elsewhere.join(", ")}, and not for this folder`,
    "Run `memoir install` to register for all folders.",
  );
}

function missingOf(own: readonly Registered[], wanted: Registration): string[] {
  const there = new Set<string>(own.map(({ event }) => event));
  return [...wanted.keys()].filter((event) => !there.has(event));
}

/** Has the agent memoir's tools: is the MCP server registered, with the binary that is installed? */
async function checkTools(
  { binary }: Pick<Setup, "binary">,
  { env, cwd }: Pick<Terminal, "env" | "cwd">,
): Promise<Finding> {
  const viaPlugin = await enabledAsPlugin(env, cwd);
  const path = clientStatePath(env);
  const { text = "{}" } = await readSettings(path);
  const found = (["user", "local"] as const)
    .map((scope) => ownServer(text, serversAt(scope, cwd), path))
    .find((entry) => entry !== undefined);
  if (viaPlugin && found !== undefined && isOwnEntry(found))
    return warn(
      `listed twice: by the Claude Code plugin ${viaPlugin.plugin} and in ${path}`,
      "Run `memoir install`: it takes the second one out.",
    );
  if (viaPlugin) return ok(`MCP server of the Claude Code plugin ${viaPlugin.plugin}`);
  if (found === undefined) return warn("the agent has no memoir tools (MCP)", installAgain);
  if (!isOwnEntry(found))
    return warn(`${path} has another MCP server named memoir`, errorFixes.mcp_name_taken);
  const { command } = found as { command?: unknown };
  if (command === binary) return ok(`MCP server in ${path}`);
  return warn(`the MCP server in ${path} runs ${String(command)}, not ${binary}`, installAgain);
}

/** Does the agent know when to search: is the skill in place, and of this version? */
async function checkSkill(
  { paths }: Pick<Setup, "paths">,
  { env, cwd }: Pick<Terminal, "env" | "cwd">,
): Promise<Finding> {
  const viaPlugin = await enabledAsPlugin(env, cwd);
  if (viaPlugin) return ok(`comes with the Claude Code plugin ${viaPlugin.plugin}`);
  const path = skillPath(env);
  const found = {
    current: ok(path),
    missing: warn(`there is no ${path}`, installAgain),
    old: warn(`${path} is of another version`, installAgain),
    foreign: warn(
      `${path} was written or changed by somebody else`,
      "Leave it if that is meant; else rename it, then run `memoir install`.",
    ),
  };
  return found[await skillState(paths.home, env)];
}

/** Claude Code itself, where it is in the PATH. */
async function checkClient({ terminal: { env, platform } }: Asked): Promise<Finding> {
  const asked = { ...env, MEMOIR_INTERNAL: "1" };
  const said = await runInstalled("claude", ["--version"], asked, 5_000).catch(() => undefined);
  if (said !== undefined) return clientFinding(said, platform);
  return warn("`claude` is not in the PATH", "Nothing to do if you start it another way.");
}

const withoutShell = "2.1.139";

/** What there is to say of Claude Code, by its own words: whether it can run hooks as they are written on this system. */
export function clientFinding(said: string, platform: string): Finding {
  const version = said.trim().split("\n")[0] ?? "";
  const isOlder = version.localeCompare(withoutShell, "en", { numeric: true }) < 0;
  if (platform !== "win32" || !isOlder) return ok(`Claude Code ${version}`);
  return warn(
    `Claude Code ${version} can't start memoir's hooks on Windows`,
    `Update Claude Code to ${withoutShell} or newer.`,
  );
}
